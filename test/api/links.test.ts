import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGES_CHANNEL, decodeChange } from '../../src/core/changes.ts';
import { changeLink, clicksBy, deleteLink, findLink, listLinks, totalClicks } from '../../src/modules/links/index.ts';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import {
  AMERICAN_ADDRESS,
  ANDROID,
  IPHONE,
  type LinksApp,
  RUSSIAN_ADDRESS,
  TODAY,
  useLinks,
  visit,
} from './links-app.ts';

/** One process trusts a proxy, as behind a load balancer. The other one is reached directly. */
let proxied: LinksApp;
let direct: LinksApp;
const world = useLinks(async (opened) => {
  proxied = await opened.start({ trustProxy: ['127.0.0.1'] });
  direct = await opened.start();
});

const from = (address: string, userAgent = ANDROID) => ({
  headers: { 'X-Forwarded-For': address, 'User-Agent': userAgent },
});
const GEO = [
  { countries: ['RU'], os: ['iOS' as const], url: 'https://example.com/ru-ios' },
  { countries: ['RU'], url: 'https://example.com/ru' },
  { countries: ['RU', 'US'], url: 'https://example.com/never-for-ru' },
];

test('a visitor is redirected by the first matching rule, and the redirect is not cacheable', async () => {
  const link = await world.link({ url: 'https://example.com/default', rules: GEO });
  const at = async (address: string, userAgent?: string) => {
    const answer = await visit(`${proxied.url}/l/${link.code}`, from(address, userAgent));
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('x-link-token'), null);
    assert.equal(await answer.text(), '');
    return answer.headers.get('location');
  };
  assert.equal(await at(RUSSIAN_ADDRESS, IPHONE), 'https://example.com/ru-ios');
  assert.equal(await at(RUSSIAN_ADDRESS), 'https://example.com/ru');
  assert.equal(await at(AMERICAN_ADDRESS), 'https://example.com/never-for-ru');
  assert.equal(await at('1.1.1.1'), 'https://example.com/default');
  assert.equal(await at('10.0.0.1'), 'https://example.com/default');
});

test('an unknown code returns 404 in the common error format', async () => {
  for (const code of [
    'zzzzzzzz',
    'zzzzzzzz',
    'x',
    'a'.repeat(150),
    '%00',
    'a%2Fb',
    'a%0d%0aX-Evil:1',
    '..%2f',
    'я',
    'o999',
    'o0',
  ]) {
    const answer = await visit(`${direct.url}/l/${code}`);
    assert.equal(answer.status, 404, code);
    assert.equal(answer.headers.get('location'), null);
    const body = (await answer.json()) as Record<string, string>;
    assert.equal(body.detail, 'Bot not found');
    assert.equal(body.code, 'link_not_found');
  }
});

test('a request cannot change the target of a link or add a response header', async () => {
  const link = await world.link({ url: 'https://example.com/only' });
  await visit(`${direct.url}/l/${link.code}`); // the first visit queries the database and has rate limit headers
  const plain = await visit(`${direct.url}/l/${link.code}`);
  for (const query of [
    '?url=https://evil.example',
    '?t=%0d%0aX-Evil:%201',
    '?t=a&t=b',
    '?%0d%0aX-Evil:1',
    '?t[]=x',
    '?__proto__=x',
  ]) {
    const answer = await visit(`${direct.url}/l/${link.code}${query}`, {
      headers: { 'X-Forwarded-Host': 'evil.example' },
    });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), 'https://example.com/only');
    const names = [...answer.headers.keys()].filter((name) => name !== 'x-link-token');
    assert.deepEqual(names, [...plain.headers.keys()]);
  }
});

test('a link with a line break, a script scheme or credentials in its URL is refused', async () => {
  for (const url of ['https://example.com/\r\nSet-Cookie: a=b', 'javascript:alert(1)', 'https://a:b@example.com/']) {
    await assert.rejects(world.link({ url }), /invalid/);
    await assert.rejects(world.link({ url: 'https://example.com/', rules: [{ countries: ['RU'], url }] }), /invalid/);
  }
});

test('HEAD requests, link previews, crawlers and prefetches are redirected and not counted', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const url = `${direct.url}/l/${link.code}`;
  const nobody = [
    await visit(url, { method: 'HEAD' }),
    await visit(url, { headers: { 'User-Agent': 'TelegramBot (like TwitterBot)' } }),
    await visit(url, { headers: { 'User-Agent': 'facebookexternalhit/1.1' } }),
    await visit(url, { headers: { 'User-Agent': 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)' } }),
    await visit(url, { headers: { 'User-Agent': 'curl/8.5.0' } }),
    await visit(url, { headers: { 'User-Agent': '' } }),
    await visit(url, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }),
    await visit(url, { headers: { Purpose: 'prefetch' } }),
  ];
  for (const answer of nobody) {
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), 'https://example.com/');
  }
  await visit(url); // one counted visit, so that the test can wait for it
  await direct.links.drain();
  assert.equal(await world.clicks(link), 1);
});

test('a forwarded address is ignored unless a trusted proxy sent it', async () => {
  const link = await world.link({ url: 'https://example.com/default', rules: GEO });
  const spoofed = await visit(`${direct.url}/l/${link.code}`, from(RUSSIAN_ADDRESS));
  assert.equal(spoofed.headers.get('location'), 'https://example.com/default');
  const forwarded = await visit(`${proxied.url}/l/${link.code}`, from(RUSSIAN_ADDRESS));
  assert.equal(forwarded.headers.get('location'), 'https://example.com/ru');
  // The proxy appends its entry, so entries further left come from the client.
  const prefixed = await visit(`${proxied.url}/l/${link.code}`, from(`${RUSSIAN_ADDRESS}, ${AMERICAN_ADDRESS}`));
  assert.equal(prefixed.headers.get('location'), 'https://example.com/never-for-ru');
  const garbled = await visit(`${proxied.url}/l/${link.code}`, from('not an address'));
  assert.equal(garbled.headers.get('location'), 'https://example.com/default');
});

test('simultaneous clicks in several processes are all counted by day, country and device', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const other = await world.start({ trustProxy: ['127.0.0.1'] });
  const kinds = [from(RUSSIAN_ADDRESS), from(RUSSIAN_ADDRESS, IPHONE), from(AMERICAN_ADDRESS), from('10.0.0.1')];
  const visits = Array.from({ length: 400 }, (_, i) => {
    const kind = kinds[i % kinds.length];
    return visit(`${i % 2 === 0 ? proxied.url : other.url}/l/${link.code}`, kind);
  });
  for (const answer of await Promise.all(visits)) assert.equal(answer.status, 302);
  await Promise.all([proxied.links.drain(), other.links.drain()]);

  const { db } = world.database;
  const period = { linkId: link.id, from: TODAY, to: TODAY };
  assert.deepEqual(await clicksBy(db, 'day', period), [{ value: TODAY, clicks: 400 }]);
  assert.deepEqual(await clicksBy(db, 'country', period), [
    { value: 'RU', clicks: 200 },
    { value: undefined, clicks: 100 },
    { value: 'US', clicks: 100 },
  ]);
  assert.deepEqual(await clicksBy(db, 'device_type', period), [{ value: 'smartphone', clicks: 400 }]);
  assert.deepEqual(await clicksBy(db, 'os', period), [
    { value: 'Android', clicks: 300 },
    { value: 'iOS', clicks: 100 },
  ]);
  assert.deepEqual(await totalClicks(db, [link.id, 999_999]), new Map([[link.id, 400]]));
});

test('clicks are stored in the background shortly after the visit', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  await visit(`${direct.url}/l/${link.code}`);
  await eventually('the click is stored', async () => (await world.clicks(link)) === 1);
});

test('the redirect of a cached link does not query the database, and a change invalidates the cache', async () => {
  const link = await world.link({ url: 'https://example.com/old' });
  const { db } = world.database;
  const subscription = await db.listen(CHANGES_CHANNEL, {
    onNotify(payload) {
      const change = decodeChange(payload);
      if (change?.kind === 'link') direct.links.invalidateLink(change.id);
    },
    onReconnect: () => undefined,
  });
  try {
    const location = async () => (await visit(`${direct.url}/l/${link.code}`)).headers.get('location');
    assert.equal(await location(), 'https://example.com/old');
    // This update sends no notification. Only a redirect that queries the database would see it.
    await query(world.database.url, 'UPDATE links SET url = $2 WHERE id = $1', [link.id, 'https://example.com/unseen']);
    for (let i = 0; i < 20; i++) assert.equal(await location(), 'https://example.com/old');

    const owner = { linkId: link.id, accountId: world.accountId };
    await db.transaction((tx) => changeLink(tx, { ...owner, url: 'https://example.com/new' }));
    await eventually('the new address is used', async () => (await location()) === 'https://example.com/new');
    await db.transaction((tx) => deleteLink(tx, { ...owner, at: world.now }));
    await eventually('the link is gone', async () => (await visit(`${direct.url}/l/${link.code}`)).status === 404);
  } finally {
    await subscription.close();
  }
});

test('guessing codes is throttled by address, while known links are not', async () => {
  const careful = await world.start({ guesses: 3 });
  const link = await world.link({ url: 'https://example.com/' });
  for (let i = 0; i < 10; i++) assert.equal((await visit(`${careful.url}/l/${link.code}`)).status, 302);
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await visit(`${careful.url}/l/guess${i}`)).status);
  assert.deepEqual(statuses.slice(0, 3), [404, 404, 404]);
  assert.ok(statuses.includes(429), String(statuses));
  assert.equal((await visit(`${careful.url}/l/${link.code}`)).status, 302);
});

test('many simultaneous visits of one link from one address do not count as guesses', async () => {
  const careful = await world.start({ guesses: 3 });
  const link = await world.link({ url: 'https://example.com/' });
  const crowd = Array.from({ length: 100 }, () => visit(`${careful.url}/l/${link.code}`));
  for (const answer of await Promise.all(crowd)) assert.equal(answer.status, 302);
});

test('links are listed to their owner, newest first, without deleted ones', async () => {
  const { db } = world.database;
  const [one, two] = [
    await world.link({ url: 'https://a.example/', name: 'A' }),
    await world.link({ url: 'https://b.example/' }),
  ];
  const accountId = world.accountId;
  const [newest, next] = await listLinks(db, { accountId, limit: 2 });
  assert.deepEqual([newest?.id, next?.id], [two.id, one.id]);
  const [older] = await listLinks(db, { accountId, limit: 1, beforeId: two.id });
  assert.equal(older?.name, 'A');
  const stranger = { linkId: one.id, accountId: accountId + 1 };
  assert.equal(await findLink(db, stranger), undefined);
  assert.equal((await db.transaction((tx) => changeLink(tx, { ...stranger, name: 'mine' }))).kind, 'not_found');
  assert.equal(await db.transaction((tx) => deleteLink(tx, { ...stranger, at: world.now })), false);
  assert.equal((await findLink(db, { linkId: one.id, accountId }))?.name, 'A');
  assert.equal(await db.transaction((tx) => deleteLink(tx, { linkId: one.id, accountId, at: world.now })), true);
  assert.equal(await findLink(db, { linkId: one.id, accountId }), undefined);
});
