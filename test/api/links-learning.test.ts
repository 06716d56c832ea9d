import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import {
  ANDROID,
  IPHONE,
  type LinksApp,
  NOW,
  ORDER,
  RUSSIAN_ADDRESS,
  signInitData,
  useLinks,
  visit,
} from './links-app.ts';

let running: LinksApp;
const world = useLinks(async (opened) => {
  running = await opened.start({ trustProxy: ['127.0.0.1'] });
});

const HOUR_MS = 3_600_000;
const IN_RUSSIA = { headers: { 'X-Forwarded-For': RUSSIAN_ADDRESS } };

async function learnedFields(userId: number): Promise<Record<string, unknown>> {
  await running.links.drain();
  return Object.fromEntries((await world.learned(userId)).map(({ field, value }) => [field, value]));
}

async function nothingLearned(): Promise<void> {
  await running.links.drain();
  assert.deepEqual(await query(world.database.url, 'SELECT * FROM audience_values WHERE user_id > 1000000000000'), []);
}

/** These ids are larger than those of other tests, so that `nothingLearned` can query all of them at once. */
let nextVictim = 1_000_000_000_001;
const victim = (): number => nextVictim++;

test('a visit through a personal link stores country, device, system and account age of its user', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const userId = freshUser();
  const answer = await visit(running.url + running.links.personalPath({ code: link.code, userId }), IN_RUSSIA);
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.get('x-link-token'), null);
  const { account_age_years: age, ...rest } = await learnedFields(userId);
  assert.deepEqual(rest, { country: 'RU', device_type: 'smartphone', os: 'Android' });
  assert.equal(typeof age, 'number');
  for (const { source, learnedAt } of await world.learned(userId)) {
    assert.equal(source, 'smart_link');
    assert.deepEqual(learnedAt, NOW);
  }
  assert.equal(await world.clicks(link), 1);
});

test('a value unknown at a later visit does not overwrite a learned value', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const userId = freshUser();
  const url = running.url + running.links.personalPath({ code: link.code, userId });
  await visit(url, IN_RUSSIA);
  await visit(url, { headers: { 'X-Forwarded-For': '10.0.0.1', 'User-Agent': IPHONE } });
  const { country, os } = await learnedFields(userId);
  assert.deepEqual({ country, os }, { country: 'RU', os: 'iOS' });
});

test('a forged, foreign or expired token redirects the visitor, counts an anonymous click and stores no values', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const other = await world.link({ url: 'https://example.com/' });
  const path = running.links.personalPath({ code: link.code, userId: victim() });
  const foreign = running.links.personalPath({ code: other.code, userId: victim() }).replace(other.code, link.code);
  const last = path.at(-1) === 'A' ? 'B' : 'A';
  const bad = [`${path.slice(0, -1)}${last}`, foreign, `/l/${link.code}?t=`, `/l/${link.code}?t=x`, `${path}&t=again`];
  for (const forged of bad) {
    const answer = await visit(running.url + forged, IN_RUSSIA);
    assert.equal(answer.status, 302, forged);
    assert.equal(answer.headers.get('location'), 'https://example.com/');
    assert.equal(answer.headers.get('x-link-token'), 'invalid', forged);
  }
  world.now = new Date(NOW.getTime() + HOUR_MS);
  try {
    const late = await visit(running.url + path, IN_RUSSIA);
    assert.equal(late.status, 302);
    assert.equal(late.headers.get('x-link-token'), 'expired');
  } finally {
    world.now = NOW;
  }
  await nothingLearned();
  assert.equal(await world.clicks(link), bad.length + 1);
});

test('a preview of a personal link stores no values about its user', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const url = running.url + running.links.personalPath({ code: link.code, userId: victim() });
  assert.equal((await visit(url, { method: 'HEAD', ...IN_RUSSIA })).status, 302);
  const preview = { 'User-Agent': 'TelegramBot (like TwitterBot)', 'X-Forwarded-For': RUSSIAN_ADDRESS };
  assert.equal((await visit(url, { headers: preview })).status, 302);
  await nothingLearned();
  assert.equal(await world.clicks(link), 0);
});

test('the link of a task works only with its token, even after the token expired', async () => {
  const userId = freshUser();
  const path = running.links.personalTaskPath({ orderId: ORDER.id, userId });
  const answer = await visit(running.url + path, IN_RUSSIA);
  assert.equal(answer.headers.get('location'), ORDER.url);
  assert.equal((await learnedFields(userId)).country, 'RU');

  for (const closed of [`/l/o${ORDER.id}`, `/l/o${ORDER.id}?t=${'A'.repeat(36)}`, path.replace(`o${ORDER.id}`, 'o8')]) {
    assert.equal((await visit(running.url + closed)).status, 404, closed);
  }
  world.now = new Date(NOW.getTime() + 2 * HOUR_MS);
  try {
    const late = await visit(running.url + path);
    assert.equal(late.headers.get('location'), ORDER.url);
  } finally {
    world.now = NOW;
  }
});

const initData = (userId: number, more: Record<string, string> = {}): string =>
  signInitData({ auth_date: String(NOW.getTime() / 1000 - 60), user: JSON.stringify({ id: userId }), ...more });

async function openMiniApp(
  body: unknown,
  userAgent = IPHONE,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${running.url}/app/visit`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, 'X-Forwarded-For': RUSSIAN_ADDRESS },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('the Mini App stores the same values about the user in signed init data', async () => {
  const userId = freshUser();
  const answer = await openMiniApp({ init_data: initData(userId), platform: 'ios' });
  assert.deepEqual(answer, { status: 200, body: { ok: true } });
  const { account_age_years: age, ...rest } = await learnedFields(userId);
  assert.deepEqual(rest, { country: 'RU', device_type: 'smartphone', os: 'iOS' });
  assert.equal(typeof age, 'number');
  for (const { source } of await world.learned(userId)) assert.equal(source, 'mini_app');
});

test('a Mini App opened through a link follows the rules of that link and counts a click', async () => {
  const rules = [{ countries: ['RU'], os: ['Android' as const], url: 'https://example.com/ru-android' }];
  const link = await world.link({ url: 'https://example.com/', rules });
  const open = (startParam: string, platform: string) =>
    openMiniApp({ init_data: initData(freshUser(), { start_param: startParam }), platform }, ANDROID);
  const to = async (startParam: string, platform: string) => (await open(startParam, platform)).body;
  assert.deepEqual(await to(`l_${link.code}`, 'android'), { ok: true, redirect: 'https://example.com/ru-android' });
  assert.deepEqual(await to(`l_${link.code}`, 'ios'), { ok: true, redirect: 'https://example.com/' });
  for (const other of ['l_zzzzzzzz', link.code, `l_${link.code}/x`, `l_o${ORDER.id}`, 'https://evil.example']) {
    assert.deepEqual(await to(other, 'ios'), { ok: true }, other);
  }
  const token = running.links.personalTaskPath({ orderId: ORDER.id, userId: 1 }).split('t=')[1];
  assert.deepEqual(await to(`l_o${ORDER.id}_${token}`, 'ios'), { ok: true, redirect: ORDER.url });
  await running.links.drain();
  assert.equal(await world.clicks(link), 2);
});

test('forged, foreign, expired or missing init data is refused and stores no values', async () => {
  const signed = initData(victim());
  const refused = [
    signed.replace(/hash=./, 'hash=f') === signed
      ? signed.replace(/hash=./, 'hash=0')
      : signed.replace(/hash=./, 'hash=f'),
    signed.replace('1000000000', '1000000001'),
    signInitData({ auth_date: String(NOW.getTime() / 1000), user: `{"id":${victim()}}` }, '654321:another-bot'),
    initData(victim(), { auth_date: String(NOW.getTime() / 1000 - 86_401) }),
    initData(victim(), { auth_date: String(NOW.getTime() / 1000 + 3_600) }),
    'hash=00',
  ];
  for (const init_data of refused) {
    const { status, body } = await openMiniApp({ init_data, platform: 'ios' });
    assert.equal(status, 401, init_data);
    assert.equal(body.detail, 'Invalid or inactive Bot API Key');
    assert.equal(body.code, 'invalid_init_data');
  }
  for (const body of [{}, { init_data: '' }, { init_data: 42 }, { init_data: 'x'.repeat(9_000) }]) {
    assert.equal((await openMiniApp(body)).status, 422, JSON.stringify(body).slice(0, 50));
  }
  await nothingLearned();
});

test('valid init data is refused after it expires', async () => {
  const userId = victim();
  const init_data = initData(userId);
  world.now = new Date(NOW.getTime() + 25 * HOUR_MS);
  try {
    assert.equal((await openMiniApp({ init_data })).status, 401);
  } finally {
    world.now = NOW;
  }
  await nothingLearned();
});

test('the Mini App page runs only its own script and names the source of its geographic data', async () => {
  const answer = await fetch(`${running.url}/app`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  const page = await answer.text();
  assert.doesNotMatch(page, /\bsrc=/);
  assert.match(page, /<a href="https:\/\/db-ip\.com\/">IP Geolocation by DB-IP<\/a>/);
});

test('no visitor address is stored in the database or in the log', async () => {
  const dump = await query<{ row: string }>(
    world.database.url,
    `SELECT audience_values::text AS row FROM audience_values UNION ALL SELECT links::text FROM links
     UNION ALL SELECT link_clicks::text FROM link_clicks`,
  );
  const everything = dump.map(({ row }) => row).join('\n') + running.logs.join('\n');
  assert.ok(dump.length > 10 && running.logs.length > 10);
  for (const address of [RUSSIAN_ADDRESS, '10.0.0.1', '127.0.0.1']) {
    assert.equal(everything.replaceAll(running.url, '').includes(address), false, address);
  }
  assert.doesNotMatch(everything, /[?&]t=/, 'nor any personal token');
});
