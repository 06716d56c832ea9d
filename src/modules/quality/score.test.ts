import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SourceFigures } from './figures.ts';
import { leastEvents, shareInterval, wilson } from './interval.ts';
import { ASSUMED_MARKET, marketOf } from './market.ts';
import { capOf, levelOf, limitsOf, type QualitySettings } from './quality.ts';
import { REASON_CODES, scoreSource } from './score.ts';

const SETTINGS: QualitySettings = {
  isOn: true,
  watchedBelow: 60,
  lowBelow: 40,
  minSubscriptions: 30,
  newHoldSeconds: 0,
  watchedHoldSeconds: 72 * 3600,
  lowHoldSeconds: 168 * 3600,
  lowOrderSharePercent: 10,
  samplePercent: 20,
};

/** A usual source of 1,000 subscriptions of 400 users. */
const HONEST: SourceFigures = {
  volume: 1_000,
  subscriptions: 1_000,
  users: 400,
  countedOrSuspiciousUsers: 410,
  suspiciousUsers: 12,
  occasionalUsers: 220,
  of3: 900,
  left3: 90,
  knownUsers: 380,
  onceUsers: 280,
  earlyOf: 850,
  earlyLeft: 50,
  earlyDays: 1_600,
  earlyEnded: 50,
  of1: 960,
  stayed1: 880,
  of7: 700,
  stayed7: 580,
  of30: 300,
  stayed30: 190,
  shown: 2_600,
  confirmed: 1_000,
  refused: 60,
  hourConcentration: 0.45,
  activeHours: 500,
  burst: 0,
  overlapping: 0,
  ownerBots: 1,
  circleUsers: 30,
  deviceUsers: 100,
  deviceSharers: 4,
  rewardKopecks: 700_000,
  connectedKopecks: 0,
  largestKopecks: 90_000,
  largestShareOfAdvertiser: 10,
};

const MARKET = marketOf(new Array(20).fill(HONEST), 50);
const score = (changes: Partial<SourceFigures>, market = MARKET) => scoreSource({ ...HONEST, ...changes }, market);
const codes = (changes: Partial<SourceFigures>): string[] => score(changes).reasons.map(({ code }) => code);

describe('an honest source', () => {
  test('has 100 points and no reason', () => {
    assert.deepEqual(score({}), { score: 100, reasons: [] });
  });

  test('stays good when its users leave more, as in bots that reward subscriptions', () => {
    const { score: points } = score({ earlyLeft: 150, stayed1: 700, stayed7: 250, stayed30: 60, confirmed: 2_400 });
    assert.ok(points >= 60, `${points} points`);
  });

  test('stays good when it is small and unlucky', () => {
    const small = {
      ...{
        subscriptions: 30,
        users: 12,
        countedOrSuspiciousUsers: 12,
        suspiciousUsers: 2,
        knownUsers: 12,
        onceUsers: 5,
      },
      ...{ earlyOf: 20, earlyLeft: 7, of1: 25, stayed1: 25, of7: 10, stayed7: 5, of30: 0, stayed30: 0 },
      ...{ earlyDays: 30, earlyEnded: 7, circleUsers: 3, deviceUsers: 4, deviceSharers: 2 },
    };
    assert.ok(score(small).score >= 60);
  });

  test('is watched but never low with every weak reason at once', () => {
    const { score: points } = score({
      ...{ stayed1: 960, stayed7: 70, stayed30: 15, confirmed: 2_600, hourConcentration: 0, burst: 1_000 },
      ...{ overlapping: 400, ownerBots: 5, refused: 3_000 },
    });
    assert.equal(points, 55);
  });

  test('is not judged by one advertiser in a small market', () => {
    const mutual = { largestKopecks: 700_000, largestShareOfAdvertiser: 100 };
    assert.equal(score(mutual, { ...MARKET, advertisers: 9 }).score, 100);
    assert.equal(score(mutual, { ...MARKET, sources: 9 }).score, 100);
  });

  test('stays good when the same users come back, if new ones come too', () => {
    assert.deepEqual(codes({ subscriptions: 6_000, onceUsers: 200 }), ['few_users']);
    assert.ok(score({ subscriptions: 6_000, onceUsers: 200 }).score >= 80);
  });
});

describe('a dishonest source', () => {
  test('is low when hardly a user leaves and hardly one comes only once, in a market that is large enough', () => {
    const farm = { of3: 250, left3: 4, subscriptions: 300, users: 60, occasionalUsers: 4 };
    const isTooSteady = (changes: Partial<SourceFigures>, market = MARKET): boolean =>
      score({ ...farm, ...changes }, market).reasons.some(({ code }) => code === 'too_steady');
    assert.ok(score(farm).score < SETTINGS.lowBelow);
    assert.ok(isTooSteady({}));
    assert.ok(!isTooSteady({ occasionalUsers: 30 }), 'loyal users alone are no reason');
    assert.ok(!isTooSteady({ left3: 22 }), 'eager users alone are no reason');
    assert.ok(!isTooSteady({ of3: 19, left3: 0 }), 'too few subscriptions');
    assert.ok(!isTooSteady({ users: 14, occasionalUsers: 0 }), 'too few users');
    const small = { subscriptions: 100, of3: 60, left3: 0, users: 24, occasionalUsers: 0 };
    assert.ok(
      isTooSteady(small) && score({ ...farm, ...small, circleUsers: 2 }).score >= SETTINGS.lowBelow,
      'a small one is watched',
    );
    const everyDay = { occasionalUsers: 30, knownUsers: 50, onceUsers: 8 };
    assert.ok(isTooSteady(everyDay), 'users with few subscriptions each who come day after day');
    assert.ok(!isTooSteady({ ...everyDay, left3: 22 }), 'such users who leave are people');
    assert.ok(!isTooSteady({}, { ...MARKET, sources: 9 }), 'too few sources to compare with');
  });

  test('is low when most of its users are suspicious', () => {
    assert.ok(score({ suspiciousUsers: 320 }).score < SETTINGS.lowBelow);
    assert.deepEqual(codes({ suspiciousUsers: 320 }), ['suspicious_users']);
  });

  test('is low when its users leave right after the window', () => {
    const { score: points, reasons } = score({ earlyLeft: 760, stayed7: 80, stayed30: 20 });
    assert.ok(points < SETTINGS.lowBelow, `${points} points`);
    assert.equal(reasons[0]?.code, 'early_leaves');
    assert.deepEqual(reasons[0]?.figures, { left: 760, of: 850, market: 6 });
  });

  test('is low on the second day of its users, when many of them have left and the others have had no time to', () => {
    // 40 subscriptions were six hours in their second day, and nine of them ended then.
    const young = {
      subscriptions: 60,
      users: 40,
      earlyOf: 40,
      earlyLeft: 9,
      earlyDays: 10,
      earlyEnded: 9,
      refused: 4,
      circleUsers: 3,
    };
    assert.ok(score(young).score < SETTINGS.watchedBelow);
    assert.deepEqual(codes({ ...young, earlyDays: 80 }), [], 'the same in two full days is usual');
    assert.deepEqual(codes({ ...young, earlyLeft: 3, earlyDays: 2, earlyEnded: 3 }), [], 'three are too few');
  });

  test('is low when the users of known devices share them', () => {
    const farm = { countedOrSuspiciousUsers: 60, deviceUsers: 20, deviceSharers: 18 };
    assert.ok(score(farm).score < SETTINGS.lowBelow);
    assert.deepEqual(codes(farm), ['shared_devices']);
    assert.deepEqual(codes({ ...farm, deviceUsers: 7, deviceSharers: 7 }), [], 'one family');
    assert.deepEqual(codes({ ...farm, deviceUsers: 40, deviceSharers: 8 }), [], 'couples and second accounts');
    assert.deepEqual(codes({ ...farm, countedOrSuspiciousUsers: 400 }), [], 'a few accounts of a rival in a large bot');
  });

  test('is watched, not low, when its users do the tasks of other owners every day', () => {
    const circle = { subscriptions: 100, users: 30, circleUsers: 24, knownUsers: 25, onceUsers: 6 };
    const { score: points, reasons } = score(circle);
    assert.equal(points, 55);
    assert.equal(reasons[0]?.code, 'closed_circle');
    assert.ok(!codes({ ...circle, onceUsers: 19 }).includes('closed_circle'), 'bots that advertise each other');
  });

  test('is low when its owner buys from himself', () => {
    assert.ok(score({ connectedKopecks: 600_000 }).score < SETTINGS.lowBelow);
  });

  test('is low when it lives from one advertiser who lives from it', () => {
    assert.ok(score({ largestKopecks: 660_000, largestShareOfAdvertiser: 95 }).score < SETTINGS.lowBelow);
  });

  test('is low when a fixed group of accounts makes all subscriptions', () => {
    const ring = {
      subscriptions: 1_000,
      users: 60,
      countedOrSuspiciousUsers: 60,
      suspiciousUsers: 0,
      knownUsers: 60,
      onceUsers: 6,
    };
    assert.deepEqual(codes(ring)[0], 'same_users');
    assert.ok(score(ring).score < SETTINGS.lowBelow);
  });

  test('is found with 30 subscriptions of suspicious users', () => {
    const farm = { subscriptions: 30, users: 8, countedOrSuspiciousUsers: 8, suspiciousUsers: 8 };
    assert.ok(score(farm).score < SETTINGS.lowBelow);
  });

  test('is found in a market full of suspicious users', () => {
    const farm = { ...HONEST, suspiciousUsers: 390 };
    const market = marketOf(new Array(9).fill(farm), 50);
    assert.ok(scoreSource(farm, market).score < SETTINGS.watchedBelow);
  });
});

describe('the score', () => {
  const count = fc.integer({ min: 0, max: 5_000 });
  /** Figures whose parts are never above their whole. */
  const figures = fc
    .record({
      n: fc.array(count, { minLength: 28, maxLength: 28 }),
      concentration: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ n, concentration }): SourceFigures => {
      const at = (i: number): number => n[i] ?? 0;
      const part = (i: number, of: number): number => Math.min(at(i), of);
      return {
        volume: Math.max(at(0), at(1)),
        subscriptions: Math.max(at(0), at(1)),
        users: part(1, at(0)),
        countedOrSuspiciousUsers: part(1, at(0)) + (at(2) % 7),
        suspiciousUsers: part(2, part(1, at(0))),
        occasionalUsers: part(20, part(1, at(0))),
        of3: at(21),
        left3: part(22, at(21)),
        knownUsers: part(1, at(0)),
        onceUsers: part(3, part(1, at(0))),
        earlyOf: at(3),
        earlyLeft: part(4, at(3)),
        earlyDays: at(23) / 7,
        earlyEnded: at(24),
        of1: at(5),
        stayed1: part(6, at(5)),
        of7: at(7),
        stayed7: part(8, at(7)),
        of30: at(9),
        stayed30: part(10, at(9)),
        shown: at(11),
        confirmed: at(12),
        refused: at(13),
        hourConcentration: concentration,
        activeHours: at(14),
        burst: part(15, Math.max(at(0), at(1))),
        overlapping: part(16, part(1, at(0))),
        ownerBots: 1 + (at(16) % 4),
        circleUsers: part(25, part(1, at(0))),
        deviceUsers: at(26),
        deviceSharers: part(27, at(26)),
        rewardKopecks: at(17),
        connectedKopecks: part(18, at(17)),
        largestKopecks: part(19, at(17)),
        largestShareOfAdvertiser: at(19) % 101,
      };
    });

  test('is a whole number from 0 to 100, explained by its reasons, for any figures and any market', () => {
    fc.assert(
      fc.property(figures, fc.array(figures, { maxLength: 8 }), (source, others) => {
        const { score: points, reasons } = scoreSource(source, marketOf(others, others.length * 3));
        assert.ok(Number.isInteger(points) && points >= 0 && points <= 100);
        assert.equal(points === 100, reasons.length === 0);
        assert.ok(reasons.reduce((sum, reason) => sum + reason.points, 0) >= 100 - points);
        for (const { code, figures: shown } of reasons) {
          assert.ok(REASON_CODES.includes(code));
          for (const value of Object.values(shown))
            assert.ok(Number.isInteger(value), `${code}: ${JSON.stringify(shown)}`);
        }
        const sorted = [...reasons].sort((a, b) => b.points - a.points);
        assert.deepEqual(reasons, sorted);
      }),
    );
  });

  test('never rises with one more suspicious user, early leave or kopeck from a connected account', () => {
    fc.assert(
      fc.property(figures, (source) => {
        const { score: before } = scoreSource(source, ASSUMED_MARKET);
        const worse = [
          { ...source, suspiciousUsers: Math.min(source.countedOrSuspiciousUsers, source.suspiciousUsers + 1) },
          { ...source, earlyLeft: Math.min(source.earlyOf, source.earlyLeft + 1) },
          { ...source, earlyEnded: source.earlyEnded + 1 },
          { ...source, deviceSharers: Math.min(source.deviceUsers, source.deviceSharers + 1) },
          { ...source, connectedKopecks: Math.min(source.rewardKopecks, source.connectedKopecks + 1) },
        ];
        for (const one of worse) assert.ok(scoreSource(one, ASSUMED_MARKET).score <= before);
      }),
    );
  });

  test('weak reasons alone never make a source low', () => {
    fc.assert(
      fc.property(figures, fc.array(figures, { maxLength: 8 }), (source, others) => {
        const usual = {
          ...{ ...source, suspiciousUsers: 0, earlyLeft: 0, earlyEnded: 0 },
          ...{ deviceSharers: 0, connectedKopecks: 0, largestKopecks: 0 },
        };
        const points = scoreSource({ ...usual, onceUsers: usual.knownUsers }, marketOf(others, 99)).score;
        assert.ok(points >= 55, `${points} points`);
      }),
    );
  });
});

describe('intervals', () => {
  test('contain the share, stay within 0 and 1, and shrink with more trials', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
        const { low, high } = wilson(share * trials, trials);
        assert.ok(low >= 0 && high <= 1 && low <= share + 1e-9 && high >= share - 1e-9);
        const more = wilson(share * trials * 4, trials * 4);
        assert.ok(more.high - more.low < high - low);
      }),
    );
  });

  test('without trials anything is possible', () => {
    assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
    assert.deepEqual(shareInterval(0, 0, 10), { low: 0, high: 1 });
  });

  test('events prove at least fewer of them, and nothing when there are none', () => {
    assert.equal(leastEvents(0), 0);
    for (const seen of [1, 4, 10, 100, 10_000]) assert.ok(leastEvents(seen) > 0 && leastEvents(seen) < seen);
    assert.ok(Math.abs(leastEvents(10) - 4.8) < 0.1, 'as in the tables of the Poisson distribution');
  });

  test('many subscriptions of few users prove less than as many users would', () => {
    assert.deepEqual(shareInterval(500, 1_000, 10), wilson(50, 100));
  });
});

describe('levels', () => {
  test('follow from the score', () => {
    const levels = [null, 0, 39, 40, 59, 60, 100].map((points) => levelOf(points, SETTINGS));
    assert.deepEqual(levels, ['new', 'low', 'low', 'watched', 'watched', 'good', 'good']);
  });

  test('are left upwards only with five points more, so that they do not change every hour', () => {
    const levels = (before: 'low' | 'watched') =>
      [39, 44, 45, 64, 65].map((points) => levelOf(points, SETTINGS, before));
    assert.deepEqual(levels('low'), ['low', 'low', 'watched', 'watched', 'good']);
    assert.deepEqual(levels('watched'), ['low', 'watched', 'watched', 'watched', 'good']);
  });

  test('lengthen the hold of watched and low sources and cap low ones', () => {
    const limits = (['new', 'good', 'watched', 'low'] as const).map((level) => {
      const { holdSeconds, orderShare } = limitsOf({ score: null, level }, SETTINGS);
      return [holdSeconds / 3600, orderShare];
    });
    assert.deepEqual(limits, [
      [0, null],
      [0, null],
      [72, null],
      [168, 10],
    ]);
  });

  test('limit nothing while scoring is off', () => {
    for (const level of ['new', 'good', 'watched', 'low'] as const) {
      const limits = limitsOf({ score: 10, level }, { ...SETTINGS, isOn: false, newHoldSeconds: 99 });
      assert.deepEqual(limits, { score: null, level: 'new', holdSeconds: 0, extendsWindow: false, orderShare: null });
    }
  });

  test('a cap is never above its share of the order', () => {
    assert.deepEqual([capOf(100, 10), capOf(19, 10), capOf(9, 10)], [10, 1, 0]);
    assert.equal(limitsOf({ score: 1, level: 'low' }, { ...SETTINGS, lowOrderSharePercent: 100 }).orderShare, null);
  });
});
