import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetDevices, type IgnoredReason } from '../../src/modules/devices/index.ts';
import { query } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import {
  AMERICAN_ADDRESS,
  ANDROID,
  type LinksApp,
  NOW,
  RUSSIAN_ADDRESS,
  signInitData,
  useLinks,
  visit,
} from './links-app.ts';

let running: LinksApp;
let silent: LinksApp;
const world = useLinks(async (opened) => {
  running = await opened.start({ trustProxy: ['127.0.0.1'] });
  silent = await opened.start({ trustProxy: ['127.0.0.1'], storesMarks: false, isCheckOn: false });
});

const DAY_MS = 86_400_000;
const from = (address: string): { headers: Record<string, string> } => ({ headers: { 'X-Forwarded-For': address } });

interface StoredMark {
  readonly mark: string;
  readonly kind: string;
  readonly source: string;
}

async function marksOf(userId: number): Promise<StoredMark[]> {
  for (const { links } of [running, silent]) await links.drain();
  return query<StoredMark>(
    world.database.url,
    `SELECT encode(mark, 'hex') AS mark, kind, source FROM device_marks WHERE user_id = ${userId} ORDER BY kind`,
  );
}

/** Returns what was ignored since the last call. */
const ignored = (app = running): IgnoredReason[] => app.ignored.splice(0);

const initData = (userId: number, more: Record<string, string> = {}): string =>
  signInitData({ auth_date: String(NOW.getTime() / 1000 - 60), user: JSON.stringify({ id: userId }), ...more });

const SIGNALS = {
  id: '0123456789abcdef0123456789abcdef',
  screen: { width: 412, height: 915 },
  time_zone: 'Europe/Moscow',
  touch_points: 5,
  is_automated: false,
  pressed_by: 'pointer',
  pressed_after_ms: 900,
};

async function post(
  path: string,
  body: unknown,
  { app = running, address = RUSSIAN_ADDRESS, userAgent = ANDROID } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Opens the Mini App and presses its button. */
async function check(
  userId: number,
  {
    init_data = initData(userId, { start_param: 'check', query_id: String(userId) }),
    ...changes
  }: Record<string, unknown> = {},
) {
  const opened = await post('/app/visit', { init_data, platform: 'android' });
  const { challenge = '' } = opened.body;
  return post('/app/check', { init_data, platform: 'android', challenge, consent: true, device: SIGNALS, ...changes });
}

const isChecked = async (userId: number): Promise<boolean> =>
  (await query(world.database.url, `SELECT 1 FROM human_checks WHERE user_id = ${userId}`)).length > 0;

test('a personal link whose user was told gives a mark of the address, and the address is not stored', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const [first, second] = [freshUser(), freshUser()];
  for (const userId of [first, second]) {
    const path = running.links.personalPath({ code: link.code, userId });
    const answer = await visit(`${running.url}${path}&consent=1`, from(RUSSIAN_ADDRESS));
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('link'), '</privacy>; rel="privacy-policy"');
  }
  const [mine, other] = [await marksOf(first), await marksOf(second)];
  assert.deepEqual(
    mine.map(({ kind, source }) => [kind, source]),
    [['address', 'smart_link']],
  );
  assert.deepEqual(mine, other, 'two users behind one address share a mark');
  const dump = await query<{ row: string }>(world.database.url, 'SELECT device_marks::text AS row FROM device_marks');
  const everything = dump.map(({ row }) => row).join('\n') + running.logs.join('\n');
  assert.equal(everything.includes(RUSSIAN_ADDRESS), false);
  assert.equal(everything.includes(Buffer.from(RUSSIAN_ADDRESS).toString('hex')), false);
  assert.deepEqual(ignored(), []);
});

test('without consent, a valid token or a public address a link gives no mark', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const userId = freshUser();
  const url = running.url + running.links.personalPath({ code: link.code, userId });
  await visit(url, from(RUSSIAN_ADDRESS));
  await visit(`${url}&consent=yes`, from(RUSSIAN_ADDRESS));
  assert.deepEqual(ignored(), ['no_consent', 'no_consent']);
  await visit(`${url}&consent=1`, from('127.0.0.1'));
  await visit(`${url}&consent=1`, from('10.0.0.7'));
  await visit(`${url}&consent=1`, { method: 'HEAD', ...from(RUSSIAN_ADDRESS) });
  await visit(`${url.replace('t=', 't=x')}&consent=1`, from(RUSSIAN_ADDRESS));
  assert.deepEqual([await marksOf(userId), ignored()], [[], []]);
});

test('the Mini App gives a mark once per opening: replayed init data is ignored and counted', async () => {
  const userId = freshUser();
  const init_data = initData(userId);
  await post('/app/visit', { init_data });
  const first = await marksOf(userId);
  assert.deepEqual([first.length, first[0]?.source], [1, 'mini_app']);
  const replay = await post('/app/visit', { init_data }, { address: AMERICAN_ADDRESS });
  assert.equal(replay.status, 200, 'a page that is loaded again still works');
  assert.deepEqual([await marksOf(userId), ignored()], [first, ['replayed_init_data']]);
  const country = await query(
    world.database.url,
    `SELECT value FROM audience_values WHERE user_id = ${userId} AND field = 'country'`,
  );
  assert.deepEqual(country, [{ value: 'RU' }], 'the country of the replay is not learned');
});

test('forged and expired init data gives no mark and is counted', async () => {
  const userId = freshUser();
  const forged = initData(userId).replace(/hash=.{8}/, 'hash=00000000');
  const expired = signInitData({
    auth_date: String(NOW.getTime() / 1000 - 2 * 86_400),
    user: JSON.stringify({ id: userId }),
  });
  for (const path of ['/app/visit', '/app/check']) {
    for (const init_data of [forged, expired]) {
      assert.equal((await post(path, { init_data, challenge: 'c', consent: true, device: SIGNALS })).status, 401);
    }
  }
  assert.deepEqual(ignored(), ['forged_init_data', 'expired_init_data', 'forged_init_data', 'expired_init_data']);
  assert.deepEqual([await marksOf(userId), await isChecked(userId)], [[], false]);
});

test('a user passes the check once, and the device gets a mark', async () => {
  const userId = freshUser();
  assert.deepEqual((await check(userId)).body, { ok: true, passed: true });
  assert.equal(await isChecked(userId), true);
  assert.deepEqual(
    (await marksOf(userId)).map(({ kind }) => kind),
    ['address', 'device'],
  );
  assert.deepEqual(running.passed.splice(0), [userId]);
  const again = await post('/app/visit', { init_data: initData(userId, { start_param: 'check' }) });
  assert.deepEqual(again.body, { ok: true }, 'who has passed is not asked again');
  assert.deepEqual(ignored(), []);
});

test('two users who press on one device share its mark', async () => {
  const id = 'fedcba9876543210fedcba9876543210';
  const [first, second] = [freshUser(), freshUser()];
  for (const userId of [first, second]) await check(userId, { device: { ...SIGNALS, id } });
  const deviceOf = async (userId: number) => (await marksOf(userId)).find(({ kind }) => kind === 'device')?.mark;
  assert.equal(await deviceOf(first), await deviceOf(second));
  const dump = JSON.stringify(await query(world.database.url, 'SELECT device_marks::text FROM device_marks'));
  assert.equal(dump.includes(id), false, 'the random number itself is not stored');
});

const ATTACKS: readonly (readonly [name: string, reason: IgnoredReason, changes: Record<string, unknown>])[] = [
  ['device data without consent', 'no_consent', { consent: false }],
  ['device data with no word about consent', 'no_consent', { consent: undefined }],
  ['a forged challenge', 'forged_challenge', { challenge: `1768035600.${'A'.repeat(22)}` }],
  ['no challenge', 'forged_challenge', { challenge: '' }],
  ['device data of a wrong shape', 'forged_device', { device: { id: 'x' } }],
  ['no device data', 'forged_device', { device: undefined }],
  ['a platform that contradicts the browser', 'forged_device', { platform: 'ios' }],
  ['a browser that admits to be a script', 'automated', { device: { ...SIGNALS, is_automated: true } }],
  ['a press faster than a person', 'automated', { device: { ...SIGNALS, pressed_after_ms: 1 } }],
];

for (const [name, reason, changes] of ATTACKS) {
  test(`${name}: ignored and counted, and the check is not passed`, async () => {
    const userId = freshUser();
    assert.deepEqual(await check(userId, changes), { status: 200, body: { ok: true, passed: false } });
    assert.deepEqual(ignored(), [reason]);
    const marks = await marksOf(userId);
    assert.deepEqual([await isChecked(userId), marks.some(({ kind }) => kind === 'device')], [false, false]);
  });
}

test('a script that calls the check itself is ignored', async () => {
  const userId = freshUser();
  const init_data = initData(userId, { start_param: 'check' });
  const { challenge } = (await post('/app/visit', { init_data })).body;
  const body = { init_data, platform: 'android', challenge, consent: true, device: SIGNALS };
  const answer = await post('/app/check', body, { userAgent: 'python-requests/2.32' });
  assert.deepEqual([answer.body, ignored()], [{ ok: true, passed: false }, ['automated']]);
  assert.equal(await isChecked(userId), false);
});

test('replayed init data passes no second check, and another user cannot use it', async () => {
  const userId = freshUser();
  const init_data = initData(userId, { start_param: 'check' });
  await check(userId, { init_data });
  await query(world.database.url, `DELETE FROM human_checks WHERE user_id = ${userId}`);
  ignored();
  const replayed = await check(userId, { init_data });
  assert.deepEqual(replayed.body, { ok: true, passed: false });
  assert.deepEqual(ignored(), ['replayed_init_data', 'replayed_init_data'], 'once for the visit, once for the check');
  assert.equal(await isChecked(userId), false);
});

test('simultaneous uses of one init data pass the check once', async () => {
  const userId = freshUser();
  const init_data = initData(userId, { start_param: 'check', query_id: 'race' });
  const { challenge } = (await post('/app/visit', { init_data })).body;
  const body = { init_data, platform: 'android', challenge, consent: true, device: SIGNALS };
  const answers = await Promise.all(Array.from({ length: 5 }, () => post('/app/check', body)));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(ignored().filter((reason) => reason === 'replayed_init_data').length, 4);
  assert.equal(await isChecked(userId), true);
});

test('with both settings off nothing is stored and nobody is asked', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const userId = freshUser();
  await visit(
    `${silent.url}${silent.links.personalPath({ code: link.code, userId })}&consent=1`,
    from(RUSSIAN_ADDRESS),
  );
  const init_data = initData(userId, { start_param: 'check' });
  const opened = await post('/app/visit', { init_data }, { app: silent });
  assert.deepEqual(opened.body, { ok: true });
  const body = { init_data, platform: 'android', challenge: 'c', consent: true, device: SIGNALS };
  assert.deepEqual((await post('/app/check', body, { app: silent })).body, { ok: true, passed: false });
  assert.deepEqual([await marksOf(userId), await isChecked(userId), ignored(silent)], [[], false, []]);
});

test('marks are deleted after two months, and used init data when it has expired', async () => {
  const link = await world.link({ url: 'https://example.com/' });
  const userId = freshUser();
  const url = `${running.url}${running.links.personalPath({ code: link.code, userId })}&consent=1`;
  await visit(url, from(AMERICAN_ADDRESS));
  assert.equal((await marksOf(userId)).length, 1);
  const forgetAt = (days: number): Promise<number> =>
    forgetDevices({ db: world.database.db, clock: { now: () => new Date(NOW.getTime() + days * DAY_MS) } });
  await forgetAt(59);
  assert.equal((await marksOf(userId)).length, 1);
  assert.ok((await forgetAt(61)) > 0);
  assert.deepEqual(await marksOf(userId), []);
  assert.deepEqual(await query(world.database.url, 'SELECT 1 FROM mini_app_openings'), []);
});

test('the privacy page explains the marks in the language of the browser', async () => {
  for (const [language, text] of [
    ['ru', /Отметка устройства/],
    ['en', /Device mark/],
  ] as const) {
    const answer = await fetch(`${running.url}/privacy`, { headers: { 'Accept-Language': language } });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), text);
    const page = await (await fetch(`${running.url}/app`, { headers: { 'Accept-Language': language } })).text();
    assert.match(page, /<a href="\/privacy"/);
  }
});
