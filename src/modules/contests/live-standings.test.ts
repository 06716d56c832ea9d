import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Queryable } from '../../core/database.ts';
import type { Contest } from './contest.ts';
import { createLiveStandings } from './report-contests.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const period = { startsAt: NOON, endsAt: new Date(NOON.getTime() + 86_400_000), prizesKopecks: [1n] };
const contestOf = (id: number): Contest => {
  const contest = { id, name: 'c', ...period, approvedAt: null, finishedAt: null, cancelledAt: null };
  return contest;
};

/** Creates standings on a database stub that counts its queries; each query takes `costMs`. */
function standings(t: TestContext, { costMs = 0 } = {}) {
  let now = NOON.getTime();
  let machineMs = 500;
  let counts = 0;
  let failure: Error | undefined;
  t.mock.method(performance, 'now', () => machineMs);
  const query = async () => {
    counts += 1;
    machineMs += costMs;
    if (failure !== undefined) throw failure;
    return [{ accountId: 7, score: counts, revenueKopecks: 100n, reachedAt: NOON }];
  };
  const deps = { db: { query } as unknown as Queryable, clock: { now: () => new Date(now) }, minimumPriceKopecks: 0n };
  const live = createLiveStandings(deps);
  return {
    /** Returns the score of account 7 in this contest. */
    score: async (id = 1) => (await live.of(contestOf(id))).standingOf(7)?.score,
    live,
    pass(ms: number) {
      now += ms;
    },
    fail(error: Error | undefined) {
      failure = error;
    },
  };
}

test('callers within five seconds share one query', async (t) => {
  const { live, score, pass } = standings(t);
  assert.deepEqual(await Promise.all([score(), score()]), [1, 1]);
  pass(4_999);
  assert.equal(await score(), 1);
  pass(1);
  assert.equal(await score(), 2);
  const board = await live.of(contestOf(1));
  assert.equal(board.standingOf(8), undefined);
  assert.deepEqual(
    board.standings.map(({ rank, accountId }) => [rank, accountId]),
    [[1, 7]],
  );
});

test('each contest has its own cache entry', async (t) => {
  const { score, pass } = standings(t);
  assert.equal(await score(1), 1);
  pass(3_000);
  assert.equal(await score(2), 2);
  pass(3_000);
  assert.equal(await score(2), 2, 'still fresh');
  assert.equal(await score(1), 3);
});

test('standings are cached for twenty times as long as the query took', async (t) => {
  const { score, pass } = standings(t, { costMs: 1_000 });
  assert.equal(await score(), 1);
  pass(19_999);
  assert.equal(await score(), 1);
  pass(1);
  assert.equal(await score(), 2);
});

test('an entry from the future is stale, since a sandbox can set its clock back', async (t) => {
  const { score, pass } = standings(t);
  assert.equal(await score(), 1);
  pass(-1);
  assert.equal(await score(), 2);
});

test('a failed query is not cached', async (t) => {
  const { score, fail } = standings(t);
  fail(new Error('away'));
  await assert.rejects(score(), /away/);
  fail(undefined);
  assert.equal(await score(), 2);
});
