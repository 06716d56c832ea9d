import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import {
  FILTERS,
  type FilterKey,
  type Filters,
  FiltersSchema,
  factsOf,
  hiddenBy,
  UNIFORM_FILTERS,
  type UserProfile,
} from './filters.ts';

const UNKNOWN: UserProfile = {
  languageCode: undefined,
  isPremium: undefined,
  name: undefined,
  hasUsername: undefined,
  chatContext: undefined,
  daysSinceFirstSeen: 0,
  learned: {},
};

const named = (name: Partial<NonNullable<UserProfile['name']>>): Partial<UserProfile> => ({
  name: { hasCyrillic: false, isRussianName: false, gender: undefined, ...name },
});

/** For each filter: its setting, users that pass it and users that are known not to pass. */
const CASES: Readonly<
  Record<
    FilterKey,
    { filters: Filters; fits: Partial<UserProfile>[]; misses: Partial<UserProfile>[]; alwaysKnown?: true }
  >
> = {
  languages: {
    filters: { languages: ['en', 'pt-BR'] },
    fits: [{ languageCode: 'en' }, { languageCode: 'en-US' }, { languageCode: 'EN_gb' }, { languageCode: 'pt-br' }],
    misses: [{ languageCode: 'ru' }, { languageCode: 'pt' }, { languageCode: 'pt-PT' }, { languageCode: 'eng' }],
  },
  countries: {
    filters: { countries: ['ru', 'KZ'] },
    fits: [{ learned: { country: 'RU' } }, { learned: { country: 'kz' } }],
    misses: [{ learned: { country: 'DE' } }],
  },
  cities: {
    filters: { cities: ['Королёв', 'Berlin', 'Москва'] },
    fits: [{ learned: { city: 'королев' } }, { learned: { city: ' BERLIN ' } }, { learned: { city: 'Moscow' } }],
    misses: [{ learned: { city: 'Paris' } }, { learned: { city: 'Saint Petersburg' } }],
  },
  age: {
    filters: { age: { min: 18, max: 30 } },
    fits: [{ learned: { age: 18 } }, { learned: { age: 30 } }],
    misses: [{ learned: { age: 17 } }, { learned: { age: 31 } }],
  },
  gender: {
    filters: { gender: 'female' },
    fits: [named({ gender: 'female' }), { learned: { gender: 'female' } }],
    // The value from the bot takes precedence over the stored value.
    misses: [named({ gender: 'male' }), { ...named({ gender: 'male' }), learned: { gender: 'female' } }],
  },
  account_age_years: {
    filters: { account_age_years: { min: 3 } },
    fits: [{ learned: { account_age_years: 3 } }, { learned: { account_age_years: 12 } }],
    misses: [{ learned: { account_age_years: 2.9 } }],
  },
  device_types: {
    filters: { device_types: ['smartphone', 'tablet'] },
    fits: [{ learned: { device_type: 'tablet' } }],
    misses: [{ learned: { device_type: 'desktop' } }],
  },
  os: {
    filters: { os: ['iOS'] },
    fits: [{ learned: { os: 'iOS' } }],
    misses: [{ learned: { os: 'Android' } }],
  },
  premium: { filters: { premium: true }, fits: [{ isPremium: true }], misses: [{ isPremium: false }] },
  has_photo: {
    filters: { has_photo: true },
    fits: [{ learned: { has_photo: true } }],
    misses: [{ learned: { has_photo: false } }],
  },
  real_photo: {
    filters: { real_photo: true },
    fits: [{ learned: { real_photo: true } }],
    misses: [{ learned: { real_photo: false } }],
  },
  has_name: { filters: { has_name: false }, fits: [{ name: null }], misses: [named({})] },
  has_username: { filters: { has_username: false }, fits: [{ hasUsername: false }], misses: [{ hasUsername: true }] },
  has_bio: {
    filters: { has_bio: false },
    fits: [{ learned: { has_bio: false } }],
    misses: [{ learned: { has_bio: true } }],
  },
  has_audio: {
    filters: { has_audio: true },
    fits: [{ learned: { has_audio: true } }],
    misses: [{ learned: { has_audio: false } }],
  },
  russian_name: {
    filters: { russian_name: true },
    fits: [named({ isRussianName: true })],
    misses: [named({ isRussianName: false }), { name: null }],
  },
  cyrillic_name: {
    filters: { cyrillic_name: true },
    fits: [named({ hasCyrillic: true })],
    misses: [named({ hasCyrillic: false }), { name: null }],
  },
  rating: {
    filters: { rating: { min: 5 } },
    fits: [{ learned: { rating: 5 } }, { learned: { rating: 90 } }],
    misses: [{ learned: { rating: 4 } }, { learned: { rating: -1 } }],
  },
  gifts: {
    filters: { gifts: { min: 2 } },
    fits: [{ learned: { gifts: 2 } }],
    misses: [{ learned: { gifts: 0 } }],
  },
  chat_context: {
    filters: { chat_context: 'group' },
    fits: [{ chatContext: 'group' }],
    misses: [{ chatContext: 'private' }],
  },
  fresh_days: {
    filters: { fresh_days: { max: 7 } },
    fits: [{ daysSinceFirstSeen: 0 }, { daysSinceFirstSeen: 7 }],
    misses: [{ daysSinceFirstSeen: 8 }, { daysSinceFirstSeen: 4000 }],
    alwaysKnown: true,
  },
  min_quality: {
    filters: { min_quality: { min: 60 } },
    fits: [{ sourceScore: 60 }, { sourceScore: 100 }],
    misses: [{ sourceScore: 59 }, { sourceScore: 0 }],
  },
  scored_source: {
    filters: { scored_source: true },
    fits: [{ hasSourceScore: true }],
    misses: [{ hasSourceScore: false }],
  },
  human_checked: {
    filters: { human_checked: true },
    fits: [{ isHumanChecked: true }],
    misses: [{ isHumanChecked: false }, {}],
    alwaysKnown: true,
  },
};

const hides = (filters: Filters, user: Partial<UserProfile>): FilterKey | undefined =>
  hiddenBy(filters, factsOf({ ...UNKNOWN, ...user }));

test('there are 24 filters with unique keys', () => {
  assert.equal(FILTERS.length, 24);
  assert.equal(new Set(FILTERS.map(({ key }) => key)).size, 24);
});

for (const { key } of FILTERS) {
  const { filters, fits, misses, alwaysKnown } = CASES[key];
  test(`${key}: a matching user gets the task, a user known not to match does not`, () => {
    for (const user of fits) assert.equal(hides(filters, user), undefined, JSON.stringify(user));
    for (const user of misses) assert.equal(hides(filters, user), key, JSON.stringify(user));
  });
  if (alwaysKnown) continue;
  test(`${key}: a user with an unknown value gets the task`, () => {
    assert.equal(hides(filters, {}), undefined);
  });
}

test('learned values of a wrong type count as unknown', () => {
  for (const value of [null, '', {}, [], 'NaN']) {
    assert.equal(
      hides({ rating: { min: 5 }, has_bio: true }, { learned: { rating: value, has_bio: value } }),
      undefined,
    );
  }
});

test('exactly these filters multiply the charge', () => {
  const factors = UNIFORM_FILTERS.flatMap(({ key, coefficientPercent }) =>
    coefficientPercent === undefined ? [] : [[key, coefficientPercent]],
  );
  assert.deepEqual(Object.fromEntries(factors), {
    countries: 120,
    cities: 140,
    age: 130,
    account_age_years: 120,
    device_types: 110,
    os: 110,
    rating: 130,
    gifts: 150,
  });
});

/** The smallest and the largest value that a filter accepts. */
const LIMITS: readonly (readonly [(value: number) => object, least: number, most: number])[] = [
  [(min) => ({ age: { min } }), 0, 120],
  [(max) => ({ age: { max } }), 0, 120],
  [(min) => ({ account_age_years: { min } }), 2, 9],
  [(min) => ({ rating: { min } }), 1, 10],
  [(min) => ({ gifts: { min } }), 1, 100],
  [(max) => ({ fresh_days: { max } }), 1, 365],
  [(count) => ({ countries: Array.from({ length: count }, (_, i) => pair(i)) }), 1, 200],
];
const pair = (i: number): string => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26));

for (const [filtersWith, least, most] of LIMITS) {
  const name = JSON.stringify(filtersWith(1)).slice(0, 40);
  test(`a filter accepts values within its limits and no others: ${name}`, () => {
    for (const value of [least, most])
      assert.equal(Value.Check(FiltersSchema, filtersWith(value)), true, String(value));
    for (const value of [least - 1, most + 1]) {
      assert.equal(Value.Check(FiltersSchema, value < 0 ? filtersWith(-1) : filtersWith(value)), false, String(value));
    }
  });
}

test('an unknown key and a setting of a wrong type are rejected', () => {
  for (const filters of [
    { colour: 'red' },
    { premium: 'yes' },
    { gender: 'other' },
    { os: [] },
    { os: ['iOS', 'iOS'] },
  ])
    assert.equal(Value.Check(FiltersSchema, filters), false, JSON.stringify(filters));
});

test('learned numbers are rounded down and limited to the range of their filter', () => {
  const factOf = (key: FilterKey, learned: UserProfile['learned'], days = 0): unknown =>
    factsOf({ ...UNKNOWN, daysSinceFirstSeen: days, learned })[UNIFORM_FILTERS.findIndex((one) => one.key === key)];
  assert.deepEqual(
    [
      factOf('age', { age: 500 }),
      factOf('age', { age: -3 }),
      factOf('age', { age: 30.9 }),
      factOf('age', { age: '30' }),
      factOf('account_age_years', { account_age_years: 50 }),
      factOf('rating', { rating: 50 }),
      factOf('gifts', { gifts: 500 }),
      factOf('fresh_days', {}, 365),
      factOf('fresh_days', {}, 4_000),
    ],
    [120, 0, 30, undefined, 10, 10, 100, 365, 366],
  );
});

test('an age range without one limit is open on that side', () => {
  const hides = (filters: Filters, age: number): boolean =>
    hiddenBy(filters, factsOf({ ...UNKNOWN, learned: { age } })) !== undefined;
  assert.deepEqual([hides({ age: { max: 5 } }, 0), hides({ age: { max: 5 } }, 6)], [false, true]);
  assert.deepEqual([hides({ age: { min: 60 } }, 120), hides({ age: { min: 60 } }, 59)], [false, true]);
});
