import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnedValues } from '../../src/modules/audience/index.ts';
import { changeSettings } from '../../src/modules/bots/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';

const learnedOf = async (user: number): Promise<Record<string, unknown>> =>
  Object.fromEntries((await learnedValues(service.database.db, user)).map(({ field, value }) => [field, value]));

test('the profile of a user who wrote to our bot is read from the Bot API and used by filters', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { management_bot: bot } = await sandbox.control('GET', '/state');
  const user = freshUser();
  const birthdate = { day: 1, month: 1, year: 1990 };
  await sandbox.control('POST', '/users', {
    user_id: user,
    first_name: 'Met',
    bio: 'hi',
    birthdate,
    photos: 4,
    gifts: 3,
    rating: 6,
  });
  await sandbox.control('POST', `/persons/${user}/messages`, { bot, text: '/start' });
  await sandbox.getSponsors(token, user);
  await sandbox.advance(60);

  const learned = await learnedOf(user);
  assert.deepEqual(
    [learned.has_bio, learned.has_photo, learned.real_photo, learned.gifts, learned.rating],
    [true, true, true, 3, 6],
  );
  assert.ok(Number(learned.age) >= 36);
  const fits = await sandbox.advertise({ filters: { rating: { min: 5 }, has_bio: true } });
  await sandbox.advertise({ filters: { gifts: { min: 4 } } });
  const tasks = await sandbox.getSponsors(token, user);
  assert.deepEqual(
    tasks.map((task) => task.ads_id),
    [fits.orderId],
  );
});

test('no profile is read of a user who never wrote to our bot, and stored values keep their source', async () => {
  const { sandbox, database } = service;
  const { token } = await sandbox.publisher();
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  await sandbox.advance(60);
  assert.deepEqual(await learnedOf(user), {});
  await sandbox.control('POST', `/profiles/${user}`, { country: 'RU' });
  const [value] = await learnedValues(database.db, user);
  assert.deepEqual([value?.field, value?.source], ['country', 'smart_link']);
});

test('with profile collection an unknown user gets one task through our link, which stores values and redirects', async () => {
  const { sandbox, database } = service;
  const { token, botId } = await sandbox.publisher();
  await sandbox.advertise({ price_per_sub: 20 });
  await sandbox.advertise();
  const user = freshUser();
  const direct = await sandbox.getSponsors(token, user);
  assert.ok(
    direct.every((task) => task.link.startsWith('https://t.me/')),
    'off by default',
  );

  await database.db.transaction((tx) => changeSettings(tx, botId, { collectsProfiles: true }));
  await eventually(
    'the setting is known',
    async () => (await sandbox.getSponsors(token, user))[0]?.link.includes('/l/') === true,
  );
  const [first, second] = await sandbox.getSponsors(token, user);
  assert.ok(first && second);
  assert.ok(second.link.startsWith('https://t.me/'), 'only one task');

  const visit = await fetch(first.link, { redirect: 'manual', headers: { 'user-agent': PHONE } });
  assert.equal(visit.status, 302);
  assert.equal(visit.headers.get('location'), direct[0]?.link);
  await eventually('the visit is learned', async () => (await learnedOf(user)).device_type === 'smartphone');
  const learned = await learnedOf(user);
  assert.equal(learned.os, 'Android');
  assert.ok(Number(learned.account_age_years) >= 0);
  const after = await sandbox.getSponsors(token, user);
  assert.ok(
    after.every((task) => task.link.startsWith('https://t.me/')),
    'a known user goes straight on',
  );
});

for (const refused of ['getUserGifts', 'getChat']) {
  test(`a refused ${refused} leaves its values unknown, and the other values are stored`, async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    const user = freshUser();
    await sandbox.control('POST', '/users', { user_id: user, bio: 'hi', photos: 4, gifts: 3, audios: 1 });
    await sandbox.control('POST', `/persons/${user}/messages`, { bot, text: '/start' });
    await sandbox.fault({ mode: 'not_admin', method: refused });
    await sandbox.getSponsors(token, user);
    await sandbox.advance(60);
    const all = { has_bio: true, has_photo: true, real_photo: true, has_audio: true, gifts: 3 };
    const { [refused === 'getChat' ? 'has_bio' : 'gifts']: unknown, ...learned } = all;
    assert.deepEqual(await learnedOf(user), learned, `without ${String(unknown)}`);
  });
}
