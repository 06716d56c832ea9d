import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { LANGUAGES } from '../../../core/locale.ts';
import { type Filters, FiltersSchema } from '../../../modules/targeting/index.ts';
import { FILTER_FIELDS, fillForm, readFilters } from './filter-form.ts';

const ALL: Filters = {
  languages: ['ru', 'pt-br'],
  countries: ['RU', 'BY'],
  cities: ['Moscow', 'Nizhniy Novgorod'],
  age: { min: 18, max: 45 },
  gender: 'female',
  account_age_years: { min: 3 },
  device_types: ['smartphone', 'tablet'],
  os: ['iOS'],
  premium: true,
  has_photo: true,
  real_photo: false,
  has_name: true,
  has_username: false,
  has_bio: true,
  has_audio: false,
  russian_name: true,
  cyrillic_name: true,
  rating: { min: 10 },
  gifts: { min: 100 },
  chat_context: 'private',
  fresh_days: { max: 365 },
  min_quality: { min: 60 },
  scored_source: true,
  human_checked: true,
};

test('reading a filled form returns the same filters', () => {
  assert.ok(Value.Check(FiltersSchema, ALL));
  const half: Filters = { age: { max: 30 } };
  for (const language of LANGUAGES) {
    for (const filters of [ALL, {}, half]) {
      assert.deepEqual(readFilters(fillForm(filters, language)), { filters, wrong: new Map() });
    }
  }
  assert.equal(fillForm(ALL, 'en').get('countries'), 'Russia, Belarus');
});

test('every choice in the form is one that the filter takes', () => {
  for (const [key, field] of Object.entries(FILTER_FIELDS)) {
    const values =
      field.kind === 'one' || field.kind === 'many'
        ? field.values
        : field.kind === 'flag'
          ? ['yes', 'no']
          : field.kind === 'least' || field.kind === 'most'
            ? [String(field.min), String(field.max)]
            : [];
    for (const value of values) {
      const { filters, wrong } = readFilters(new URLSearchParams([[key, value]]));
      assert.deepEqual([Object.keys(filters), wrong.size], [[key], 0], `${key}=${value}`);
    }
    if (field.kind !== 'least' && field.kind !== 'most') continue;
    for (const beyond of [field.min - 1, field.max + 1]) {
      assert.ok(readFilters(new URLSearchParams([[key, String(beyond)]])).wrong.size > 0, `${key}=${beyond}`);
    }
  }
});

test('typed lists are normalised: spaces, case, repetitions and other separators', () => {
  const { filters, wrong } = readFilters(
    new URLSearchParams({ countries: ' ru ;by,RU,\n', languages: 'EN, en', cities: ', ,' }),
  );
  assert.deepEqual([filters, wrong.size], [{ countries: ['RU', 'BY'], languages: ['en'] }, 0]);
  const { filters: places } = readFilters(new URLSearchParams({ cities: 'Москва, moscow, Кукуево' }));
  assert.deepEqual(places, { cities: ['Moscow', 'Кукуево'] });
});

test('invalid values are reported by filter, and the others are read', () => {
  const { filters, wrong } = readFilters(
    new URLSearchParams({
      countries: 'Russia, Narnia',
      age_min: '40',
      age_max: '20',
      gifts: '1.5',
      rating: '-1',
      gender: 'x',
      premium: 'yes',
    }),
  );
  assert.deepEqual(Object.fromEntries(wrong), {
    age: { kind: 'bounds' },
    countries: { kind: 'unknown', word: 'Narnia' },
    gender: { kind: 'choice' },
    gifts: { kind: 'number', min: 1, max: 100 },
    rating: { kind: 'number', min: 1, max: 10 },
  });
  assert.deepEqual(filters, { premium: true });
});
