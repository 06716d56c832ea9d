import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A DATA_DIR of its own, for a service with the embedded PostgreSQL. */
export interface DataDir {
  readonly path: string;
  /** Where the PostgreSQL in it listens, while it runs. */
  url(): Promise<string>;
  postmasterPid(): Promise<number>;
  remove(): Promise<void>;
}

export async function createDataDir(): Promise<DataDir> {
  const path = await mkdtemp(join(tmpdir(), 'sponsorgate-data-'));
  // Started by root, the server runs under another uid, which has to get through this folder to reach its data.
  await chmod(path, 0o755);
  const readPidFile = async () => (await readFile(join(path, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
  return {
    path,
    async url() {
      const password = (await readFile(join(path, 'postgres/password'), 'utf8')).trim();
      const [, , , port] = await readPidFile();
      return `postgres://sponsorgate:${password}@127.0.0.1:${port}/sponsorgate`;
    },
    async postmasterPid() {
      return Number((await readPidFile())[0]);
    },
    async remove() {
      // After a failed test a server may have been left behind; nobody else would ever stop it.
      const leftover = await readPidFile().catch(() => ['']);
      const pid = Number(leftover[0]);
      if (pid > 0 && !(await isGone(pid))) process.kill(-pid, 'SIGKILL');
      await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Whether a process has ended; one that waits to be reaped has. */
export async function isGone(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state.includes(') Z ');
}
