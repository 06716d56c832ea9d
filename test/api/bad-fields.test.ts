import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { assertRefused, countRows } from './refusals.ts';
import { useService } from './use-service.ts';

const service = useService();

/** JSON text, because some of it cannot be written as a JavaScript value. */
type Json = string;

const DEEP: Json = '['.repeat(5_000) + ']'.repeat(5_000);
const NOT_OBJECTS: readonly Json[] = ['[]', '{}', '[1]', '{"a":1}', '{"$gt":0}', '[null]', DEEP];
const NOT_NUMBERS: readonly Json[] = [
  ...['null', '"5"', '""', '" "', 'true', 'false', '"\\u0000"', '"🦊"', '"٥"'],
  ...NOT_OBJECTS,
];
const NOT_TEXT: readonly Json[] = ['null', '5', '0', '-1', '1.5', '1e300', 'true', 'false', ...NOT_OBJECTS];
const TOO_LARGE: readonly Json[] = ['9007199254740993', '1e300', '1e400', '123456789012345678901234567890'];
const NO_ID: readonly Json[] = [...NOT_NUMBERS, ...TOO_LARGE, '0', '-1', '-0', '1.5', '-9007199254740993', '1e-7'];

/** Removes null, which means absent in every optional field. */
const notNull = (values: readonly Json[]): Json[] => values.filter((value) => value !== 'null');

const letters = (count: number): Json => JSON.stringify('я'.repeat(count));

/** A valid body for each route, and the invalid values of each field. `undefined` omits the field. */
const ENDPOINTS: Readonly<
  Record<string, { good: Record<string, Json>; bad: Record<string, readonly (Json | undefined)[]> }>
> = {
  'get-sponsors': {
    good: { user_id: '77' },
    bad: {
      user_id: [undefined, ...NO_ID],
      chat_id: [...notNull(NOT_NUMBERS), ...TOO_LARGE, '-9007199254740993', '-1e300', '1.5', '-1.5'],
      first_name: [...notNull(NOT_TEXT), letters(257), '"a\\u0000b"', letters(10_000)],
      username: [...notNull(NOT_TEXT), letters(65), '"\\u0000"', letters(10_000)],
      language_code: [...notNull(NOT_TEXT), letters(36), '"\\u0000"', letters(10_000)],
      is_premium: ['0', '1', '"true"', '""', '"\\u0000"', '1.5', '-1', ...NOT_OBJECTS],
      max_sponsors: [...notNull(NOT_NUMBERS), '1e400', '0', '-1', '1.5', '50.5', '-0'],
      action: [
        ...notNull(NOT_TEXT),
        '""',
        '"SUBSCRIBE"',
        '"newtask "',
        '"подписка"',
        '"🦊"',
        '"\\u0000"',
        letters(10_000),
      ],
    },
  },
  'confirm-subscription': {
    good: { user_id: '77', ads_id: '1' },
    bad: { user_id: [undefined, ...NO_ID], ads_id: [undefined, ...NO_ID] },
  },
  'confirm-subscriptions': {
    good: { user_id: '77', ads_ids: '[1]' },
    bad: {
      user_id: [undefined, ...NO_ID],
      ads_ids: [
        undefined,
        ...['null', '1', '0', '-1', '1.5', '"1"', '""', '"🦊"', '"\\u0000"', 'true', '{}', '{"0":1,"length":1}', DEEP],
        '[]',
        `[${Array.from({ length: 51 }, (_, i) => i + 1)}]`,
        ...NO_ID.map((json) => `[1,${json}]`),
      ],
    },
  },
};

let token = '';
beforeEach(async () => {
  ({ token } = await service.sandbox.publisher());
});

function send(path: string, fields: Record<string, Json>): Promise<Response> {
  const body = `{${Object.entries(fields)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(',')}}`;
  const headers = { 'content-type': 'application/json', auth: token };
  return fetch(`${service.url}/api/v1/${path}`, { method: 'POST', headers, body });
}

for (const [path, { good, bad }] of Object.entries(ENDPOINTS)) {
  test(`${path} accepts the valid body`, async () => {
    await service.sandbox.advertise();
    assert.equal((await send(path, { ...good, user_id: String(freshUser()) })).status, 200);
  });

  for (const [field, values] of Object.entries(bad)) {
    test(`${path} refuses every ${field} that is missing, mistyped or out of range, and changes nothing`, async () => {
      await service.sandbox.advertise(); // an order that a missing validation would show
      const counts = await countRows(service);
      for (const value of values) {
        const { [field]: _, ...others } = good;
        const fields = value === undefined ? others : { ...others, [field]: value };
        const what = `${path} with ${field} ${value?.slice(0, 60) ?? 'left out'}`;
        await assertRefused(await send(path, fields), 422, what, field);
      }
      assert.deepEqual(await countRows(service), counts);
    });
  }

  test(`${path} names every invalid field at once`, async () => {
    const response = await send(path, Object.fromEntries(Object.keys(bad).map((field) => [field, '{}'])));
    assert.equal(response.status, 422);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    assert.deepEqual([...new Set(errors.map((error) => error.field))].sort(), Object.keys(bad).sort());
  });
}

const ODD_BUT_GOOD: readonly Record<string, Json>[] = [
  { first_name: '""', username: '""', language_code: '""' },
  { first_name: '"🦊👩‍👩‍👧"', username: '"имя"', language_code: '"zh-hant-TW"' },
  { first_name: '"\\ud800"', username: '"\\u202e\\u200b"', language_code: '"\\uffff"' },
  { first_name: letters(256), username: letters(64), language_code: letters(35) },
  { first_name: '"\'; DROP TABLE tasks; --"', username: '"%s%n{{7*7}}"' },
  { first_name: 'null', username: 'null', language_code: 'null', is_premium: 'null' },
  { chat_id: 'null', max_sponsors: 'null', action: 'null' },
  { chat_id: '0' },
  { chat_id: '-9007199254740991', max_sponsors: '1' },
  { max_sponsors: '50.0' },
  { max_sponsors: '51' },
  { max_sponsors: '1e300' },
  { user_id: '9007199254740991' },
  { user_id: '1e3' },
];
for (const fields of ODD_BUT_GOOD) {
  test(`get-sponsors accepts unusual but valid fields: ${JSON.stringify(fields).slice(0, 90)}`, async () => {
    const response = await send('get-sponsors', { user_id: String(freshUser()), ...fields });
    assert.equal(response.status, 200, await response.text());
  });
}

test('the largest possible ids are accepted and return not found or not_shown', async () => {
  const { orderId } = await service.sandbox.advertise();
  const largest = '9007199254740991';
  await assertRefused(await send('confirm-subscription', { user_id: largest, ads_id: largest }), 404, 'largest ads_id');
  const shown = await send('confirm-subscription', { user_id: largest, ads_id: String(orderId) });
  assert.equal(((await shown.json()) as { code: string }).code, 'not_shown');
});
