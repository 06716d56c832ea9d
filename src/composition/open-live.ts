import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { StartError } from '../core/errors.ts';
import { createSecrets } from '../core/secrets.ts';
import { migrate, type OpenDatabase, readMigrationSets, serviceMigrations } from '../db/index.ts';
import { createPollingIntake, createWebhookIntake, describeBot } from '../telegram/index.ts';
import { type Mode, warnAboutNewer } from './mode.ts';

/** Opens live mode: Telegram's own Bot API, the machine's clock, and no routes under /sandbox. */
export async function openLive(config: Config, db: OpenDatabase, log: Logger): Promise<Mode> {
  const { telegram } = config;
  if (telegram === undefined) throw new Error('live mode needs a bot token');
  if ((await readMigrationSets(db.url)).has('sandbox')) {
    throw new StartError(
      'this database belongs to a sandbox, with demo money in it: set another DATA_DIR or DATABASE_URL for live mode',
    );
  }
  warnAboutNewer(log, await migrate(db.url, [serviceMigrations], config.migrations));
  const secrets = createSecrets(config.secretKey ?? (await secretKeyIn(config.dataDir)));
  const clock = systemClock;

  return {
    clock,
    secrets,
    botToken: telegram.botToken,
    miniAppLink: config.humanCheck?.miniAppLink,
    demoToken: undefined,
    apiRoot: () => telegram.apiRoot,
    sandbox: undefined,
    createIntake(parts) {
      const deps = { ...parts, db, clock, log, describe: describeBot };
      return telegram.updates === 'webhook'
        ? createWebhookIntake({ ...deps, secrets, publicUrl: config.publicUrl })
        : createPollingIntake({ ...deps, keepDialoguesAfterMs: 50 });
    },
    settlementChecksPerSecond: undefined,
    allowsLoopback: false,
    routes: () => [],
    prepare: async () => undefined,
    listensAt: () => undefined,
    close: async () => undefined,
  };
}

/**
 * Returns the key in `secret.key` for an installation without SECRET_KEY. Creates the file once, readable by its owner.
 */
async function secretKeyIn(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
