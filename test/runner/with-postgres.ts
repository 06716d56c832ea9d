import { statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/start-postgres.ts';

/** Holds the URL of the server for the test files. Each file creates its own database there. */
export const DATABASE_URL_VARIABLE = 'SPONSORGATE_TEST_DATABASE_URL';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED_BYTES = 3 * 1024 ** 3;

/** Starts one PostgreSQL for the whole run, unless the environment names a server. */
export async function withPostgres<T>(work: () => Promise<T>): Promise<T> {
  if (process.env[DATABASE_URL_VARIABLE]) return work();
  const folder = await mkdtemp(join(fastestFolder(), 'sponsorgate-test-'));
  try {
    // When root starts the server, the server runs under another uid, which must be able to enter this folder.
    await chmod(folder, 0o755);
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      log: (line: string) => lines.push(line),
      durable: false,
    }).catch((error: unknown) => {
      console.error(lines.join('\n'));
      throw error;
    });
    try {
      process.env[DATABASE_URL_VARIABLE] = server.url;
      return await work();
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Returns a folder in memory when the machine has one with enough space. The server spends most of its time on copying
 * databases.
 */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize >= MEMORY_NEEDED_BYTES) return MEMORY_FOLDER;
  } catch {
    // This is not Linux, or the folder does not exist.
  }
  return tmpdir();
}
