import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Queryable } from '../../core/database.ts';
import { createSecrets } from '../../core/secrets.ts';
import { verifyLedger } from '../../modules/ledger/index.ts';
import { BOT_TOKEN_PURPOSE, findSealedBotToken } from '../../modules/orders/index.ts';
import { readTasksToExpire, readTasksToSettle } from '../../modules/tasks/index.ts';
import { readDeliveriesDue } from '../../modules/webhooks/index.ts';
import { readSecretKey } from '../../sandbox/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

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

function storedKey({ telegram, dataDir }: Config, db: Queryable): Promise<string | undefined> {
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
