import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEVICE_TYPES, type LinkRule, OPERATING_SYSTEMS, type Visitor } from './link.ts';
import { checkRules, chooseUrl, normalizeUrl } from './rules.ts';

const UNKNOWN_VISITOR: Visitor = { country: undefined, city: undefined, deviceType: undefined, os: undefined };
const url = 'https://default.example/';

test('the first rule whose conditions all match wins, and the default is used when none does', () => {
  const rules: LinkRule[] = [
    { countries: ['RU'], os: ['iOS'], url: 'https://a.example/' },
    { countries: ['RU', 'BY'], url: 'https://b.example/' },
    { countries: ['RU'], url: 'https://never.example/' },
    { device_types: ['tablet'], url: 'https://c.example/' },
  ];
  const target = (who: Partial<Visitor>): string => chooseUrl({ url, rules }, { ...UNKNOWN_VISITOR, ...who });
  assert.equal(target({ country: 'RU', os: 'iOS' }), 'https://a.example/');
  assert.equal(target({ country: 'RU', os: 'Android' }), 'https://b.example/');
  assert.equal(target({ country: 'RU' }), 'https://b.example/');
  assert.equal(target({ country: 'DE', deviceType: 'tablet' }), 'https://c.example/');
  assert.equal(target({ country: 'DE' }), url);
});

test('cities match regardless of case, accents and dots', () => {
  const rules = [{ cities: ['St. Petersburg', 'Málaga'], url: 'https://city.example/' }];
  for (const city of ['st petersburg', 'ST. PETERSBURG', 'Malaga']) {
    assert.equal(chooseUrl({ url, rules }, { ...UNKNOWN_VISITOR, city }), 'https://city.example/', city);
  }
  assert.equal(chooseUrl({ url, rules }, { ...UNKNOWN_VISITOR, city: 'Moscow' }), url);
});

const list = <T>(values: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined });
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const COUNTRIES = ['RU', 'BY', 'DE'];
const CITIES = ['Moscow', 'Minsk', 'Berlin'];
const anyVisitor = fc.record({
  country: maybe(COUNTRIES),
  city: maybe(CITIES),
  deviceType: maybe(DEVICE_TYPES),
  os: maybe(OPERATING_SYSTEMS),
});
const anyRules = fc
  .array(
    fc.record({
      countries: list(COUNTRIES),
      cities: list(CITIES),
      device_types: list(DEVICE_TYPES),
      os: list(OPERATING_SYSTEMS),
    }),
    { maxLength: 6 },
  )
  .map((rules) => rules.map((rule, i) => ({ ...rule, url: `https://${i}.example/` }) as LinkRule));

test('a visitor with no known property gets the default, unless a rule has no conditions', () => {
  fc.assert(
    fc.property(anyRules, (rules) => {
      const asking = rules.filter((rule) => Object.values(rule).filter((value) => value !== undefined).length > 1);
      assert.equal(chooseUrl({ url, rules: asking }, UNKNOWN_VISITOR), url);
    }),
  );
});

test('the chosen rule accepts the visitor and no earlier rule does', () => {
  const accepts = (rule: LinkRule, who: Visitor): boolean => {
    const asked: [readonly string[] | undefined, string | undefined][] = [
      [rule.countries, who.country],
      [rule.cities, who.city],
      [rule.device_types, who.deviceType],
      [rule.os, who.os],
    ];
    return asked.every(([values, value]) => values === undefined || values.some((one) => one === value));
  };
  fc.assert(
    fc.property(anyRules, anyVisitor, (rules, who) => {
      const expected = rules.find((rule) => accepts(rule, who))?.url ?? url;
      assert.equal(chooseUrl({ url, rules }, who), expected);
    }),
  );
});

test('only http, https and tg addresses without a password are accepted', () => {
  for (const good of [
    'https://t.me/channel?start=1',
    'http://example.com/',
    'tg://resolve?domain=channel',
    'https://пример.рф/путь',
  ]) {
    assert.notEqual(normalizeUrl(good), undefined, good);
  }
  const bad = [
    '',
    'example.com',
    '/l/other',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://example.com/\r\nSet-Cookie: a=b',
    'https://example.com/\u0000',
    ' https://example.com/',
    'https://example.com/a b',
    'https:\\\\example.com',
    'tg:resolve',
    'https://',
    `https://example.com/${'a'.repeat(2048)}`,
    `https://example.com/${'я'.repeat(700)}`,
  ];
  for (const text of bad) assert.equal(normalizeUrl(text), undefined, JSON.stringify(text));
});

test('an accepted address cannot end a header', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('\r', '\n', '\0', ' ', '\t', 'a', 'é', '\u2028', '\u0085', '%0d%0a', '@', ':', '/', '\\'),
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.constantFrom('https://example.com/', 'https://', 'tg://', 'http://a.b/?'), nasty, (start, end) => {
      const accepted = normalizeUrl(start + end);
      if (accepted !== undefined) assert.match(accepted, /^(https?|tg):\/\/[\x21-\x7e]+$/);
    }),
    { numRuns: 2_000 },
  );
});

test('rules are normalized before they are stored, and every error names its field', () => {
  const good = checkRules([{ countries: ['ru'], cities: [' Moscow '], url: 'https://example.com' }]);
  assert.deepEqual(good, { ok: true, value: [{ countries: ['RU'], cities: ['Moscow'], url: 'https://example.com/' }] });
  const bad = checkRules([
    { url: 'https://example.com' },
    { countries: ['RUS'], url: 'javascript:1' },
    { os: [], url: 'https://example.com' },
    { device_types: ['phone' as 'tablet'], os: ['Linux' as 'iOS'], cities: ['…'], url: 'https://example.com' },
  ]);
  assert.deepEqual(bad.ok ? [] : bad.errors.map(({ field }) => field), [
    'geo.0.countries',
    'geo.1.url',
    'geo.1.countries',
    'geo.2.os',
    'geo.3.cities',
    'geo.3.device_types',
    'geo.3.os',
  ]);
  assert.equal(checkRules(Array.from({ length: 51 }, () => ({ countries: ['RU'], url }))).ok, false);
});
