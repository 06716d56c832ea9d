import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Facts, type Filters, factsOf, hiddenBy } from './filters.ts';
import { buildMatchIndex, type Ranked } from './match-index.ts';

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const flag = fc.boolean();
const minimum = (min: number, max: number) => fc.record({ min: fc.integer({ min, max }) });
const LANGUAGES = ['ru', 'en', 'pt', 'pt-br'];
const COUNTRIES = ['RU', 'KZ', 'DE'];
const DEVICES = ['smartphone', 'desktop', 'tablet'] as const;
const SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS'] as const;

/** Uses few values of each kind, so that matches and mismatches are both frequent. */
const filters: fc.Arbitrary<Filters> = fc
  .record({
    languages: maybe(fc.subarray(LANGUAGES, { minLength: 1 })),
    countries: maybe(fc.subarray(COUNTRIES, { minLength: 1 })),
    cities: maybe(fc.subarray(['Москва', 'Berlin'], { minLength: 1 })),
    age: maybe(fc.record({ min: fc.constantFrom(18, 30), max: fc.constantFrom(25, 60) })),
    gender: maybe(fc.constantFrom('male', 'female')),
    account_age_years: maybe(minimum(2, 9)),
    device_types: maybe(fc.subarray([...DEVICES], { minLength: 1 })),
    os: maybe(fc.subarray([...SYSTEMS], { minLength: 1 })),
    premium: maybe(flag),
    has_photo: maybe(flag),
    real_photo: maybe(flag),
    has_name: maybe(flag),
    has_username: maybe(flag),
    has_bio: maybe(flag),
    has_audio: maybe(flag),
    russian_name: maybe(flag),
    cyrillic_name: maybe(flag),
    rating: maybe(minimum(1, 10)),
    gifts: maybe(minimum(1, 5)),
    chat_context: maybe(fc.constantFrom('private', 'group')),
    fresh_days: maybe(fc.record({ max: fc.integer({ min: 1, max: 30 }) })),
    human_checked: maybe(flag),
  })
  .map(
    (record) =>
      Object.fromEntries(Object.entries(record).filter(([, condition]) => condition !== undefined)) as Filters,
  );

const facts: fc.Arbitrary<Facts> = fc
  .record({
    languageCode: fc.constantFrom(...LANGUAGES, 'pt-PT', 'EN'),
    isPremium: flag,
    name: maybe(
      fc.record({
        hasCyrillic: flag,
        isRussianName: flag,
        gender: maybe(fc.constantFrom('male' as const, 'female' as const)),
      }),
    ),
    hasUsername: maybe(fc.constant(true)),
    chatContext: maybe(fc.constantFrom('private' as const, 'group' as const)),
    daysSinceFirstSeen: fc.integer({ min: 0, max: 40 }),
    isHumanChecked: flag,
    learned: fc.record(
      {
        country: fc.constantFrom(...COUNTRIES),
        city: fc.constantFrom('москва', 'Berlin', 'Paris'),
        age: fc.integer({ min: 10, max: 70 }),
        gender: fc.constantFrom('male', 'female'),
        account_age_years: fc.double({ min: 0, max: 12, noNaN: true }),
        device_type: fc.constantFrom(...DEVICES),
        os: fc.constantFrom(...SYSTEMS),
        has_photo: flag,
        real_photo: flag,
        has_bio: flag,
        has_audio: flag,
        rating: fc.integer({ min: -1, max: 12 }),
        gifts: fc.integer({ min: 0, max: 7 }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(factsOf);

const orders: fc.Arbitrary<Ranked[]> = fc
  .array(fc.record({ score: fc.integer({ min: 0, max: 50 }), filters }), { maxLength: 90 })
  .map((list) => list.map((order, id) => ({ ...order, id })));

/** The reference implementation: applies the rule to one order at a time. */
function naive(items: readonly Ranked[], user: Facts, limit: number, barred: ReadonlySet<number>): number[] {
  return items
    .filter((item) => !barred.has(item.id) && hiddenBy(item.filters, user) === undefined)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map((item) => item.id);
}

test('the index returns the same orders in the same sequence as a full scan', () => {
  fc.assert(
    fc.property(
      orders,
      fc.array(facts, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 100 }),
      fc.array(fc.nat(90)),
      (items, users, limit, barredIds) => {
        const index = buildMatchIndex(items);
        const barred = new Set(barredIds);
        for (const user of users) {
          const found = index.match(user, limit, (item) => !barred.has(item.id)).map((item) => item.id);
          assert.deepEqual(found, naive(items, user, limit, barred));
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('an incrementally changed index matches like a rebuilt one', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), id: fc.nat(40), score: fc.nat(50), filters }),
    fc.record({ kind: fc.constant('remove' as const), id: fc.nat(40) }),
  );
  fc.assert(
    fc.property(orders, fc.array(change, { maxLength: 40 }), facts, (items, changes, user) => {
      const index = buildMatchIndex(items);
      const current = new Map(items.map((item) => [item.id, item]));
      index.match(user, 5, () => true); // creates bitmaps before the changes, as in a running service
      for (const step of changes) {
        if (step.kind === 'remove') {
          index.remove(step.id);
          current.delete(step.id);
        } else {
          const item = { id: step.id, score: step.score, filters: step.filters };
          index.set(item);
          current.set(step.id, item);
        }
      }
      const found = index.match(user, 200, () => true).map((item) => item.id);
      assert.deepEqual(found, naive([...current.values()], user, 200, new Set()));
      assert.deepEqual(new Set([...index.items()].map((item) => item.id)), new Set(current.keys()));
    }),
    { numRuns: 400 },
  );
});
