import { statfs } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { DatabaseUnavailable } from '../core/database.ts';
import { type Supervision, startEmbeddedPostgres } from '../db/index.ts';

export interface ProvidedDatabase {
  /** The address of PostgreSQL itself. LISTEN and session locks do not work through a pooler in transaction mode. */
  readonly url: string;
  /** The address for the many short transactions. It may be that of a pooler. */
  readonly poolUrl: string;
  /** Throws when the disk of an embedded server is full. Does nothing for an external server, whose disk is unknown. */
  checkRoom(): Promise<void>;
  stop(): Promise<void>;
}

/** Two segments of the write-ahead log. With less space, PostgreSQL may fail to write. */
const FULL_BYTES = 2 * 16 * 1024 * 1024;

/** Returns the PostgreSQL of DATABASE_URL if it is set. Otherwise starts the embedded one. */
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
