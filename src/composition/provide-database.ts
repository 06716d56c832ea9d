import type { Config } from '../config.ts';
import { startEmbeddedPostgres } from '../db/index.ts';

export interface ProvidedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The user's own PostgreSQL when the settings name one, the embedded one otherwise. */
export async function provideDatabase(config: Config, log: (line: string) => void): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => undefined };
  return startEmbeddedPostgres({ dataDir: config.dataDir, log });
}
