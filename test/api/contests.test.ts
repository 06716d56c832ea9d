import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deposit, saveBan } from '../../src/modules/accounts/index.ts';
import { registerBot } from '../../src/modules/bots/index.ts';
import { FREEZE_AFTER_SECONDS } from '../../src/modules/contests/index.ts';
import { approveContest, cancelContest, createContest } from '../../src/modules/operators/index.ts';
import { channel, openRichAccount } from '../support/advertiser.ts';
import { MoneyDesk } from '../support/money-desk.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { range } from '../support/users.ts';
import { assertRefused } from './refusals.ts';

let desk: MoneyDesk;
let server: { readonly sandbox: Sandbox; close(): Promise<void> };
before(async () => {
  desk = await MoneyDesk.open();
  server = await desk.serve();
});
after(async () => {
  await server.close();
  await desk.close();
});

const at = (secondsFromNow: number): Date => new Date(desk.clock.now().getTime() + secondsFromNow * 1000);
const timestamp = (time: Date): string => time.toISOString().replace('Z', '+00:00');

async function contest(
  startsIn: number,
  endsIn: number,
  prizesKopecks: readonly bigint[] = [50_000n, 20_000n],
  contests = desk.contests,
) {
  const outcome = await contests.create({
    key: crypto.randomUUID(),
    name: 'Spring race',
    startsAt: at(startsIn),
    endsAt: at(endsIn),
    prizesKopecks,
  });
  assert.ok(outcome.kind === 'created', outcome.kind);
  return outcome.contest;
}

async function person(): Promise<{ accountId: number; token: string }> {
  const opened = await desk.person();
  return { accountId: opened.accountId, token: await desk.token(opened) };
}

async function seen(token: string, contestId: number): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await server.sandbox.call('GET', '/api/v1/contests', undefined, { auth: token });
  assert.equal(status, 200);
  return body.contests.find((item: { contest_id: number }) => item.contest_id === contestId);
}

test('a publisher sees rank, score and remaining time during a contest, and ranks freeze and prizes are paid at its end', async () => {
  const first = await person();
  const second = await person();
  const third = await person();
  const stranger = await person();
  const { id, startsAt, endsAt } = await contest(0, 1_000);
  await desk.settle(first.accountId, 10, 20, 30);
  await desk.settle(second.accountId, 10, 20);
  await desk.settle(third.accountId, 5);
  desk.clock.advance(100.5);

  const common = {
    contest_id: id,
    name: 'Spring race',
    metric: 'settled_revenue',
    starts_at: timestamp(startsAt),
    ends_at: timestamp(endsAt),
    prizes: [500, 200],
    participants: 3,
  };
  const running = { ...common, status: 'running', remaining_seconds: 900, prize: null };
  assert.deepEqual(await seen(first.token, id), { ...running, rank: 1, score: 3, revenue: 21 });
  assert.deepEqual(await seen(third.token, id), { ...running, rank: 3, score: 1, revenue: 7 });
  assert.deepEqual(await seen(stranger.token, id), { ...running, rank: null, score: 0, revenue: 0 });

  desk.clock.advance(1_000 - 100.5);
  assert.equal(await desk.contests.finish(), 0, 'ranks were frozen before late settlements could be committed');
  assert.deepEqual(await seen(first.token, id), { ...running, remaining_seconds: 0, rank: 1, score: 3, revenue: 21 });
  desk.clock.advance(FREEZE_AFTER_SECONDS);
  assert.equal(await desk.contests.finish(), 1);

  const over = { ...common, status: 'finished', remaining_seconds: 0 };
  assert.deepEqual(await seen(first.token, id), { ...over, rank: 1, score: 3, revenue: 21, prize: 500 });
  assert.deepEqual(await seen(second.token, id), { ...over, rank: 2, score: 2, revenue: 14, prize: 200 });
  assert.deepEqual(await seen(third.token, id), { ...over, rank: 3, score: 1, revenue: 7, prize: 0 });
  assert.deepEqual(await seen(stranger.token, id), { ...over, rank: null, score: 0, revenue: 0, prize: 0 });
  assert.equal(await desk.kopecks('available', first.accountId), 50_000);
  assert.equal(await desk.kopecks('available', second.accountId), 20_000);
  assert.equal(await desk.kopecks('available', third.accountId), 0);

  const told = { contest_id: id, name: 'Spring race', completed_at: timestamp(desk.clock.now()) };
  const eventsOf = (accountId: number) => desk.events(accountId, 'contest.completed');
  assert.deepEqual(await eventsOf(first.accountId), [{ ...told, rank: 1, subscriptions: 3, revenue: 21, prize: 500 }]);
  assert.deepEqual(await eventsOf(third.accountId), [{ ...told, rank: 3, subscriptions: 1, revenue: 7, prize: 0 }]);
  assert.deepEqual(await eventsOf(stranger.accountId), []);
  await desk.assertBooks();
});

test('prizes are paid from platform account 0, which may be negative', async () => {
  const winner = await person();
  const before = await desk.database.db.query<{ balance_kopecks: bigint }>(
    "SELECT balance_kopecks FROM ledger_accounts WHERE kind = 'platform' AND owner_id = 0",
  );
  const had = Number(before[0]?.balance_kopecks ?? 0n);
  await contest(0, 10, [123n]);
  await desk.settle(winner.accountId, 1);
  desk.clock.advance(100);
  await desk.contests.finish();
  assert.equal(await desk.kopecks('platform', 0), had - 123);
  await desk.assertBooks();
});

test('later settlements with an earlier time do not change a frozen result', async () => {
  const winner = await person();
  const { id } = await contest(0, 10);
  await desk.settle(winner.accountId, 1);
  desk.clock.advance(100);
  await desk.contests.finish();
  const late = await person();
  await desk.settle(late.accountId, -95, -94);
  assert.equal(await desk.contests.finish(), 0);
  const result = await seen(late.token, id);
  assert.deepEqual([result?.rank, result?.score, result?.participants, result?.prize], [null, 0, 1, 0]);
  const frozen = await desk.contests.find(id);
  assert.ok(frozen);
  const standings = await desk.openContests().standings(frozen, 10);
  assert.deepEqual(
    standings.map(({ accountId }) => accountId),
    [winner.accountId],
  );
  await assert.rejects(desk.database.db.query('UPDATE contest_results SET rank = rank + 1'), /append-only/);
});

test('the period includes its start and excludes its end', async () => {
  const { accountId } = await person();
  const race = await contest(100, 200);
  await desk.settle(accountId, 99.999, 100, 199.999, 200);
  desk.clock.advance(300);
  await desk.contests.finish();
  const frozen = await desk.contests.find(race.id);
  assert.ok(frozen);
  const standings = await desk.contests.standings(frozen, 10);
  assert.deepEqual(
    standings.map(({ rank, accountId: id, score }) => ({ rank, id, score })),
    [{ rank: 1, id: accountId, score: 2 }],
  );
});

test('a score reached earlier ranks higher among equal scores, then the older account', async () => {
  const [one, two, three, four] = [await person(), await person(), await person(), await person()];
  const race = await contest(
    0,
    1_000,
    range(4).map(() => 100n),
  );
  await desk.settle(one.accountId, 1, 50);
  await desk.settle(two.accountId, 30, 40);
  await desk.settle(three.accountId, 2, 40);
  await desk.settle(four.accountId, 60, 70, 80);
  desk.clock.advance(500);
  const ranked = (await desk.contests.standings(race, 10)).map((standing) => standing.accountId);
  assert.deepEqual(ranked, [four.accountId, two.accountId, three.accountId, one.accountId]);
  desk.clock.advance(1_000);
  await desk.contests.finish();
  const frozen = await desk.contests.find(race.id);
  assert.ok(frozen);
  const results = (await desk.contests.standings(frozen, 10)).map((standing) => standing.accountId);
  assert.deepEqual(results, ranked, 'the frozen ranks differ from the last ones shown');
});

test('eight workers that end ten contests at once pay every prize once', async () => {
  const winner = await person();
  const runnerUp = await person();
  for (const n of range(10)) await contest(0, 10 + n, [1_000n, 100n]);
  await desk.settle(winner.accountId, 1, 2);
  await desk.settle(runnerUp.accountId, 1);
  desk.clock.advance(200);
  const workers = range(8).map(() => desk.openContests());
  const finished = await Promise.all(workers.map((worker) => worker.finish()));
  // A worker skips a contest that another worker has locked, so one more run finishes the rest.
  const rest = await desk.contests.finish();
  assert.equal(
    finished.reduce((sum, count) => sum + count, rest),
    10,
  );
  assert.equal(await desk.kopecks('available', winner.accountId), 10_000);
  assert.equal(await desk.kopecks('available', runnerUp.accountId), 1_000);
  assert.equal((await desk.events(winner.accountId, 'contest.completed')).length, 10);
  await desk.assertBooks();
});

test('a contest without participants ends without prizes', async () => {
  const { token } = await person();
  const { id } = await contest(0, 10);
  desk.clock.advance(100);
  assert.equal(await desk.contests.finish(), 1);
  assert.equal((await seen(token, id))?.participants, 0);
  await desk.assertBooks();
});

test('a scheduled contest has no ranks; a cancelled one pays nothing and stays cancelled', async () => {
  const { accountId, token } = await person();
  const { id } = await contest(1_000, 2_000);
  const scheduled = await seen(token, id);
  assert.deepEqual([scheduled?.status, scheduled?.rank, scheduled?.remaining_seconds], ['scheduled', null, 2_000]);
  await desk.settle(accountId, 1_500);
  desk.clock.advance(1_600);
  assert.equal((await seen(token, id))?.rank, 1);
  assert.deepEqual(await desk.contests.cancel(id), { kind: 'cancelled' });
  assert.deepEqual(await desk.contests.cancel(id), { kind: 'not_allowed', status: 'cancelled' });
  assert.deepEqual(await desk.contests.cancel(999_999), { kind: 'not_found' });
  desk.clock.advance(2_000);
  await desk.contests.finish();
  const cancelled = await seen(token, id);
  assert.deepEqual([cancelled?.status, cancelled?.rank, cancelled?.remaining_seconds], ['cancelled', null, 0]);
  assert.equal(await desk.kopecks('available', accountId), 0);
});

test('a finished contest cannot be cancelled, and a simultaneous finish and cancellation have one winner', async () => {
  for (const _ of range(10)) {
    const { accountId } = await person();
    const { id } = await contest(0, 10, [1_000n]);
    await desk.settle(accountId, 1);
    desk.clock.advance(100);
    const [, cancelled] = await Promise.all([desk.contests.finish(), desk.contests.cancel(id)]);
    await desk.contests.finish();
    const isCancelled = cancelled.kind === 'cancelled';
    assert.equal(await desk.kopecks('available', accountId), isCancelled ? 0 : 1_000);
    assert.equal((await desk.contests.find(id))?.finishedAt === null, isCancelled);
  }
});

test('an invalid contest is refused, and a repeated request creates one contest', async () => {
  const good = { key: 'k', name: 'A', startsAt: at(0), endsAt: at(10), prizesKopecks: [1n] };
  const bad: readonly object[] = [
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { endsAt: at(0) },
    { startsAt: at(-20), endsAt: at(-10) },
    { prizesKopecks: [] },
    { prizesKopecks: [5n, 0n] },
    { prizesKopecks: range(101).map(() => 1n) },
    { startsAt: new Date(Number.NaN) },
  ];
  for (const change of bad) {
    const outcome = await desk.contests.create({ ...good, ...change });
    assert.equal(outcome.kind, 'invalid', Object.keys(change).join());
  }
  const created = await Promise.all(range(5).map(() => desk.contests.create(good)));
  const ids = created.map((outcome) => (outcome.kind === 'created' ? outcome.contest.id : outcome.kind));
  assert.equal(new Set(ids).size, 1, String(ids));
  assert.equal(typeof ids[0], 'number');
});

test('a request without a token or without beta access returns 401', async () => {
  const plain = await desk.token(await desk.person(), []);
  const url = `${server.sandbox.url}/api/v1/contests`;
  await assertRefused(await fetch(url, { headers: { auth: plain } }), 401, 'a token without beta access');
  await assertRefused(await fetch(url), 401, 'no token');
});

test('ranks depend on revenue and not on the number of subscriptions', async () => {
  const [many, dear] = [await person(), await person()];
  const race = await contest(0, 100);
  await desk.settleFor(await desk.order({ priceKopecks: 100n }), many.accountId, 1, 2, 3, 4, 5);
  await desk.settleFor(await desk.order({ priceKopecks: 10_000n }), dear.accountId, 6);
  const standings = await desk.contests.standings(race, 10);
  assert.deepEqual(
    standings.map(({ accountId, score, revenueKopecks }) => [accountId, score, revenueKopecks]),
    [
      [dear.accountId, 1, 7_000n],
      [many.accountId, 5, 350n],
    ],
  );
  await desk.contests.cancel(race.id);
});

test('cheap orders, external providers, own orders, connected accounts and banned accounts do not count', async () => {
  const { accountId } = await person();
  const race = await contest(0, 100);
  const { db } = desk.database;
  const revenue = async (): Promise<bigint> =>
    (await desk.openContests().standings(race, 10)).find((one) => one.accountId === accountId)?.revenueKopecks ?? 0n;

  await desk.settleFor(await desk.order({ priceKopecks: 99n }), accountId, 1);
  assert.equal(await revenue(), 0n, 'under the minimum price');
  await desk.settleFor(await desk.order({ priceKopecks: 100n }), accountId, 1);
  assert.equal(await revenue(), 70n, 'the minimum price itself counts');

  await desk.settleFor(
    await desk.order({ resource: { type: 'bot', externalUsername: 'a_partner_bot' } }),
    accountId,
    2,
  );
  assert.equal(await revenue(), 70n, 'confirmed by the advertiser only');

  const other = await person();
  const withToken = { type: 'bot', chatId: 515_151, botToken: `515151:${'x'.repeat(30)}` } as const;
  await desk.settleFor(await desk.order({ resource: withToken }), other.accountId, 2);
  const standings = await desk.openContests().standings(race, 10);
  assert.equal(standings.find((one) => one.accountId === other.accountId)?.revenueKopecks, 700n, 'a bot that we check');

  await db.transaction((tx) => deposit(tx, { accountId, amountKopecks: 30_000n, key: 'own orders', at: at(0) }));
  const shared = channel(-424_242);
  await desk.settleFor(await desk.order({ accountId, resource: shared }), accountId, 3);
  assert.equal(await revenue(), 70n, 'an order of the account itself');
  await desk.settleFor(await desk.order({ resource: shared }), accountId, 4);
  assert.equal(await revenue(), 70n, 'an account that advertised the same channel');

  const friend = await openRichAccount(db);
  const theirs = await desk.order({ accountId: friend });
  await desk.settleFor(theirs, accountId, 5);
  assert.equal(await revenue(), 770n, 'an account that nothing connects');
  for (const [id, destination] of [
    [accountId, 'Card 2200 77'],
    [friend, 'card 2200 77'],
  ] as const) {
    const request = { accountId: id, key: 'same card', amountKopecks: 10_000n, method: 'manual', destination } as const;
    assert.equal((await desk.payouts.request(request)).kind, 'requested');
  }
  assert.equal(await revenue(), 70n, 'an account that withdraws to the same card');

  const bot = await db.transaction((tx) => registerBot(tx, { accountId, username: 'A_Gate_Bot', at: at(0) }));
  assert.ok(bot);
  await desk.settleFor(await desk.order({ link: 'https://t.me/a_gate_bot?start=1' }), accountId, 6);
  assert.equal(await revenue(), 70n, 'an account that advertises a bot of this one');

  await db.transaction((tx) => saveBan(tx, { accountId, reason: 'fraud', at: at(0) }));
  assert.equal(await revenue(), 0n);
  desk.clock.advance(1_000);
  const before = await desk.kopecks('available', accountId);
  await desk.contests.finish();
  assert.equal(await desk.kopecks('available', accountId), before, 'banned before the end: no prize');
  assert.equal((await desk.events(accountId, 'contest.completed')).length, 0);
  await desk.assertBooks();
});

test('prizes wait until an operator approves the final standings, and are paid once', async () => {
  const { accountId, token } = await person();
  const contests = desk.openContests(true);
  const { id } = await contest(0, 100, [1_000n], contests);
  await desk.settle(accountId, 1);
  assert.deepEqual(await contests.approve(id), { kind: 'too_early' });
  desk.clock.advance(100);
  assert.deepEqual(await contests.approve(id), { kind: 'too_early' }, 'the last settlements may not be committed yet');
  desk.clock.advance(FREEZE_AFTER_SECONDS);
  assert.equal(await contests.finish(), 0);
  assert.equal(await contests.countWaiting(), 1);
  const waiting = await seen(token, id);
  assert.deepEqual([waiting?.status, waiting?.remaining_seconds, waiting?.prize], ['running', 0, null]);
  assert.equal(await desk.kopecks('available', accountId), 0);

  const outcomes = await Promise.all(range(4).map(() => contests.approve(id)));
  assert.equal(outcomes.filter(({ kind }) => kind === 'approved').length, 1);
  assert.equal(await contests.countWaiting(), 0);
  assert.equal(await contests.finish(), 1);
  assert.equal(await desk.kopecks('available', accountId), 1_000);
  assert.deepEqual(await contests.approve(id), { kind: 'not_allowed', status: 'finished' });
  assert.deepEqual(await contests.approve(999_999), { kind: 'not_found' });
});

test('every decision about a contest is in the audit log once', async () => {
  const key = crypto.randomUUID();
  const requested = { key, name: ' Spring ', startsAt: at(0), endsAt: at(100), prizesKopecks: [1n] };
  const supervised = desk.openContests(true);
  const operator = { operatorId: 7 };
  const deps = { ...supervised.deps, contests: supervised.deps };
  const logged = async (contestId: number): Promise<string[]> => {
    const sql = 'SELECT action FROM operator_actions WHERE subject = $1 ORDER BY id';
    const rows = await desk.database.db.query<{ action: string }>(sql, [`contest:${contestId}`]);
    return rows.map(({ action }) => action);
  };
  const approve = (contestId: number) => approveContest(deps, { ...operator, contestId });
  const cancel = (contestId: number) => cancelContest(deps, { ...operator, contestId });
  await createContest(deps, operator, requested);
  const created = await createContest(deps, operator, requested);
  assert.ok(created.kind === 'created' && created.isRepeat);
  assert.deepEqual(await logged(created.contest.id), ['contest.created']);
  const { id, name } = created.contest;
  const other = await contest(0, 100, [1n], supervised);
  assert.equal(name, 'Spring');

  const waitingBefore = await supervised.countWaiting();
  assert.deepEqual(await approve(id), { kind: 'too_early' });
  desk.clock.advance(100);
  assert.equal(await supervised.countWaiting(), waitingBefore + 2);
  desk.clock.advance(FREEZE_AFTER_SECONDS - 1);
  assert.deepEqual(await approve(id), { kind: 'too_early' });
  desk.clock.advance(1);
  assert.deepEqual(await approve(id), { kind: 'approved' });
  assert.deepEqual(await approve(id), { kind: 'not_allowed', status: 'finishing' });
  assert.equal(await supervised.countWaiting(), waitingBefore + 1, 'the other one still waits');
  await supervised.cancel(other.id);
  assert.equal(await supervised.countWaiting(), waitingBefore);
  assert.deepEqual(await approve(999_999), { kind: 'not_found' });

  const stopped = new AbortController();
  stopped.abort();
  assert.equal(await supervised.finish(stopped.signal), 0, 'a worker that is told to stop begins nothing');
  assert.deepEqual(await cancel(id), { kind: 'cancelled' });
  assert.deepEqual(await cancel(id), { kind: 'not_allowed', status: 'cancelled' });
  assert.deepEqual(await logged(id), ['contest.created', 'contest.approved', 'contest.cancelled']);
  assert.deepEqual(await logged(999_999), []);
});

test('contests are listed by their end, latest first', async () => {
  const [late, early] = [await contest(0, 5_000_000), await contest(0, 4_000_000)];
  const twin = await contest(0, 4_000_000);
  const listed = (await desk.contests.list(100)).map(({ id }) => id);
  assert.deepEqual(
    listed.filter((id) => [late.id, early.id, twin.id].includes(id)),
    [late.id, twin.id, early.id],
  );
  assert.equal((await desk.contests.list(1)).length, 1);
  const many: number[] = [];
  for (const _ of range(51)) many.push((await contest(0, 6_000_000)).id);
  const report = await desk.contests.report((await person()).accountId);
  assert.equal(report.length, 50, 'a publisher sees the latest fifty');
  for (const id of many) await desk.contests.cancel(id);
  for (const { id } of [late, early, twin]) await desk.contests.cancel(id);
});
