import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** A temporary DATA_DIR for a service with the embedded PostgreSQL. */
export interface DataDir {
  readonly path: string;
  /** Returns the URL of the PostgreSQL in this folder while the server runs. */
  url(): Promise<string>;
  /** Waits until PostgreSQL has written its pid, and returns it. */
  postmasterPid(): Promise<number>;
  remove(): Promise<void>;
}

export async function createDataDir(): Promise<DataDir> {
  const path = await mkdtemp(join(tmpdir(), 'sponsorgate-data-'));
  // When root starts the server, the server runs under another uid. That uid must be able to enter this folder.
  await chmod(path, 0o755);
  return {
    path,
    async url() {
      const password = (await readFile(join(path, 'postgres/password'), 'utf8')).trim();
      const [, , , port] = await readPidFile(path);
      return `postgres://sponsorgate:${password}@127.0.0.1:${port}/sponsorgate`;
    },
    postmasterPid: () => readPostmasterPid(path),
    async remove() {
      // A failed test can leave its server running, and no other code would stop it.
      const leftover = await readPidFile(path).catch(() => ['']);
      const pid = Number(leftover[0]);
      if (pid > 0 && !(await isGone(pid))) process.kill(-pid, 'SIGKILL');
      await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

const readPidFile = async (dataDir: string): Promise<string[]> =>
  (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');

/** Waits until the PostgreSQL of a DATA_DIR has written its pid, and returns it. */
export async function readPostmasterPid(dataDir: string): Promise<number> {
  let pid = 0;
  // The file exists for a moment before PostgreSQL writes the pid into it.
  await eventually('PostgreSQL has written its pid', async () => {
    pid = Number((await readPidFile(dataDir))[0]);
    return pid > 0;
  });
  return pid;
}

/** Returns whether a process has ended. A zombie that waits for its parent counts as ended. */
export async function isGone(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state.includes(') Z ');
}
