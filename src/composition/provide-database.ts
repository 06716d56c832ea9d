import type { Config } from '../config.ts';
import { startEmbeddedPostgres } from '../db/index.ts';

export interface ProvidedDatabase {
  /** Leads to PostgreSQL itself: listening, locks and the job queue need a session of their own. */
  readonly url: string;
  /** Where the many short transactions go; a pooler may stand there. */
  readonly poolUrl: string;
  stop(): Promise<void>;
}

/** The user's own PostgreSQL when the settings name one, the embedded one otherwise. */
export async function provideDatabase(config: Config, log: (line: string) => void): Promise<ProvidedDatabase> {
  const { databaseUrl: poolUrl, databaseDirectUrl } = config;
  if (poolUrl !== undefined) return { url: databaseDirectUrl ?? poolUrl, poolUrl, stop: async () => undefined };
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  return { url: server.url, poolUrl: server.url, stop: () => server.stop() };
}
