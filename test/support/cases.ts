import assert from 'node:assert/strict';
import type { Database } from '../../src/core/database.ts';
import { type Case, findCase, openCases } from '../../src/modules/cases/index.ts';
import { sandboxTime } from './platform-ledger.ts';
import { type Advertised, freshUser, type Publisher, type Sandbox } from './sandbox.ts';
import type { TestService } from './service.ts';

type Service = Pick<TestService, 'sandbox' | 'database'>;

/** Runs the job that opens cases. Returns how many it opened. */
export async function runCasesJob(
  { sandbox, database }: Service,
  { payoutReviewAboveKopecks = 0n }: { payoutReviewAboveKopecks?: bigint } = {},
): Promise<number> {
  const now = await sandboxTime(sandbox);
  const deps = {
    db: database.db,
    clock: { now: () => now },
    operatorIds: new Set<number>(),
    payoutReviewAboveKopecks,
    isScoring: true,
  };
  return openCases(deps, new AbortController().signal);
}

/** Returns the cases of an account, oldest first. */
export async function casesOf(db: Database, accountId: number): Promise<Case[]> {
  const rows = await db.query<{ id: bigint }>('SELECT id FROM cases WHERE account_id = $1 ORDER BY id', [accountId]);
  const found = await Promise.all(rows.map(({ id }) => findCase(db, Number(id))));
  return found.filter((one) => one !== undefined);
}

/** Returns the only case of an account. */
export async function caseOf(db: Database, accountId: number): Promise<Case> {
  const [found, ...others] = await casesOf(db, accountId);
  assert.ok(found !== undefined && others.length === 0, `account ${accountId} has ${others.length + 1} cases, not one`);
  return found;
}

/** Lets users subscribe to an order in a bot. */
export async function subscribeMany(
  sandbox: Sandbox,
  publisher: Pick<Publisher, 'token'>,
  order: Advertised,
  count: number,
): Promise<number[]> {
  const users = Array.from({ length: count }, freshUser);
  for (const user of users) await sandbox.subscribe(publisher.token, order, user);
  return users;
}

/** Gives a bot the level `low`, as an operator would: the scoring of a small sandbox never does. */
export async function setLow(db: Database, botId: number): Promise<void> {
  const reasons = [{ code: 'early_leaves', points: 40, figures: { left: 8, of: 10, market: 20 } }];
  await db.query(
    `INSERT INTO bot_quality (bot_id, level, reasons, figures, computed_at, override_level, override_reason)
     VALUES ($1, 'new', $2, '{}', now(), 'low', 'a test')
     ON CONFLICT (bot_id) DO UPDATE SET override_level = 'low', override_reason = 'a test', reasons = excluded.reasons`,
    [botId, JSON.stringify(reasons)],
  );
}

/** Creates a case about a bot with three subscriptions of 7 ₽ in hold. */
export async function lowQualityCase(
  service: Service,
  publisher: Publisher,
): Promise<{ readonly caseId: number; readonly order: Advertised }> {
  const { sandbox, database } = service;
  const order = await sandbox.advertise();
  await subscribeMany(sandbox, publisher, order, 3);
  await setLow(database.db, publisher.botId);
  await runCasesJob(service);
  return { caseId: (await caseOf(database.db, publisher.accountId)).id, order };
}
