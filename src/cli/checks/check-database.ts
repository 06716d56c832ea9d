import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { createSecrets } from '../../core/secrets.ts';
import {
  type DatabaseState,
  inspectDatabase,
  OWNER_ADVICE,
  openReplica,
  serviceMigrations,
  UNRELEASED_DATABASE,
} from '../../db/index.ts';
import { verifyLedger } from '../../modules/ledger/index.ts';
import { BOT_TOKEN_PURPOSE, findSealedBotToken } from '../../modules/orders/index.ts';
import { readTasksToExpire, readTasksToSettle } from '../../modules/tasks/index.ts';
import { readDeliveriesDue } from '../../modules/webhooks/index.ts';
import { inspectRedis } from '../../redis/index.ts';
import { readSecretKey, sandboxMigrations } from '../../sandbox/index.ts';
import { clockFinding, type Finding, fail, ok, reasonOf, warn } from './finding.ts';

const OLDEST_POSTGRES = 15;
/** Leases of deliveries and jobs use the database's clock and last tens of seconds. */
const CLOCK_LIMITS = { warnMs: 1_000, failMs: 15_000 };

/** Checks the database server and the schema. Returns the state only if further checks can read the database. */
export async function* checkDatabase(
  config: Config,
  url: string,
  how: string,
): AsyncGenerator<Finding, DatabaseState | undefined> {
  let state: DatabaseState;
  try {
    state = await inspectDatabase(url, [serviceMigrations, sandboxMigrations], () => systemClock.now().getTime());
  } catch (error) {
    yield fail('database', `cannot be reached (${reasonOf(error)}): check DATABASE_URL and that the server runs`);
    return undefined;
  }
  yield state.majorVersion < OLDEST_POSTGRES
    ? fail('database', `PostgreSQL ${state.version} is too old: ${OLDEST_POSTGRES} or newer is needed`)
    : ok('database', `PostgreSQL ${state.version}, ${how}`);
  yield clockFinding('database clock', state.clockSkewMs, CLOCK_LIMITS);
  if (state.missingRights.length > 0) {
    yield fail('database role', `${state.missingRights.join(', ')}: ${OWNER_ADVICE}`);
    return undefined;
  }

  const mixedUp = ownerFault(config, state.sets);
  const schema = mixedUp === undefined ? schemaFinding(state) : fail('schema', mixedUp);
  yield schema;
  return schema.level === 'ok' ? state : undefined;
}

/** Returns an error text when the database belongs to the other mode. The start of the service refuses this too. */
function ownerFault({ telegram }: Config, sets: ReadonlySet<string>): string | undefined {
  if (telegram !== undefined && sets.has('sandbox')) {
    return 'this database belongs to a sandbox, with demo money in it: live mode needs another DATA_DIR or DATABASE_URL';
  }
  if (telegram === undefined && sets.has('service') && !sets.has('sandbox')) {
    return 'this database belongs to a live service: set TELEGRAM_BOT_TOKEN, or another database for a sandbox';
  }
  return undefined;
}

function schemaFinding(state: DatabaseState): Finding {
  const { sets, missingMigrations, foreignMigrations, failedMigration } = state;
  if (state.isUnreleased) return fail('schema', UNRELEASED_DATABASE);
  if (failedMigration !== undefined) {
    const { name, reason } = failedMigration;
    return fail('schema', `migration ${name} failed at the last start (${reason}): mend that and start again`);
  }
  if (!sets.has('service')) return warn('schema', 'the database is empty: the first start makes its tables');
  if (foreignMigrations.length > 0) {
    return fail(
      'schema',
      `was made by another version of the service (${foreignMigrations.join(', ')}): update this one`,
    );
  }
  if (missingMigrations.length > 0) {
    return warn('schema', `the next start will bring it up to date (${missingMigrations.join(', ')}): back up first`);
  }
  return ok('schema', 'all migrations are applied');
}

/** The jobs run at least every minute, and another worker takes over the jobs of a killed one within a minute. */
const LATE_SECONDS = 5 * 60;

/** Checks the contents of the database: the ledger, the secret key, and overdue tasks and deliveries. */
export async function* checkBooks(config: Config, db: Queryable, clock: Clock): AsyncGenerator<Finding> {
  const ledger = await verifyLedger(db);
  yield ledger.balanced
    ? ok('ledger', `${ledger.accounts.length} accounts, every balance agrees with its transfers`)
    : fail('ledger', `${ledger.faults.length} faults, the first: ${ledger.faults[0]}. See: sponsorgate verify-ledger`);
  yield await checkSecretKey(config, db);
  yield await checkWork(db, clock.now());
}

/**
 * Checks that the secret key decrypts stored bot tokens. After a restore with another key, the service would fail only
 * at the first membership check with an advertiser's bot.
 */
async function checkSecretKey(config: Config, db: Queryable): Promise<Finding> {
  const sealed = await findSealedBotToken(db);
  if (sealed === undefined) return ok('secret key', 'nothing is encrypted with it yet');
  const key = config.secretKey ?? (await storedKey(config, db));
  if (key === undefined)
    return fail('secret key', 'is gone, and data is encrypted with it: restore DATA_DIR/secret.key');
  try {
    createSecrets(key).decrypt(BOT_TOKEN_PURPOSE, sealed);
    return ok('secret key', 'opens what was encrypted with it');
  } catch {
    return fail('secret key', 'is not the one that the data was encrypted with: set SECRET_KEY to the one from then');
  }
}

/** Returns the key of an installation without SECRET_KEY. */
export function storedKey({ telegram, dataDir }: Config, db: Queryable): Promise<string | undefined> {
  if (telegram === undefined) return readSecretKey(db);
  return readFile(join(dataDir, 'secret.key'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

async function checkWork(db: Queryable, now: Date): Promise<Finding> {
  const deliveries = await readDeliveriesDue(db, now);
  const waiting = [
    { what: 'settlements', due: await readTasksToSettle(db, now) },
    { what: 'expiries', due: await readTasksToExpire(db, now) },
    // Deliveries to failing endpoints are late because of the endpoint, not because of the service.
    ...deliveries.filter(({ isFailing }) => !isFailing).map((due) => ({ what: 'webhook deliveries', due })),
  ];
  const late = waiting.filter(
    ({ due: { oldestDueAt } }) => oldestDueAt !== null && now.getTime() - oldestDueAt.getTime() > LATE_SECONDS * 1000,
  );
  if (late.length === 0) return ok('timed work', 'nothing is late');
  const named = late.map(({ what, due }) => `${due.count} ${what}, due since ${due.oldestDueAt?.toISOString()}`);
  return warn('timed work', `${named.join('; ')}: does a process with the role worker run, and does Telegram answer?`);
}

/** Checks the read replica for reports. Without it the service runs, and reports read the primary. */
export async function* checkReplica({ databaseReplicaUrl: url }: Config, primary: Queryable): AsyncGenerator<Finding> {
  if (url === undefined) return;
  const reasons: string[] = [];
  try {
    const replica = await openReplica({ url, primary, onLeftOut: (reason) => reasons.push(reason) });
    const age = replica.ageSeconds();
    await replica.close();
    yield age === undefined
      ? warn('replica', `is left out (${reasons.at(-1)}), so reports read the primary: check DATABASE_REPLICA_URL`)
      : ok('replica', `is a standby of the database, ${age} s behind`);
  } catch (error) {
    yield fail('replica', reasonOf(error));
  }
}

const RIGHTS = '+@connection +set +get +del +time +eval +evalsha ~sponsorgate:*';

/**
 * Checks that processes can share limits over REDIS_URL. Without Redis the service runs but allows too many requests.
 */
export async function* checkRedis({ redis }: Config): AsyncGenerator<Finding> {
  if (redis === undefined) return;
  const state = await inspectRedis(redis.url);
  switch (state.kind) {
    case 'unreachable':
      yield fail('redis', `does not answer (${state.reason}): check REDIS_URL and that it runs. ${ALONE}`);
      return;
    case 'refused':
      yield fail('redis', `refuses us (${state.reason}): check REDIS_URL; its user needs ${RIGHTS}`);
      return;
    case 'unusable':
      yield fail('redis', `${adviceOn(state.reason)} (${state.reason}). ${ALONE}`);
      return;
    case 'usable':
      yield usability(state, redis.timeoutMs);
  }
}

const ALONE = 'Until then each process counts for itself';

function adviceOn(reason: string): string {
  if (reason.startsWith('READONLY')) return 'is a copy of another: REDIS_URL has to name the one that takes writes';
  if (reason.startsWith('OOM')) return 'is full: raise its maxmemory, or let it evict by volatile-ttl';
  if (/^(MOVED|CROSSSLOT|CLUSTERDOWN)/.test(reason)) return 'is a cluster, which cannot be used: name a single server';
  // Scripts that read the time and then write need Redis 5.
  return 'does not take counts: look at its log, and whether it is Redis 5 or newer';
}

function usability(
  { version, isCluster, answerMs }: { version: string | undefined; isCluster: boolean; answerMs: number },
  timeoutMs: number,
): Finding {
  const name = version === undefined ? 'of a version it does not tell' : version;
  const seen = `Redis ${name} takes counts in ${answerMs.toFixed(1)} ms`;
  if (isCluster) return fail('redis', `${seen}, but is a cluster, which cannot be used: name a single server`);
  if (answerMs >= timeoutMs) {
    return warn(
      'redis',
      `${seen}, and a request waits ${timeoutMs} ms at most: bring it nearer, or raise REDIS_TIMEOUT_MS`,
    );
  }
  return ok('redis', `${seen}; a request waits ${timeoutMs} ms at most`);
}
