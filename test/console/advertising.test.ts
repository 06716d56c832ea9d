import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FILTERS } from '../../src/modules/targeting/index.ts';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();

async function advertiser() {
  const grace = await Visitor.signedIn(service.sandbox, { deposit: 1_000 });
  const order = await service.sandbox.advertise({ account_id: grace.accountId, price_per_sub: 10, quantity: 20 });
  const path = `/console/orders/${order.orderId}`;
  await grace.get(path);
  return { grace, path, ...order };
}

const statusOf = async (orderId: number): Promise<string> => (await service.sandbox.order(orderId)).status;

async function storedFilters(orderId: number): Promise<object | undefined> {
  const { db } = service.database;
  const [row] = await db.query<{ filters: object }>('SELECT filters FROM orders WHERE id = $1', [orderId]);
  return row?.filters;
}

describe('an order', () => {
  it('can be paused, resumed, topped up and cancelled with a refund', async () => {
    const { grace, path, orderId } = await advertiser();
    await grace.submit(`${path}/pause`);
    assert.equal(await statusOf(orderId), 'paused');
    await grace.submit(`${path}/resume`);
    assert.equal(await statusOf(orderId), 'active');
    await grace.submit(`${path}/top-up`, { quantity: '5', key: 'one' });
    assert.equal((await service.sandbox.order(orderId)).quantity, 25);
    assert.match(readable((await grace.get(`${path}/cancel`)).text), /not shown any more, for good/);
    assert.equal(await statusOf(orderId), 'active', 'asking changes nothing');
    await grace.submit(`${path}/cancel`);
    assert.equal(await statusOf(orderId), 'cancelled');
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 100_000);
    const closed = await grace.get(path);
    assert.doesNotMatch(closed.text, /\/pause|\/top-up|\/filters"/, 'a closed order has no buttons');
    assert.match(
      readable((await grace.submit(`${path}/top-up`, { quantity: '5', key: 'two' })).text),
      /does not allow/,
    );
    await service.sandbox.assertBalanced();
  });
});

describe('the filters', () => {
  it('are all on the page, each with its coefficient', async () => {
    const { grace, path } = await advertiser();
    const { text } = await grace.get(`${path}/filters`);
    assert.equal(FILTERS.length, 24);
    for (const { key } of FILTERS) assert.match(text, new RegExp(` name="${key}(_min)?"`), key);
    const factors = readable(text).match(/\(×\d\.\d+\)/g);
    assert.equal(factors?.length, FILTERS.filter((filter) => 'coefficientPercent' in filter).length);
  });

  it('show price and audience before they are saved, without changing the order', async () => {
    // A user whose profile is known only from bots, seen before there was an order.
    await service.sandbox.getSponsors((await service.sandbox.publisher()).token, freshUser());
    const { grace, path, orderId } = await advertiser();
    await grace.get(`${path}/filters`);
    const answer = await grace.post(`${path}/filters/estimate`, { countries: 'RU', os: ['Android', 'iOS'] });
    const figures = JSON.parse(answer.text);
    assert.equal(figures.price, '₽13.20', '10 × 1.2 × 1.1');
    assert.equal(figures.factor, '×1.32');
    assert.equal(figures.left, '15', '200 ₽ at 13.20 each');
    assert.match(figures.known, /^Country: known \d+%, unknown \d+%; Operating system: known /);
    const again = await grace.post(`${path}/filters`, { countries: 'RU', recalculate: 'yes' });
    assert.equal(again.status, 200);
    assert.match(readable(again.text), /Price per subscriber ₽12\.00/);
    assert.match(readable(again.text), /at the same price: with the full coefficient/);
    assert.match(again.text, /name="countries" type="text" value="RU"/, 'what was typed stays');
    assert.deepEqual(await storedFilters(orderId), {});
  });

  it('are saved, shown again unchanged, and decide which users see the order', async () => {
    const { grace, path, orderId } = await advertiser();
    await grace.get(`${path}/filters`);
    const fields = {
      languages: 'RU, en',
      age_min: '18',
      age_max: '45',
      gender: 'female',
      device_types: ['smartphone', 'tablet'],
      premium: 'no',
      rating: '3',
      gifts: '2',
      fresh_days: '30',
      human_checked: 'no',
      cities: 'Moscow, Kazan',
    };
    const saved = await grace.submit(`${path}/filters`, fields);
    assert.match(
      readable(saved.text),
      /The filters are saved.*City: Moscow, Kazan.*Age: from 18 up to 45.*Gender: female/s,
    );
    const form = (await grace.get(`${path}/filters`)).text;
    assert.match(form, /name="languages" type="text" value="Russian, English"/);
    assert.match(form, /name="age_min" type="number" value="18"/);
    assert.match(form, /<option value="female" selected>/);
    assert.match(form, /name="device_types" value="tablet" checked/);
    const { token } = await service.sandbox.publisher();
    const shownTo = async (extra: Record<string, unknown>): Promise<boolean> =>
      (await service.sandbox.getSponsors(token, freshUser(), extra)).some((task) => task.ads_id === orderId);
    assert.equal(await shownTo({ first_name: 'Анна', language_code: 'ru' }), true);
    assert.equal(await shownTo({ first_name: 'Анна', language_code: 'de' }), false);
    assert.equal(await shownTo({ first_name: 'Иван', language_code: 'ru' }), false);
    const empty = await grace.submit(`${path}/filters`, {});
    assert.match(readable(empty.text), /everybody/);
    assert.equal(await shownTo({ first_name: 'Иван', language_code: 'de' }), true);
  });

  it('with invalid values are refused; the form marks the field and keeps the typed text', async () => {
    const { grace, path, orderId } = await advertiser();
    await grace.get(`${path}/filters`);
    const wrong = { countries: 'Narnia', age_min: '50', age_max: '20', gifts: '1000', premium: 'maybe', rating: '11' };
    const answer = await grace.post(`${path}/filters`, { ...wrong, cities: 'Omsk' });
    assert.equal(answer.status, 422);
    assert.match(
      readable(answer.text),
      /Country: “Narnia” is not known.*Age: The first number is above the second.*Telegram Premium: This value does not exist.*Rating: A whole number from 1 to 10 is needed.*Gifts: A whole number from 1 to 100/,
    );
    assert.match(answer.text, /name="countries" type="text" value="Narnia"[^>]*aria-invalid="true"/);
    assert.match(answer.text, /name="cities" type="text" value="Omsk"/);
    assert.deepEqual(await storedFilters(orderId), {});
  });
});
