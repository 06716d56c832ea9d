import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../core/errors.ts';
import { errorCode, isAlive, processStart } from './process.ts';

interface Owner {
  readonly pid: number;
  readonly started: string | null;
}

const ATTEMPTS = 40;
const ATTEMPT_PAUSE_MS = 25;

/**
 * Makes this process the only one that may start, stop or initialise the server below `dataDir`, until the returned
 * function is called or the process ends. Without it a second process would mistake the first one's server for a
 * leftover of a crash and stop it.
 */
export async function takeOwnership(dataDir: string): Promise<() => Promise<void>> {
  const path = ownerFile(dataDir);
  const owner: Owner = { pid: process.pid, started: (await processStart(process.pid)) ?? null };
  const mine = JSON.stringify(owner);

  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (await createFile(path, mine)) return () => release(path, mine);
    const found = await readIfPresent(path);
    if (found === undefined) continue;
    const holder = parseOwner(found);
    if (holder !== undefined && (await stillRuns(holder))) {
      throw new StartError(
        `another Sponsorgate (pid ${holder.pid}) uses DATA_DIR ${dataDir}; stop it or set another DATA_DIR`,
      );
    }
    // The record is incomplete: its writer is still creating it, or was killed while doing so. Wait before removing it.
    if (holder === undefined && attempt < ATTEMPTS / 2) await sleep(ATTEMPT_PAUSE_MS);
    else await removeStale(path, found, attempt);
  }
  throw new StartError(`cannot take the lock ${path}: too many processes are starting on this DATA_DIR; try again`);
}

/** Returns whether a live process owns the server below `dataDir`. A server that outlived its owner has none. */
export async function hasOwner(dataDir: string): Promise<boolean> {
  const holder = parseOwner((await readIfPresent(ownerFile(dataDir))) ?? '');
  return holder !== undefined && stillRuns(holder);
}

const ownerFile = (dataDir: string): string => join(dataDir, 'postgres.owner');

/** Moves the record of the dead owner away. If another process replaced it in the meantime, puts that record back. */
async function removeStale(path: string, stale: string, attempt: number): Promise<void> {
  const aside = `${path}.${process.pid}-${attempt}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readIfPresent(aside)) !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function release(path: string, mine: string): Promise<void> {
  if ((await readIfPresent(path)) === mine) await rm(path, { force: true });
}

async function stillRuns(owner: Owner): Promise<boolean> {
  if (!(await isAlive(owner.pid))) return false;
  const started = await processStart(owner.pid);
  // Where the system does not provide start times, a live pid counts as the owner: refusing is safer than two servers.
  return owner.started === null || started === undefined || owner.started === started;
}

async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return undefined;
    const { pid, started } = value;
    if (typeof pid !== 'number' || !(typeof started === 'string' || started === null)) return undefined;
    return { pid, started };
  } catch {
    return undefined;
  }
}
