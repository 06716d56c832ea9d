import assert from 'node:assert/strict';
import { test } from 'node:test';
import { businessDay } from '../../src/core/clock.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/sandbox.ts';
import { AMERICAN_ADDRESS, ANDROID, IPHONE, RUSSIAN_ADDRESS } from './links-app.ts';
import { useService } from './use-service.ts';

const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });

const HOME = 'https://example.com/';
const RUSSIA = 'https://example.com/ru';
const DAY_SECONDS = 24 * 60 * 60;

type Headers = Record<string, string>;

class Owner {
  readonly #auth: Headers;

  constructor(token: string) {
    this.#auth = { auth: token };
  }

  call(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return service.sandbox.call(method, `/api/v1/links${path}`, body, { ...this.#auth, ...headers });
  }

  create(link: Record<string, unknown> = {}, headers: Headers = {}): Promise<Answer> {
    return this.call('POST', '', { url: HOME, ...link }, headers);
  }
}

const newOwner = async (): Promise<Owner> => new Owner((await service.sandbox.publisher({ beta: true })).token);

/** Returns the redirect target of a link for a visitor from this address, or null without a redirect. */
async function follow(shortUrl: string, from = AMERICAN_ADDRESS, userAgent = ANDROID): Promise<string | null> {
  const headers = { 'x-forwarded-for': from, 'user-agent': userAgent };
  return (await fetch(shortUrl, { redirect: 'manual', headers })).headers.get('location');
}

test('creating a link returns the whole link, which redirects at once by the first matching rule', async () => {
  const owner = await newOwner();
  const geo = [
    { countries: ['RU'], os: ['iOS'], url: `${RUSSIA}/ios` },
    { countries: ['ru', 'by'], url: RUSSIA },
  ];
  const { status, body } = await owner.create({ name: ' Spring ', geo, unknown: 1 });
  assert.equal(status, 201, JSON.stringify(body));
  const { link_id, code, created_at, ...rest } = body;
  assert.ok(Number.isInteger(link_id));
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  assert.deepEqual(rest, {
    short_url: `${service.url}/l/${code}`,
    url: HOME,
    name: 'Spring',
    geo: [geo[0], { countries: ['RU', 'BY'], url: RUSSIA }],
  });
  assert.deepEqual((await owner.call('GET', `/${link_id}`)).body, body);
  assert.equal(await follow(body.short_url), HOME);
  assert.equal(await follow(body.short_url, RUSSIAN_ADDRESS), RUSSIA);
  assert.equal(await follow(body.short_url, RUSSIAN_ADDRESS, IPHONE), `${RUSSIA}/ios`);
});

test('only url is required, and a single device is accepted instead of a list', async () => {
  const owner = await newOwner();
  const plain = (await owner.create()).body;
  assert.deepEqual([plain.name, plain.geo], ['', []]);
  const rule = { countries: ['US'], cities: ['New York'], device: 'smartphone', url: 'tg://resolve?domain=news' };
  const { body } = await owner.create({ geo: [rule, { device_types: ['smartphone'], url: RUSSIA }] });
  assert.deepEqual(body.geo, [
    { countries: ['US'], cities: ['New York'], device_types: ['smartphone'], url: rule.url },
    { device_types: ['smartphone'], url: RUSSIA },
  ]);
  assert.equal(await follow(body.short_url), RUSSIA);
});

test('every route returns 401 without beta access', async () => {
  const { token } = await service.sandbox.publisher();
  const stranger = new Owner(token);
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['GET', '/1'],
    ['PATCH', '/1'],
    ['DELETE', '/1'],
    ['GET', '/1/clicks'],
  ] as const) {
    const body = method === 'POST' || method === 'PATCH' ? { url: HOME } : undefined;
    const answer = await stranger.call(method, path, body);
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], `${method} ${path}`);
  }
});

test('an Idempotency-Key creates one link and repeats its response, and another body returns 422', async () => {
  const owner = await newOwner();
  const headers = { 'idempotency-key': 'k-1' };
  const first = await owner.create({ name: 'one' }, headers);
  await owner.call('PATCH', `/${first.body.link_id}`, { name: 'changed' });
  assert.deepEqual((await owner.create({ name: 'one' }, headers)).body, first.body);
  await owner.call('DELETE', `/${first.body.link_id}`);
  const again = await owner.create({ name: 'one' }, headers);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  const other = await owner.create({ name: 'two' }, headers);
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch']);
  assert.equal((await owner.call('GET', '')).body.links.length, 0);

  // A refused request created nothing, so its key can be used for the corrected request.
  const refused = await owner.create({ url: 'ftp://example.com/' }, { 'idempotency-key': 'k-2' });
  assert.equal(refused.status, 422);
  assert.equal((await owner.create({}, { 'idempotency-key': 'k-2' })).status, 201);
});

test('twenty simultaneous requests with one key create one link', async () => {
  const owner = await newOwner();
  const answers = await Promise.all(Array.from({ length: 20 }, () => owner.create({}, { 'idempotency-key': 'now' })));
  const made = new Set<number>();
  for (const { status, body } of answers) {
    if (status === 201) made.add(body.link_id);
    else assert.deepEqual([status, body.code], [409, 'request_in_flight']);
  }
  assert.equal(made.size, 1);
  assert.equal((await owner.call('GET', '')).body.links.length, 1);
});

test('a change affects only the sent fields, keeps the code and applies to the next visitor', async () => {
  const owner = await newOwner();
  const geo = [{ countries: ['RU'], url: RUSSIA }];
  const { body: link } = await owner.create({ name: 'Old', geo });
  assert.equal(await follow(link.short_url), HOME);
  const change = async (body: Record<string, unknown>) => {
    const answer = await owner.call('PATCH', `/${link.link_id}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual((await owner.call('GET', `/${link.link_id}`)).body, answer.body);
    return answer.body;
  };
  assert.deepEqual(await change({}), link);
  assert.deepEqual(await change({ name: 'New' }), { ...link, name: 'New' });
  await change({ url: 'https://example.org/' });
  assert.equal(await follow(link.short_url), 'https://example.org/');
  assert.equal(await follow(link.short_url, RUSSIAN_ADDRESS), RUSSIA);
  assert.deepEqual(await change({ geo: [], name: '' }), { ...link, url: 'https://example.org/', name: '', geo: [] });
  assert.equal(await follow(link.short_url, RUSSIAN_ADDRESS), 'https://example.org/');
});

test('a deleted link returns 404 to visitors and to its owner', async () => {
  const owner = await newOwner();
  const { body: link } = await owner.create();
  assert.equal(await follow(link.short_url), HOME);
  const deleted = await owner.call('DELETE', `/${link.link_id}`);
  assert.deepEqual([deleted.status, deleted.body], [204, '']);
  assert.equal(await follow(link.short_url), null);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/clicks'],
  ] as const) {
    const answer = await owner.call(method, `/${link.link_id}${path}`, method === 'PATCH' ? {} : undefined);
    assert.deepEqual([answer.status, answer.body.code], [404, 'link_not_found'], `${method} ${path}`);
  }
  assert.deepEqual((await owner.call('GET', '')).body, { links: [], next_cursor: null, has_more: false });
});

test('another owner can neither see nor change a link, and an id that is not a number is not found', async () => {
  const owner = await newOwner();
  const stranger = await newOwner();
  const { body: link } = await owner.create({ name: 'Mine' });
  for (const id of [link.link_id, 0, 'abc', '1e3', '-1', '99999999999999999999', '%00']) {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/clicks'],
    ] as const) {
      const answer = await stranger.call(method, `/${id}${path}`, method === 'PATCH' ? { name: 'x' } : undefined);
      assert.deepEqual([answer.status, answer.body.code], [404, 'link_not_found'], `${method} ${id}${path}`);
    }
  }
  assert.equal((await stranger.call('GET', '')).body.links.length, 0);
  assert.deepEqual((await owner.call('GET', `/${link.link_id}`)).body, link);
});

test('the list has pages, newest first, and stays stable while links are added', async () => {
  const owner = await newOwner();
  const ids: number[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await owner.create({ name: String(i) })).body.link_id);
  const page = async (query: string) => (await owner.call('GET', query)).body;
  const first = await page('?limit=2');
  await owner.create();
  const second = await page(`?limit=2&cursor=${first.next_cursor}`);
  const third = await page(`?limit=2&cursor=${second.next_cursor}`);
  const seen = [...first.links, ...second.links, ...third.links].map((link) => link.link_id);
  assert.deepEqual(seen, ids);
  assert.deepEqual([first.has_more, third.has_more, third.next_cursor], [true, false, null]);
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=-1']) {
    const answer = await owner.call('GET', `?${query}`);
    assert.deepEqual([answer.status, answer.body.errors[0].field], [422, query.split('=')[0]], query);
  }
});

test('clicks are reported by day, country, device and system with equal sums', async () => {
  const owner = await newOwner();
  const { body: link } = await owner.create();
  const clicks = async (query = '') => (await owner.call('GET', `/${link.link_id}/clicks${query}`)).body;
  const today = async () => businessDay(new Date((await service.sandbox.control('GET', '/state')).now));

  const firstDay = await today();
  await follow(link.short_url, RUSSIAN_ADDRESS, IPHONE);
  await follow(link.short_url, RUSSIAN_ADDRESS, ANDROID);
  await eventually('two clicks are stored', async () => (await clicks()).total === 2);
  await service.sandbox.advance(DAY_SECONDS);
  await follow(link.short_url, AMERICAN_ADDRESS, ANDROID);
  await follow(link.short_url, '10.0.0.1', ANDROID);
  await eventually('four clicks are stored', async () => (await clicks()).total === 4);

  const lastDay = await today();
  const { by_day: byDay, ...rest } = await clicks();
  assert.equal(byDay.length, 30);
  assert.deepEqual(byDay.slice(-2), [
    { day: firstDay, clicks: 2 },
    { day: lastDay, clicks: 2 },
  ]);
  assert.deepEqual(byDay[0].clicks, 0);
  assert.deepEqual(rest, {
    total: 4,
    by_country: [
      { country: 'RU', clicks: 2 },
      { country: null, clicks: 1 },
      { country: 'US', clicks: 1 },
    ],
    by_device: [{ device_type: 'smartphone', clicks: 4 }],
    by_os: [
      { os: 'Android', clicks: 3 },
      { os: 'iOS', clicks: 1 },
    ],
  });
  assert.deepEqual(await clicks('?days=1'), {
    total: 2,
    by_day: [{ day: lastDay, clicks: 2 }],
    by_country: [
      { country: null, clicks: 1 },
      { country: 'US', clicks: 1 },
    ],
    by_device: [{ device_type: 'smartphone', clicks: 2 }],
    by_os: [{ os: 'Android', clicks: 2 }],
  });
  assert.equal((await clicks('?days=90')).by_day.length, 90);
  for (const days of ['0', '91', '-1', '1.5', 'x', '']) {
    const answer = await owner.call('GET', `/${link.link_id}/clicks?days=${days}`);
    assert.deepEqual([answer.status, answer.body.errors[0].field], [422, 'days'], days);
  }
});

/** Invalid bodies, each with the field that the error must name. */
const BAD: readonly (readonly [field: string, link: Record<string, unknown>])[] = [
  ...[
    '',
    'example.com',
    'javascript:alert(1)',
    'ftp://example.com/',
    'https://a:b@example.com/',
    'https://x/\n',
    1,
  ].map((url) => ['url', { url }] as const),
  ['url', { url: `https://example.com/${'x'.repeat(2048)}` }],
  ...['x'.repeat(201), 'a\0b', 1].map((name) => ['name', { name }] as const),
  ...[{}, 'RU'].map((geo) => ['geo', { geo }] as const),
  ['geo', { geo: Array.from({ length: 51 }, () => ({ countries: ['RU'], url: RUSSIA })) }],
  ['geo.0', { geo: ['RU'] }],
  ['geo.0.url', { geo: [{ countries: ['RU'] }] }],
  [
    'geo.1.url',
    {
      geo: [
        { countries: ['RU'], url: RUSSIA },
        { countries: ['RU'], url: 'data:text/html,x' },
      ],
    },
  ],
  ['geo.0.countries', { geo: [{ url: RUSSIA }] }],
  ...['RU', ['RUS'], [], ['R1']].map(
    (countries) => ['geo.0.countries', { geo: [{ countries, url: RUSSIA }] }] as const,
  ),
  ['geo.0.countries.0', { geo: [{ countries: [7], url: RUSSIA }] }],
  ...[[''], [' '], []].map((cities) => ['geo.0.cities', { geo: [{ cities, url: RUSSIA }] }] as const),
  ...['a\0b', '\ud800'].map((city) => ['geo.0.cities.0', { geo: [{ cities: [city], url: RUSSIA }] }] as const),
  ['geo.0.device_types.0', { geo: [{ device_types: ['watch'], url: RUSSIA }] }],
  ['geo.0.device', { geo: [{ device: 'watch', url: RUSSIA }] }],
  ['geo.0.device', { geo: [{ device: 'tablet', device_types: ['desktop'], url: RUSSIA }] }],
  ['geo.0.os.0', { geo: [{ os: ['Linux'], url: RUSSIA }] }],
];

test('invalid fields are refused by name in creations and changes, and nothing is created or changed', async () => {
  const owner = await newOwner();
  const { body: link } = await owner.create({ name: 'Good' });
  for (const [field, bad] of BAD) {
    for (const answer of [await owner.create(bad), await owner.call('PATCH', `/${link.link_id}`, bad)]) {
      const what = `${JSON.stringify(bad).slice(0, 100)}: ${JSON.stringify(answer.body).slice(0, 300)}`;
      assert.deepEqual([answer.status, answer.body.detail], [422, 'Validation error'], what);
      assert.equal(answer.body.errors[0].field, field, what);
    }
  }
  const withoutUrl = await owner.call('POST', '', { name: 'x' });
  assert.deepEqual([withoutUrl.status, withoutUrl.body.errors[0].field], [422, 'url']);
  assert.deepEqual((await owner.call('GET', '')).body.links, [link]);
});
