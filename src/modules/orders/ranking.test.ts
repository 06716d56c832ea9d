import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rankingScore } from './order.ts';
import { untouched } from './progress.fixture.ts';

fc.configureGlobal({ seed: 1 });

const CHANNEL = { id: 1, type: 'channel', chatId: -1, botTokenEncrypted: null } as const;
const EXTERNAL = { ...CHANNEL, type: 'bot' } as const;

const score = (rewardKopecks: bigint, shownTotal: number, confirmedTotal: number): number =>
  rankingScore({ rewardKopecks, resource: CHANNEL }, { ...untouched, shownTotal, confirmedTotal });

const reward = fc.bigInt({ min: 1n, max: 10_000_000n });
const history = fc.nat({ max: 100_000 }).chain((shown) => fc.tuple(fc.constant(shown), fc.nat({ max: shown })));

test('the score is deterministic and finite', () => {
  fc.assert(
    fc.property(reward, history, (kopecks, [shown, confirmed]) => {
      const value = score(kopecks, shown, confirmed);
      assert.ok(Number.isFinite(value) && value > 0);
      assert.equal(score(kopecks, shown, confirmed), value);
    }),
  );
});

test('with equal history a higher reward ranks higher', () => {
  fc.assert(
    fc.property(reward, reward, history, (a, b, [shown, confirmed]) => {
      assert.equal(Math.sign(score(a, shown, confirmed) - score(b, shown, confirmed)), a === b ? 0 : a > b ? 1 : -1);
    }),
  );
});

test('with equal reward and showings more subscriptions rank higher', () => {
  fc.assert(
    fc.property(reward, history, fc.nat(), (kopecks, [shown, confirmed], fewer) => {
      if (confirmed === 0) return;
      assert.ok(score(kopecks, shown, confirmed) > score(kopecks, shown, fewer % confirmed));
    }),
  );
});

test('an unsuccessful showing lowers the rank, a successful one does not', () => {
  fc.assert(
    fc.property(reward, history, (kopecks, [shown, confirmed]) => {
      const before = score(kopecks, shown, confirmed);
      assert.ok(score(kopecks, shown + 1, confirmed) < before);
      assert.ok(score(kopecks, shown + 1, confirmed + 1) >= before);
    }),
  );
});

test('a new order ranks above a badly converting one of equal reward and below a well converting one', () => {
  assert.ok(score(700n, 0, 0) > score(700n, 1000, 100));
  assert.ok(score(700n, 0, 0) < score(700n, 1000, 900));
});

test('a long history outweighs a single showing', () => {
  assert.ok(score(700n, 1, 1) < score(700n, 1000, 900));
  assert.ok(score(700n, 1, 0) > score(700n, 1000, 100));
});

test('with a long history the score equals the earnings per showing', () => {
  const earned = 700 * 0.3;
  assert.ok(Math.abs(score(700n, 1_000_000, 300_000) - earned) < 0.1);
});

test('a lower approval rate lowers the rank of external orders only', () => {
  const scoreOf = (resource: typeof CHANNEL | typeof EXTERNAL, approvedTotal: number, declinedTotal: number): number =>
    rankingScore({ rewardKopecks: 100n, resource }, { ...untouched, approvedTotal, declinedTotal });
  assert.equal(scoreOf(EXTERNAL, 0, 0), 40);
  assert.ok(scoreOf(EXTERNAL, 100, 0) > scoreOf(EXTERNAL, 0, 0));
  assert.ok(scoreOf(EXTERNAL, 0, 0) > scoreOf(EXTERNAL, 50, 50));
  assert.ok(scoreOf(EXTERNAL, 50, 50) > scoreOf(EXTERNAL, 0, 100));
  assert.equal(scoreOf(CHANNEL, 0, 100), scoreOf(CHANNEL, 0, 0));
});
