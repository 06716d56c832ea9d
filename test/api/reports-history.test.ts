import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deposit } from '../../src/modules/accounts/index.ts';
import { type HistoryEntry, listHistory } from '../../src/modules/statistics/index.ts';
import { kopecksIn, query } from '../support/books.ts';
import { CONTEST_RULES } from '../support/contest-rules.ts';
import { bindContests, bindPayouts } from '../support/money-use-cases.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { newUsers, range } from '../support/users.ts';
import { DAY, HOUR, total } from './reports-setup.ts';
import { useService } from './use-service.ts';

const service = useService({ ROLES: 'api,bot' });

/** Returns all pages of an account's history. Calls `between` after each page except the last. */
async function wholeHistory(accountId: number, limit = 100, between = async () => {}): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await listHistory(service.database.db, { accountId, limit, before });
    entries.push(...page.entries);
    if (page.next === null) return entries;
    assert.equal(page.entries.length, limit);
    before = page.next;
    await between();
  }
}

const credit = async (accountId: number, key: string, kopecks = 1_00n): Promise<void> => {
  const at = await sandboxTime(service.sandbox);
  await service.database.db.transaction((tx) => deposit(tx, { accountId, amountKopecks: kopecks, key, at }));
};

test('every kind of transfer is in the history with its amounts and references', async () => {
  const { sandbox, database } = service;
  const { db } = database;
  const clock = { now: () => now };
  let now = await sandboxTime(sandbox);
  const contests = bindContests({ db, clock, ...CONTEST_RULES });
  const payouts = bindPayouts({ db, clock, minimumKopecks: 1n, cryptoPay: undefined });
  const contest = await contests.create({
    key: 'history',
    name: 'A race',
    startsAt: now,
    endsAt: new Date(now.getTime() + 2 * DAY * 1000),
    prizesKopecks: [50_00n],
  });
  assert.ok(contest.kind === 'created');

  // The account acts as an advertiser first …
  const owner = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  const terms = { name: 'News', link, resource_type: 'channel', title: 'News', price_per_sub: 10, quantity: 5 };
  const post = (path: string, body: unknown) =>
    sandbox.call('POST', `/api/v1/orders${path}`, body, { auth: owner.token });
  const { order_id: ownOrder } = (await post('', terms)).body;
  assert.equal((await post(`/${ownOrder}/top-up`, { quantity: 2 })).status, 200);
  assert.equal((await post(`/${ownOrder}/cancel`, {})).status, 200);

  // … and then as a publisher.
  const [stays, leaves, paid, paidAndLeaves] = newUsers(4) as [number, number, number, number];
  const holding = await sandbox.advertise();
  for (const user of [stays, leaves]) await sandbox.subscribe(owner.token, holding, user);
  await sandbox.leave(holding.chatId, leaves);
  await sandbox.pauseAllOrders();
  const direct = await sandbox.advertise({ hold_hours: 0, refund: false });
  for (const user of [paid, paidAndLeaves]) await sandbox.subscribe(owner.token, direct, user);
  await sandbox.leave(direct.chatId, paidAndLeaves);
  await sandbox.advance(DAY + HOUR);
  now = await sandboxTime(sandbox);
  const requested = { accountId: owner.accountId, key: 'one', amountKopecks: 100_00n, method: 'manual' } as const;
  const asked = await payouts.request({ ...requested, destination: 'a card' });
  assert.ok(asked.kind === 'requested');
  const payoutId = asked.payout.id;
  await payouts.reject({ payoutId, reason: 'no such card' });
  await sandbox.advance(DAY); // the contest ends

  const { botId } = owner;
  const none = { orderId: null, botId: null, userId: null, payoutId: null, contestId: null, place: null };
  const about = (orderId: number, userId: number) => ({ ...none, orderId, botId, userId });
  const movement = (kind: string, amountKopecks: bigint, holdKopecks: bigint, reference: object) => ({
    kind,
    amountKopecks,
    holdKopecks,
    ...none,
    ...reference,
  });
  const entries = await wholeHistory(owner.accountId);
  const seen = entries.map(({ id, at, ...entry }) => entry);
  assert.deepEqual(seen, [
    movement('contest_prize', 50_00n, 0n, { contestId: contest.contest.id, place: 1 }),
    movement('payout_returned', 100_00n, 0n, { payoutId }),
    movement('payout_requested', -100_00n, 0n, { payoutId }),
    movement('reward_released', 7_00n, -7_00n, about(holding.orderId, stays)),
    movement('reward_reversed', -7_00n, 0n, about(direct.orderId, paidAndLeaves)),
    movement('reward_paid', 7_00n, 0n, about(direct.orderId, paidAndLeaves)),
    movement('reward_paid', 7_00n, 0n, about(direct.orderId, paid)),
    movement('reward_reversed', 0n, -7_00n, about(holding.orderId, leaves)),
    movement('reward_held', 0n, 7_00n, about(holding.orderId, leaves)),
    movement('reward_held', 0n, 7_00n, about(holding.orderId, stays)),
    movement('order_refunded', 70_00n, 0n, { orderId: ownOrder }),
    movement('order_topped_up', -20_00n, 0n, { orderId: ownOrder }),
    movement('order_funded', -50_00n, 0n, { orderId: ownOrder }),
    movement('deposit', 1_000_00n, 0n, {}),
  ]);
  const times = entries.map(({ at }) => at.getTime());
  assert.deepEqual(
    times,
    [...times].sort((a, b) => b - a),
  );
});

test("each account's history contains exactly the transfers of its own money", async () => {
  const { database, sandbox } = service;
  const order = await sandbox.advertise();
  const [stays, leaves] = newUsers(2) as [number, number];
  const { token } = await sandbox.publisher();
  for (const user of [stays, leaves]) await sandbox.subscribe(token, order, user);
  await sandbox.leave(order.chatId, leaves);
  await sandbox.advance(DAY);
  const accounts = await query<{ id: string }>(database.url, 'SELECT id FROM accounts ORDER BY id');
  assert.ok(accounts.length > 3);
  let listed = 0;
  for (const accountId of accounts.map(({ id }) => Number(id))) {
    const entries = await wholeHistory(accountId, 4);
    const expected = await query<{ id: string }>(
      database.url,
      `SELECT id FROM ledger_transfers
       WHERE (from_kind IN ('available', 'hold') AND from_owner_id = $1) OR (to_kind IN ('available', 'hold') AND to_owner_id = $1)
       ORDER BY id DESC`,
      [accountId],
    );
    assert.deepEqual(
      entries.map(({ id }) => id),
      expected.map(({ id }) => Number(id)),
    );
    const balances = [
      await kopecksIn(database.url, 'available', accountId),
      await kopecksIn(database.url, 'hold', accountId),
    ];
    const sums = [total(entries, (entry) => entry.amountKopecks), total(entries, (entry) => entry.holdKopecks)];
    assert.deepEqual(sums, balances.map(BigInt));
    listed += entries.length;
  }
  assert.ok(listed >= 6, 'a deposit, an order, two rewards, a release and a reversal');
});

test('every transfer appears on exactly one page, even when new transfers arrive between pages', async () => {
  const { accountId } = await service.sandbox.publisher();
  for (const n of range(10)) await credit(accountId, `paging ${n}`, BigInt(n + 1));
  let newcomers = 0;
  const seen = await wholeHistory(accountId, 3, () => credit(accountId, `newcomer ${++newcomers}`));
  assert.equal(newcomers, 3);
  assert.deepEqual(
    seen.map(({ amountKopecks }) => amountKopecks),
    range(10).map((n) => BigInt(10 - n)),
  );
  assert.equal((await wholeHistory(accountId, 3)).length, 13);
});

test('a page that ends with the last transfer is the last page', async () => {
  const { accountId } = await service.sandbox.publisher();
  const { db } = service.database;
  assert.deepEqual(await listHistory(db, { accountId, limit: 2 }), { entries: [], next: null });
  for (const n of range(2)) await credit(accountId, `exact ${n}`);
  const page = await listHistory(db, { accountId, limit: 2 });
  assert.deepEqual([page.entries.length, page.next], [2, null]);
  for (const limit of [0, 101, 1.5]) await assert.rejects(listHistory(db, { accountId, limit }), /1 to 100 entries/);
});

test('a cursor of another account returns no transfers of that account', async () => {
  const [rich, poor] = [await service.sandbox.publisher(), await service.sandbox.publisher()];
  for (const n of range(3)) await credit(rich.accountId, `rich ${n}`);
  const { db } = service.database;
  const { next } = await listHistory(db, { accountId: rich.accountId, limit: 1 });
  assert.ok(next !== null);
  assert.deepEqual(await listHistory(db, { accountId: poor.accountId, limit: 5, before: next }), {
    entries: [],
    next: null,
  });
});
