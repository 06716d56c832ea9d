import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { untouched } from './progress.fixture.ts';
import { rankingScore } from './ranking.ts';

fc.configureGlobal({ seed: 1 });

const CHANNEL = { id: 1, type: 'channel', chatId: -1, botTokenEncrypted: null } as const;
const EXTERNAL = { ...CHANNEL, type: 'bot' } as const;

const score = (rewardKopecks: bigint, shownTotal: number, confirmedTotal: number): number =>
  rankingScore({ rewardKopecks, resource: CHANNEL }, { ...untouched, shownTotal, confirmedTotal });

const reward = fc.bigInt({ min: 1n, max: 10_000_000n });
const history = fc.nat({ max: 100_000 }).chain((shown) => fc.tuple(fc.constant(shown), fc.nat({ max: shown })));

test('the same inputs give the same score, and it is always a number to sort by', () => {
  fc.assert(
    fc.property(reward, history, (kopecks, [shown, confirmed]) => {
      const value = score(kopecks, shown, confirmed);
      assert.ok(Number.isFinite(value) && value > 0);
      assert.equal(score(kopecks, shown, confirmed), value);
    }),
  );
});

test('with the same history more reward ranks higher', () => {
  fc.assert(
    fc.property(reward, reward, history, (a, b, [shown, confirmed]) => {
      assert.equal(Math.sign(score(a, shown, confirmed) - score(b, shown, confirmed)), a === b ? 0 : a > b ? 1 : -1);
    }),
  );
});

test('with the same reward and as many showings more subscriptions rank higher', () => {
  fc.assert(
    fc.property(reward, history, fc.nat(), (kopecks, [shown, confirmed], fewer) => {
      if (confirmed === 0) return;
      assert.ok(score(kopecks, shown, confirmed) > score(kopecks, shown, fewer % confirmed));
    }),
  );
});

test('a showing in vain lowers the rank, a showing that worked does not', () => {
  fc.assert(
    fc.property(reward, history, (kopecks, [shown, confirmed]) => {
      const before = score(kopecks, shown, confirmed);
      assert.ok(score(kopecks, shown + 1, confirmed) < before);
      assert.ok(score(kopecks, shown + 1, confirmed + 1) >= before);
    }),
  );
});

test('a new order is tried before one of equal reward that has shown to convert badly, and after one that converts well', () => {
  assert.ok(score(700n, 0, 0) > score(700n, 1000, 100));
  assert.ok(score(700n, 0, 0) < score(700n, 1000, 900));
});

test('one lucky or unlucky showing does not decide: history outweighs it', () => {
  assert.ok(score(700n, 1, 1) < score(700n, 1000, 900));
  assert.ok(score(700n, 1, 0) > score(700n, 1000, 100));
});

test('with a long history the score is what a showing earned', () => {
  const earned = 700 * 0.3;
  assert.ok(Math.abs(score(700n, 1_000_000, 300_000) - earned) < 0.1);
});

test('the less the side of the advertiser approves, the lower an external order ranks; others do not depend on it', () => {
  const scoreOf = (resource: typeof CHANNEL | typeof EXTERNAL, approvedTotal: number, declinedTotal: number): number =>
    rankingScore({ rewardKopecks: 100n, resource }, { ...untouched, approvedTotal, declinedTotal });
  assert.equal(scoreOf(EXTERNAL, 0, 0), 40);
  assert.ok(scoreOf(EXTERNAL, 100, 0) > scoreOf(EXTERNAL, 0, 0));
  assert.ok(scoreOf(EXTERNAL, 0, 0) > scoreOf(EXTERNAL, 50, 50));
  assert.ok(scoreOf(EXTERNAL, 50, 50) > scoreOf(EXTERNAL, 0, 100));
  assert.equal(scoreOf(CHANNEL, 0, 100), scoreOf(CHANNEL, 0, 0));
});
