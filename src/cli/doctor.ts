import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { provideDatabase } from '../composition/provide-database.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { type DatabaseState, findRunningEmbedded, openDatabase } from '../db/index.ts';
import { createMovableClock } from '../sandbox/index.ts';
import { checkAddress } from './checks/check-address.ts';
import { checkCheckers } from './checks/check-checkers.ts';
import { checkBooks, checkDatabase, checkRedis, checkReplica } from './checks/check-database.ts';
import { checkMachine, checkSettings } from './checks/check-machine.ts';
import { checkTelegram } from './checks/check-telegram.ts';
import { type Finding, fail, reasonOf, warn } from './checks/finding.ts';

/**
 * `sponsorgate doctor`: checks everything that the service needs, while the service runs or not. Prints one line per
 * check, with the next step if the check does not pass. Changes nothing. Exits 1 when a check fails.
 */
export async function doctor(): Promise<void> {
  const counts = { ok: 0, warn: 0, fail: 0 };
  for await (const { level, subject, text } of examine()) {
    counts[level]++;
    console.log(`${level.padEnd(5)} ${subject.padEnd(14)}  ${text}`);
  }
  console.log(`\n${counts.ok} ok, ${counts.warn} to look at, ${counts.fail} failed`);
  if (counts.fail > 0) process.exitCode = 1;
}

async function* examine(): AsyncGenerator<Finding> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield fail('settings', error.message);
    return;
  }
  yield* checkSettings(config);
  yield* checkMachine(config);
  yield* examineDatabase(config);
  yield* checkRedis(config);
  yield* checkAddress(config);
}

/** Runs the checks of the database and of Telegram, which read the channels from the database. */
async function* examineDatabase(config: Config): AsyncGenerator<Finding> {
  let server: Server | undefined;
  try {
    server = await reachDatabase(config);
  } catch (error) {
    yield fail('database', reasonOf(error));
  }
  try {
    if (server === undefined) {
      yield* checkTelegram(config, undefined);
      return;
    }
    const state = server.url === undefined ? undefined : yield* checkDatabase(config, server.url, server.how);
    if (server.url === undefined) yield warn('database', server.how);
    if (server.url === undefined || state === undefined) yield* checkTelegram(config, undefined);
    else yield* examineContents(config, server.url, state);
  } finally {
    await server?.stop();
  }
}

async function* examineContents(config: Config, url: string, { sets }: DatabaseState): AsyncGenerator<Finding> {
  const db = openDatabase({ url, poolSize: 2, onError: () => undefined });
  try {
    const movable = sets.has('sandbox') ? await createMovableClock(db) : undefined;
    try {
      yield* checkBooks(config, db, movable ?? systemClock);
    } finally {
      await movable?.close();
    }
    yield* checkReplica(config, db);
    yield* checkTelegram(config, db);
    yield* checkCheckers(config, db);
  } catch (error) {
    yield fail('database', `could not be read to the end (${reasonOf(error)}): look at its log`);
  } finally {
    await db.close();
  }
}

interface Server {
  /** Absent when there is no database yet. */
  readonly url: string | undefined;
  readonly how: string;
  stop(): Promise<void>;
}

/**
 * Returns the server of DATABASE_URL if it is set. Otherwise returns the embedded server of the running service, or
 * starts the embedded server of a stopped service for the duration of the checks.
 */
async function reachDatabase(config: Config): Promise<Server> {
  const leaveIt = async (): Promise<void> => undefined;
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, how: 'from DATABASE_URL', stop: leaveIt };
  const running = await findRunningEmbedded(config.dataDir);
  if (running !== undefined) return { url: running, how: 'embedded, in use by the service', stop: leaveIt };
  if (!existsSync(join(config.dataDir, 'postgres'))) {
    return { url: undefined, how: `there is none in ${config.dataDir} yet: the first start makes it`, stop: leaveIt };
  }
  const { url, stop } = await provideDatabase(config, () => undefined);
  return { url, how: 'embedded, started for this check', stop };
}
