import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listUpcomingReleases, type UpcomingReleases } from '../../src/modules/statistics/index.ts';
import { query } from '../support/books.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { DAY, HOUR, startDayAt } from './reports-setup.ts';
import { useService } from './use-service.ts';

const service = useService({ ROLES: 'api,bot' });

async function upcoming({ accountId }: Pick<Publisher, 'accountId'>, limit = 10): Promise<UpcomingReleases> {
  return listUpcomingReleases(service.database.db, { accountId, limit, now: await sandboxTime(service.sandbox) });
}

async function bring({ token }: Publisher, order: Advertised): Promise<number> {
  const user = freshUser();
  await service.sandbox.subscribe(token, order, user);
  return user;
}

/** Reads from the database when each reward of an account leaves hold. */
async function releaseTimes(accountId: number): Promise<Date[]> {
  const rows = await query<{ release_at: Date }>(
    service.database.url,
    "SELECT release_at FROM tasks WHERE account_id = $1 AND state = 'held' ORDER BY release_at",
    [accountId],
  );
  return rows.map((row) => row.release_at);
}

const NOTHING: UpcomingReleases = { releases: [], totalKopecks: 0n, laterKopecks: 0n };

test('a few releases are listed one by one, soonest first, and add up to the hold', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const [cheap, dear] = [
    await sandbox.advertise({ price_per_sub: 10 }),
    await sandbox.advertise({ price_per_sub: 20 }),
  ];
  await bring(publisher, cheap);
  await sandbox.advance(60);
  await bring(publisher, dear);
  await bring(await sandbox.publisher(), cheap); // a reward of another account
  const [first, second] = await releaseTimes(publisher.accountId);
  assert.ok(first && second);
  assert.deepEqual(await upcoming(publisher), {
    releases: [
      { releaseAt: first, untilAt: first, amountKopecks: 7_00n, count: 1 },
      { releaseAt: second, untilAt: second, amountKopecks: 14_00n, count: 1 },
    ],
    totalKopecks: 21_00n,
    laterKopecks: 0n,
  });
  assert.equal((await sandbox.balance(publisher.token)).hold_balance, 21);
});

test('releases beyond the limit are grouped by hour, and later ones are returned as a sum', async () => {
  const { sandbox } = service;
  await startDayAt(sandbox, 12);
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise();
  for (const minutes of [5, 10, 60, 60]) {
    await sandbox.advance(minutes * 60);
    await bring(publisher, order);
  }
  const times = await releaseTimes(publisher.accountId);
  const hours = [
    { releaseAt: times[0], untilAt: times[1], amountKopecks: 14_00n, count: 2 },
    { releaseAt: times[2], untilAt: times[2], amountKopecks: 7_00n, count: 1 },
    { releaseAt: times[3], untilAt: times[3], amountKopecks: 7_00n, count: 1 },
  ];
  assert.deepEqual(await upcoming(publisher, 3), { releases: hours, totalKopecks: 28_00n, laterKopecks: 0n });
  assert.deepEqual(await upcoming(publisher, 1), {
    releases: hours.slice(0, 1),
    totalKopecks: 28_00n,
    laterKopecks: 14_00n,
  });
  assert.equal((await upcoming(publisher, 4)).releases.length, 4);
});

test('reversed, paid and released rewards are not upcoming', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise();
  const leaver = await bring(publisher, order);
  await bring(publisher, order);
  await sandbox.pauseAllOrders();
  await bring(publisher, await sandbox.advertise({ hold_hours: 0 }));
  await sandbox.leave(order.chatId, leaver);
  const { releases, totalKopecks } = await upcoming(publisher);
  assert.deepEqual([releases.map(({ count }) => count), totalKopecks], [[1], 7_00n]);
  await sandbox.advance(DAY);
  assert.deepEqual(await upcoming(publisher), NOTHING);
});

test('an overdue release is due now', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher();
  await bring(publisher, await sandbox.advertise());
  await sandbox.fault({ mode: 'down' });
  await sandbox.advance(DAY + HOUR);
  const now = await sandboxTime(sandbox);
  const { releases } = await listUpcomingReleases(database.db, { accountId: publisher.accountId, limit: 5, now });
  assert.deepEqual(releases, [{ releaseAt: now, untilAt: now, amountKopecks: 7_00n, count: 1 }]);
});

test('a pending reward is in the total and has no time yet', async () => {
  const { sandbox } = service;
  const owner = await sandbox.publisher({ beta: true, deposit: 100 });
  const link = `https://t.me/outside_${freshUser()}_bot`;
  const { body } = await sandbox.orderExternal(owner.token, { link });
  const publisher = await sandbox.publisher();
  const user = freshUser();
  await sandbox.getSponsors(publisher.token, user);
  assert.equal((await sandbox.confirm(publisher.token, user, body.order_id)).code, 'pending');
  assert.deepEqual(await upcoming(publisher), { releases: [], totalKopecks: 7_00n, laterKopecks: 7_00n });
});

test('the releases of a very large hold contain only complete hours', async () => {
  const { sandbox, database } = service;
  const { accountId } = await sandbox.publisher();
  const now = await sandboxTime(sandbox);
  // The rewards are released in three hours. The query reads 50,000 of them, which end within the second hour.
  await query(
    database.url,
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
       reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, release_at)
     SELECT 8000000000 + n, 1, 1, $1, 1, 1, 0, 'held', 1000, 1, 0, true, $2, $2, $2,
            $2::timestamptz + (n / 30000 + 1) * interval '1 hour'
     FROM generate_series(0, 79999) AS n`,
    [accountId, now],
  );
  const counts = async (limit: number) =>
    (await listUpcomingReleases(database.db, { accountId, limit, now })).releases.map(({ count }) => count);
  assert.deepEqual(await counts(10), [30_000]);
  assert.deepEqual(await counts(1), [30_000]);
  await query(database.url, 'DELETE FROM tasks WHERE account_id = $1', [accountId]);
});

test('an account without a hold has no releases, and the limit must be 1 to 100', async () => {
  const publisher = await service.sandbox.publisher();
  assert.deepEqual(await upcoming(publisher), NOTHING);
  assert.deepEqual(await upcoming({ accountId: 999_999_999 }), NOTHING);
  for (const limit of [0, 101, 1.5]) await assert.rejects(upcoming(publisher, limit), /1 to 100 releases/);
});
