import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { changeSettings } from '../../src/modules/bots/index.ts';
import { changeFilters, excludeSources } from '../../src/modules/orders/index.ts';
import type { Filters } from '../../src/modules/targeting/index.ts';
import { describeSubscribers, estimateAudience } from '../../src/modules/tasks/index.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let publisher: Publisher;
before(async () => {
  service = await startTestService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });
  publisher = await service.sandbox.publisher({ max_sponsors: 50 });
});
after(() => service.stop());
beforeEach(() => service.sandbox.pauseAllOrders());

type Profile = Record<string, unknown>;

/** Returns true when a new user with these values is shown an order with these filters. */
async function isShown(filters: Filters, sent: Profile = {}, learned?: Profile): Promise<boolean> {
  const { sandbox } = service;
  const { orderId } = await sandbox.advertise({ filters, price_per_sub: 10, quantity: 5 });
  const user = freshUser();
  if (learned !== undefined) await sandbox.control('POST', `/profiles/${user}`, learned);
  const tasks = await sandbox.getSponsors(publisher.token, user, sent);
  await sandbox.control('POST', `/orders/${orderId}/pause`);
  return tasks.some((task) => task.ads_id === orderId);
}

/** Filters with values that fit and values that do not. The bot sends the first values; a link stores the second. */
const CASES: readonly { filters: Filters; fits: [Profile, Profile?]; misses: [Profile, Profile?] }[] = [
  { filters: { languages: ['en'] }, fits: [{ language_code: 'en-US' }], misses: [{ language_code: 'de' }] },
  { filters: { premium: true }, fits: [{ is_premium: true }], misses: [{ is_premium: false }] },
  { filters: { cyrillic_name: true }, fits: [{ first_name: 'Анна' }], misses: [{ first_name: 'Anna' }] },
  { filters: { russian_name: true }, fits: [{ first_name: 'Дмитрий' }], misses: [{ first_name: 'Котик' }] },
  { filters: { gender: 'female' }, fits: [{ first_name: 'Настя' }], misses: [{ first_name: 'Лёша' }] },
  { filters: { has_name: true }, fits: [{ first_name: 'X' }], misses: [{ first_name: '' }] },
  { filters: { has_username: false }, fits: [{ username: '' }], misses: [{ username: 'someone' }] },
  { filters: { has_username: true }, fits: [{ username: null }], misses: [{ username: '' }] },
  { filters: { has_name: true }, fits: [{ first_name: null }], misses: [{ first_name: ' ' }] },
  { filters: { languages: ['en'] }, fits: [{ language_code: null }], misses: [{}] },
  { filters: { languages: ['en'] }, fits: [{ language_code: '' }], misses: [{}] },
  { filters: { premium: true }, fits: [{ is_premium: null }], misses: [{}] },
  { filters: { chat_context: 'group' }, fits: [{ chat_id: -100123 }], misses: [{ chat_id: 77 }] },
  { filters: { countries: ['RU'] }, fits: [{}, { country: 'RU' }], misses: [{}, { country: 'DE' }] },
  { filters: { cities: ['Москва'] }, fits: [{}, { city: 'москва' }], misses: [{}, { city: 'Омск' }] },
  {
    filters: { cities: ['Saint Petersburg'] },
    fits: [{}, { city: 'Санкт-Петербург' }],
    misses: [{}, { city: 'Moscow' }],
  },
  { filters: { age: { min: 18, max: 25 } }, fits: [{}, { age: 20 }], misses: [{}, { age: 30 }] },
  {
    filters: { account_age_years: { min: 5 } },
    fits: [{}, { account_age_years: 6 }],
    misses: [{}, { account_age_years: 1 }],
  },
  {
    filters: { device_types: ['tablet'] },
    fits: [{}, { device_type: 'tablet' }],
    misses: [{}, { device_type: 'desktop' }],
  },
  { filters: { os: ['iOS', 'macOS'] }, fits: [{}, { os: 'macOS' }], misses: [{}, { os: 'Windows' }] },
  { filters: { has_photo: true }, fits: [{}, { has_photo: true }], misses: [{}, { has_photo: false }] },
  { filters: { real_photo: true }, fits: [{}, { real_photo: true }], misses: [{}, { real_photo: false }] },
  { filters: { has_bio: true }, fits: [{}, { has_bio: true }], misses: [{}, { has_bio: false }] },
  { filters: { has_audio: true }, fits: [{}, { has_audio: true }], misses: [{}, { has_audio: false }] },
  { filters: { rating: { min: 3 } }, fits: [{}, { rating: 3 }], misses: [{}, { rating: 2 }] },
  { filters: { gifts: { min: 1 } }, fits: [{}, { gifts: 4 }], misses: [{}, { gifts: 0 }] },
];

for (const { filters, fits, misses } of CASES) {
  const [key] = Object.keys(filters);
  test(`${key}: the task is shown to users who fit or are unknown, and hidden from users who do not fit`, async () => {
    assert.equal(await isShown(filters, ...fits), true, 'fits');
    assert.equal(await isShown(filters, ...misses), false, 'misses');
    if (key !== 'languages' && key !== 'premium') assert.equal(await isShown(filters), true, 'unknown');
  });
}

test('fresh_days: a new user fits, and the same user does not fit later', async () => {
  const { sandbox } = service;
  const user = freshUser();
  await sandbox.getSponsors(publisher.token, user);
  await sandbox.advance(9 * 24 * 3600);
  const { orderId } = await sandbox.advertise({ filters: { fresh_days: { max: 7 } } });
  assert.deepEqual(await sandbox.getSponsors(publisher.token, user), []);
  const tasks = await sandbox.getSponsors(publisher.token, freshUser());
  assert.deepEqual(
    tasks.map((task) => task.ads_id),
    [orderId],
  );
});

test('a value learned more than 90 days ago counts as unknown', async () => {
  const { sandbox } = service;
  const user = freshUser();
  await sandbox.control('POST', `/profiles/${user}`, { country: 'DE' });
  const { orderId } = await sandbox.advertise({ filters: { countries: ['RU'] } });
  assert.deepEqual(await sandbox.getSponsors(publisher.token, user), []);
  await sandbox.advance(91 * 24 * 3600);
  const tasks = await sandbox.getSponsors(publisher.token, user);
  assert.deepEqual(
    tasks.map((task) => task.ads_id),
    [orderId],
  );
});

test('coefficients raise the charge and not the reward, and a shown task keeps its charge', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const { account_id } = await sandbox.control('POST', '/accounts', { deposit: 1_000 });
  const { orderId, chatId } = await sandbox.advertise({
    account_id,
    price_per_sub: 10,
    quantity: 10,
    filters: { countries: ['RU'], gifts: { min: 1 } }, // 1.2 × 1.5 = 1.8
  });
  const user = freshUser();
  await sandbox.getSponsors(token, user);
  // The new filters cost more, but the task shown before keeps its charge.
  const dearer: Filters = { countries: ['RU'], gifts: { min: 1 }, cities: ['Москва'] };
  await service.database.db.transaction((tx) => changeFilters(tx, { orderId, filters: dearer }));
  await sandbox.join(chatId, user);
  assert.equal((await sandbox.confirm(token, user, orderId)).credited, 7);
  const { orders } = await sandbox.control('GET', '/state');
  const order = orders.find((candidate: { order_id: number }) => candidate.order_id === orderId);
  assert.equal(order.escrow, 180 - 18);
  await sandbox.assertBalanced();
});

test('an advertiser can exclude source bots, and a publisher can exclude orders and types of resources', async () => {
  const { sandbox, database } = service;
  const other = await sandbox.publisher();
  const { orderId } = await sandbox.advertise();
  const shownBy = async (token: string): Promise<number[]> =>
    (await sandbox.getSponsors(token, freshUser())).map((task) => task.ads_id);

  await database.db.transaction((tx) => excludeSources(tx, { orderId, botIds: [other.botId] }));
  await eventually('it is not shown', async () => (await shownBy(other.token)).length === 0);
  assert.deepEqual(await shownBy(publisher.token), [orderId]);

  await database.db.transaction((tx) => excludeSources(tx, { orderId, botIds: [] }));
  await eventually('it is shown again', async () => (await shownBy(other.token)).includes(orderId));
  await database.db.transaction((tx) => changeSettings(tx, other.botId, { excludedOrderIds: [orderId] }));
  await eventually('it is not shown', async () => (await shownBy(other.token)).length === 0);
  await database.db.transaction((tx) =>
    changeSettings(tx, other.botId, { excludedOrderIds: [], excludedResourceTypes: ['channel'] }),
  );
  await eventually('it is not shown', async () => (await shownBy(other.token)).length === 0);
});

test('unknown filters and values out of range are refused, and nothing is bought', async () => {
  const { sandbox } = service;
  const { account_id } = await sandbox.control('POST', '/accounts', { deposit: 1_000 });
  const { chat_id } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'T' });
  const wrong = [
    { account_age_years: { min: 1 } },
    { rating: { min: 11 } },
    { gender: 'other' },
    { countries: [] },
    { countries: ['Russia'] },
    { device_types: ['toaster'] },
    { premium: 'yes' },
    { languges: ['ru'] },
    { fresh_days: { max: 0 } },
    'premium',
  ];
  for (const filters of wrong) {
    const order = { account_id, chat_id, price_per_sub: 1, quantity: 1, filters };
    const answer = await sandbox.call('POST', '/sandbox/orders', order);
    assert.equal(answer.status, 422, JSON.stringify(filters));
    assert.equal(answer.body.detail, 'Validation error');
  }
  const { accounts } = await sandbox.control('GET', '/state');
  assert.equal(accounts.find((account: { account_id: number }) => account.account_id === account_id).balance, 1_000);
});

test('the audience estimate counts the known users who pass the filters and returns the price', async () => {
  const { sandbox, database } = service;
  const db = database.db;
  const clock = { now: () => new Date() };
  const before = await estimateAudience({ db, clock }, { filters: { cities: ['Тверь'] }, priceKopecks: 1_000n });
  const [inTver, elsewhere] = [freshUser(), freshUser()];
  await sandbox.control('POST', `/profiles/${inTver}`, { city: 'Тверь' });
  await sandbox.control('POST', `/profiles/${elsewhere}`, { city: 'Омск' });
  await sandbox.getSponsors(publisher.token, inTver);
  await sandbox.getSponsors(publisher.token, elsewhere);
  const estimate = await estimateAudience({ db, clock }, { filters: { cities: ['Тверь'] }, priceKopecks: 1_000n });
  assert.equal(estimate.knownUsers - before.knownUsers, 2);
  assert.equal(estimate.matchingUsers - before.matchingUsers, 1);
  assert.equal(estimate.isExact, true);
  assert.equal(estimate.chargeKopecks, 1_400n);
});

test('the estimate counts a user as fresh for so many days after the first request', async () => {
  const { sandbox, database } = service;
  const user = freshUser();
  await sandbox.getSponsors(publisher.token, user);
  const { now } = await sandbox.control('GET', '/state');
  const fresh = async (afterDays: number): Promise<number> => {
    const clock = { now: () => new Date(Date.parse(now) + afterDays * 86_400_000) };
    const terms = { filters: { fresh_days: { max: 3 } }, priceKopecks: 1_000n };
    return (await estimateAudience({ db: database.db, clock }, terms)).matchingUsers;
  };
  assert.ok((await fresh(2)) > 0, 'the user came today');
  assert.equal(await fresh(5), 0);
});

test('the estimate and the statistics show for how many users the value of a filter is known', async () => {
  const { sandbox, database } = service;
  const deps = { db: database.db, clock: { now: () => new Date() } };
  const filters: Filters = { countries: ['RU'], languages: ['ru'], chat_context: 'private' };
  const { orderId, chatId } = await sandbox.advertise({ filters });
  assert.deepEqual(await describeSubscribers(deps, { id: orderId, filters }), [], 'nobody has subscribed yet');
  const users = [freshUser(), freshUser(), freshUser()];
  for (const [index, user] of users.entries()) {
    if (index === 0) await sandbox.control('POST', `/profiles/${user}`, { country: 'RU' });
    await sandbox.getSponsors(publisher.token, user, { language_code: 'ru' });
    await sandbox.join(chatId, user);
    await sandbox.confirm(publisher.token, user, orderId);
  }
  assert.deepEqual(await describeSubscribers(deps, { id: orderId, filters }), [
    { key: 'languages', knownPercent: 100 },
    { key: 'countries', knownPercent: 34 },
  ]);
  const { knowledge } = await estimateAudience(deps, { filters, priceKopecks: 1_000n });
  const [languages, countries] = knowledge;
  assert.deepEqual([languages?.key, countries?.key, knowledge.length], ['languages', 'countries', 2]);
  assert.ok(countries !== undefined && countries.knownPercent > 0 && countries.knownPercent < 100);
});
