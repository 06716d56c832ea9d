import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { readInitData } from './init-data.ts';

const BOT_TOKEN = '123456:a-token-for-tests';
const NOW = new Date('2026-01-01T12:00:00Z');
const AT = { botToken: BOT_TOKEN, maxAgeSeconds: 86_400, now: NOW };
const auth = (secondsAgo: number): string => String(NOW.getTime() / 1_000 - secondsAgo);
const FIELDS = {
  auth_date: auth(60),
  query_id: 'AAE',
  signature: 'sig_for-others',
  user: '{"id":42,"first_name":"Анна & Ко"}',
};

/** Signs as Telegram's documentation describes, independently of the code under test. */
function sign(fields: Record<string, string>, botToken = BOT_TOKEN): string {
  const names = Object.keys(fields).sort((a, b) => (a < b ? -1 : 1));
  const text = names.map((name) => `${name}=${fields[name]}`).join('\n');
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest();
  const hash = createHmac('sha256', secret).update(text).digest('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
}

test('init data signed for our bot returns the user and the start parameter', () => {
  for (const startParam of ['l_abcd1234', undefined]) {
    const signed = sign({ ...FIELDS, ...(startParam !== undefined && { start_param: startParam }) });
    const hash = Buffer.from(new URLSearchParams(signed).get('hash') ?? '', 'hex');
    assert.deepEqual(readInitData(signed, AT), { kind: 'valid', userId: 42, startParam, hash });
  }
});

test('a hash computed with openssl is accepted', () => {
  const fixed =
    'auth_date=1767268740&user=%7B%22id%22%3A42%7D&hash=58f1e77c20847f14b7a0221361daf83c749cd90821c1db03590aca0cdc66e18f';
  assert.equal(readInitData(fixed, AT).kind, 'valid');
});

test('init data of another bot, unsigned or with a field changed, added or removed is refused', () => {
  const signed = new URLSearchParams(sign(FIELDS));
  const changed = (edit: (data: URLSearchParams) => void): string => {
    const copy = new URLSearchParams(signed);
    edit(copy);
    return copy.toString();
  };
  const forgeries = [
    sign(FIELDS, '654321:another-token'),
    changed((data) => data.set('user', '{"id":43}')),
    changed((data) => data.set('auth_date', auth(0))),
    changed((data) => data.set('start_param', 'l_other')),
    changed((data) => data.delete('query_id')),
    changed((data) => data.delete('hash')),
    changed((data) => data.append('user', '{"id":43}')),
    changed((data) => data.set('hash', '0'.repeat(64))),
    changed((data) => data.set('hash', '')),
    changed((data) => data.set('hash', 'zz')),
    '',
    'hash',
    'not init data at all',
  ];
  for (const forged of forgeries) assert.deepEqual(readInitData(forged, AT), { kind: 'invalid' }, forged);
});

test('init data is valid for a day, and not before its own date', () => {
  const kindAt = (secondsAgo: number): string =>
    readInitData(sign({ ...FIELDS, auth_date: auth(secondsAgo) }), AT).kind;
  assert.equal(kindAt(86_400), 'valid');
  assert.equal(kindAt(86_401), 'expired');
  assert.equal(kindAt(-60), 'valid', 'clocks differ by a little');
  assert.equal(kindAt(-61), 'invalid');
});

test('signed data without a valid user or time is refused', () => {
  const { user: _user, ...anonymous } = FIELDS;
  const bad: Record<string, string>[] = [anonymous, { ...FIELDS, auth_date: 'soon' }];
  for (const user of ['{"id":"42"}', '{"id":0}', '{"id":1.5}', '{"id":9007199254740993}', '42', 'null', '{', ''])
    bad.push({ ...FIELDS, user });
  for (const fields of bad)
    assert.deepEqual(readInitData(sign(fields), AT), { kind: 'invalid' }, JSON.stringify(fields));
});

test('arbitrary text is refused without an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webQueryParameters(), (text, query) => {
      assert.equal(readInitData(text, AT).kind, 'invalid');
      assert.equal(readInitData(query, AT).kind, 'invalid');
    }),
    { numRuns: 50 },
  );
});
