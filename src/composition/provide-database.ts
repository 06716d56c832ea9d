import { statfs } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { DatabaseUnavailable } from '../core/database.ts';
import { type Supervision, startEmbeddedPostgres } from '../db/index.ts';

export interface ProvidedDatabase {
  /** Leads to PostgreSQL itself: listening, locks and the job queue need a session of their own. */
  readonly url: string;
  /** Where the many short transactions go; a pooler may stand there. */
  readonly poolUrl: string;
  /** Throws when the disk under an embedded server is full. That of the user's own server cannot be seen from here. */
  checkRoom(): Promise<void>;
  stop(): Promise<void>;
}

/** Two segments of PostgreSQL's log. With less it cannot be sure to record what it is asked to. */
const FULL_BYTES = 2 * 16 * 1024 * 1024;

/** The user's own PostgreSQL when the settings name one, the embedded one otherwise. */
export async function provideDatabase(
  config: Config,
  log: (line: string) => void,
  supervision?: Supervision,
): Promise<ProvidedDatabase> {
  const { databaseUrl: poolUrl, databaseDirectUrl, dataDir } = config;
  if (poolUrl !== undefined) {
    const nothing = async (): Promise<void> => undefined;
    return { url: databaseDirectUrl ?? poolUrl, poolUrl, checkRoom: nothing, stop: nothing };
  }
  const server = await startEmbeddedPostgres({ dataDir, log, ...(supervision === undefined ? {} : { supervision }) });
  return {
    url: server.url,
    poolUrl: server.url,
    async checkRoom() {
      const { bavail, bsize } = await statfs(dataDir);
      if (bavail * bsize < FULL_BYTES) throw new DatabaseUnavailable(`database: the disk of ${dataDir} is full`);
    },
    stop: () => server.stop(),
  };
}
