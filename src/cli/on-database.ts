import { existsSync } from 'node:fs';
import { provideDatabase } from '../composition/provide-database.ts';
import type { Config } from '../config.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { StartError } from '../core/errors.ts';
import { openDatabase, readMigrationSets } from '../db/index.ts';
import { createMovableClock } from '../sandbox/index.ts';

/**
 * Runs an operator's command on the service's database: the one of DATABASE_URL, even while the service runs, or the
 * embedded one of a stopped service. `clock` is the service's clock, which may be moved in a sandbox.
 */
export async function onDatabase(
  config: Config,
  work: (service: { db: Database; clock: Clock }) => Promise<void>,
): Promise<void> {
  if (config.databaseUrl === undefined && !existsSync(config.dataDir)) {
    throw new StartError(`there is no DATA_DIR ${config.dataDir}: set DATA_DIR or DATABASE_URL to the service's`);
  }
  const server = await provideDatabase(config, () => undefined);
  try {
    const sets = await readMigrationSets(server.url);
    if (!sets.has('service')) throw new StartError('this database is empty: start the service on it first');
    const db = openDatabase({ url: server.url, poolSize: 2, onError: () => undefined });
    try {
      if (!sets.has('sandbox')) {
        await work({ db, clock: systemClock });
        return;
      }
      const clock = await createMovableClock(db);
      try {
        await work({ db, clock });
      } finally {
        await clock.close();
      }
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
  }
}
