import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyPluginAsync } from 'fastify';
import { acceptedEncoding } from './compress.ts';

/** The scripts and styles of our pages, from `client/`. Pages load nothing from other sites. */
export interface Assets {
  readonly routes: FastifyPluginAsync;
  /** Returns the URL of a file. The URL changes with the content, so browsers can cache the file forever. */
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

/** The folder of the scripts and styles: one subfolder per page, and `shared`. */
const CLIENT = new URL('../web/client/', import.meta.url);

/**
 * Reads the folder once. Browsers get TypeScript files with the types stripped, as Node does for our sources, so there
 * is no build step. `apps` names the subfolders to serve; the default is all.
 */
export function loadAssets(folder: URL = CLIENT, prefix = '/assets', apps?: readonly string[]): Assets {
  const files = new Map<string, string>();
  const root = fileURLToPath(folder);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path).split(sep).join('/');
    if (!entry.isFile() || !(extname(name) in TYPES) || name.endsWith('.test.ts')) continue;
    if (apps !== undefined && !apps.includes(name.split('/', 1)[0] ?? '')) continue;
    files.set(name, readFileSync(path, 'utf8'));
  }
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(name).update(files.get(name) ?? '');
  const base = `${prefix}/${hash.digest('hex').slice(0, 12)}`;
  // Filled on the first request for a file, so that the start does not wait for files that may never be needed.
  const contents = new Map<string, Buffer>();
  const compressed = new Map<string, Promise<Buffer>>();
  function contentOf(name: string, source: string): Buffer {
    const content = contents.get(name) ?? Buffer.from(name.endsWith('.ts') ? stripTypes(source) : source);
    contents.set(name, content);
    return content;
  }

  return {
    url(file) {
      if (!files.has(file)) throw new Error(`there is no asset ${file}`);
      return `${base}/${file}`;
    },
    routes: async (app) => {
      for (const [name, source] of files) {
        app.get(`${base}/${name}`, { schema: { hide: true } }, async (request, reply) => {
          reply
            .type(TYPES[extname(name)] ?? 'application/octet-stream')
            .header('Cache-Control', 'public, max-age=31536000, immutable')
            .header('X-Content-Type-Options', 'nosniff')
            .header('Vary', 'Accept-Encoding');
          const body = contentOf(name, source);
          const encoding = acceptedEncoding(request);
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

/** Strips the types without Node's warning that the function is experimental, because operators cannot act on it. */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
