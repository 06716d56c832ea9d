import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, readCsv, untilNoon, Visitor } from './visitor.ts';

const service = useService();

it('the daily figures of revenue, reversals, holds and conversion match the ledger', async () => {
  const { sandbox } = service;
  await untilNoon(sandbox);
  const grace = await Visitor.signedIn(sandbox);
  const { api_token: token } = await sandbox.control('POST', '/bots', { account_id: grace.accountId, max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 50 });
  // Yesterday: four tasks shown, three counted, one reversed. Today: two shown, one counted.
  const users = [freshUser(), freshUser(), freshUser()];
  for (const user of users) await sandbox.subscribe(token, order, user);
  await sandbox.getSponsors(token, freshUser());
  await sandbox.leave(order.chatId, users[0] ?? 0);
  await sandbox.advance(24 * 3600);
  await sandbox.subscribe(token, order, freshUser());
  await sandbox.getSponsors(token, freshUser());

  const file = async (table: string): Promise<string[][]> =>
    readCsv((await grace.get(`/console?days=7&format=csv&table=${table}`)).text);
  const revenue = await file('revenue');
  assert.deepEqual(revenue[0], ['Day', 'Earned', 'Taken back']);
  assert.equal(revenue.length, 1 + 7);
  assert.deepEqual(
    revenue.slice(-2).map((row) => row.slice(1)),
    [
      ['21.00', '-7.00'],
      ['7.00', '0.00'],
    ],
  );
  assert.deepEqual(
    (await file('subscriptions')).slice(-2).map((row) => row.slice(1)),
    [
      ['3', '-1'],
      ['1', '0'],
    ],
  );
  assert.deepEqual(
    (await file('conversion')).slice(-3).map((row) => row.slice(1)),
    [[''], ['75'], ['50']],
  );
  const holds = await file('holds');
  assert.deepEqual(
    holds.slice(1).map((row) => row[1]),
    ['7.00'],
    'what is due has been released by the clock',
  );
  const page = readable((await grace.get('/console?days=7')).text);
  assert.match(page, /Available ₽14\.00/);
  assert.match(page, /In hold ₽7\.00/);
  assert.match(page, /Revenue by day ₽21\.00/);
  assert.match(page, /Conversion by day 66\.7%/);
});

it('an advertiser sees spending, and the page of an order shows its funnel and its sources', async () => {
  const { sandbox } = service;
  const grace = await Visitor.signedIn(sandbox, { deposit: 500 });
  const order = await sandbox.advertise({ account_id: grace.accountId, price_per_sub: 10, quantity: 20, name: 'Mine' });
  const [good, bad] = [await sandbox.publisher({ max_sponsors: 1 }), await sandbox.publisher({ max_sponsors: 1 })];
  const users = [freshUser(), freshUser(), freshUser(), freshUser()];
  for (const [index, user] of users.entries()) await sandbox.subscribe(index < 3 ? good.token : bad.token, order, user);
  await sandbox.getSponsors(bad.token, freshUser());
  await sandbox.leave(order.chatId, users[3] ?? 0);

  const spending = readCsv((await grace.get('/console?format=csv&table=spending')).text);
  assert.deepEqual(spending.at(-1)?.slice(1), ['40.00', '-10.00']);
  const page = await grace.get(`/console/orders/${order.orderId}`);
  assert.match(readable(page.text), /Shown 5 .*Confirmed 4 80% .*Kept 3 75%/s);
  const widths = [...page.text.matchAll(/<rect class="bar s\d" width="([\d.]+)" height="10"/g)].map(
    (match) => match[1],
  );
  assert.deepEqual(widths, ['100', '80', '60']);
  const path = `/console/orders/${order.orderId}?format=csv&table=sources`;
  const sources = readCsv((await grace.get(path)).text).slice(1);
  assert.deepEqual(
    sources.map((row) => row.slice(1, 4)),
    [
      ['3', '0', '30.00'],
      ['1', '1', '0.00'],
    ],
  );
  await sandbox.advance(25 * 3600);
  const later = readCsv((await grace.get(path)).text).slice(1);
  assert.deepEqual(
    later.map((row) => row[4]),
    ['100', '0'],
    'kept after a day',
  );

  const excluded = await grace.submit(`/console/orders/${order.orderId}/sources/${bad.botId}`, { excluded: 'yes' });
  assert.match(readable(excluded.text), /excluded/);
  assert.deepEqual(await sandbox.getSponsors(bad.token, freshUser()), []);
  await grace.submit(`/console/orders/${order.orderId}/sources/${bad.botId}`, { excluded: 'no' });
  assert.equal((await sandbox.getSponsors(bad.token, freshUser())).length, 1);
});
