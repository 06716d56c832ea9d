import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyPluginAsync } from 'fastify';

/** What a page loads beside itself: scripts and styles of `client/`, from us and from nowhere else. */
export interface Assets {
  readonly routes: FastifyPluginAsync;
  /** Where a file is served. The address changes with the content, so browsers keep it for ever. */
  url(file: string): string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compressors = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: promisify(gzip),
};

/** Reads the folder once. Browsers get TypeScript with its types taken out, the same way as Node runs ours: no build. */
export function loadAssets(folder: URL, prefix = '/assets'): Assets {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = `${entry.parentPath}/${entry.name}`;
    const name = path.slice(folder.pathname.length);
    if (!entry.isFile() || !(extname(name) in TYPES) || name.endsWith('.test.ts')) continue;
    files.set(name, contentOf(path));
  }
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(name).update(files.get(name) ?? '');
  const base = `${prefix}/${hash.digest('hex').slice(0, 12)}`;
  const compressed = new Map<string, Promise<Buffer>>();

  return {
    url(file) {
      if (!files.has(file)) throw new Error(`there is no asset ${file}`);
      return `${base}/${file}`;
    },
    routes: async (app) => {
      for (const [name, body] of files) {
        app.get(`${base}/${name}`, { schema: { hide: true } }, async (request, reply) => {
          reply
            .type(TYPES[extname(name)] ?? 'application/octet-stream')
            .header('Cache-Control', 'public, max-age=31536000, immutable')
            .header('X-Content-Type-Options', 'nosniff')
            .header('Vary', 'Accept-Encoding');
          const encoding = acceptedBy(request.headers['accept-encoding']);
          if (encoding === undefined) return reply.send(body);
          const key = `${encoding} ${name}`;
          const smaller = compressed.get(key) ?? compressors[encoding](body);
          compressed.set(key, smaller);
          return reply.header('Content-Encoding', encoding).send(await smaller);
        });
      }
    },
  };
}

function contentOf(path: string): Buffer {
  const text = readFileSync(path, 'utf8');
  return Buffer.from(path.endsWith('.ts') ? stripTypes(text) : text);
}

/** Node calls this way in experimental, once, though it runs all of our sources by it. Nobody could act on that line. */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function acceptedBy(header: string | string[] | undefined): keyof typeof compressors | undefined {
  const accepted = String(header ?? '');
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}
