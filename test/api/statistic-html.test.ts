import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();
const NASTY = `<script>alert("x")</script> & 'Ко' <img src=x onerror=alert(1)>`;

async function html(token: string, query: Record<string, string | number>): Promise<string> {
  const answer = await service.sandbox.statistic(token, { ...query, output_format: 'html' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.body, /<table[^>]*>.*<\/table>/s);
  return answer.body;
}

/** Returns the cells of the table body, row by row. */
function cellsOf(table: string): string[][] {
  const body = /<tbody>(.*)<\/tbody>/s.exec(table)?.[1] ?? '';
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell),
  );
}

function headingsOf(table: string): string[] {
  return [...table.matchAll(/<th\b[^>]*>(.*?)<\/th>/g)].map(([, heading = '']) => heading);
}

test('`allbots` is a table with one row per bot and one column per field', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher({ username: 'table_bot' });
  await sandbox.subscribe(token, await sandbox.advertise(), freshUser());
  const table = await html(token, {});
  assert.deepEqual(headingsOf(table), ['Number', 'Bot', 'Active', 'Subscribers', 'Revenue, ₽']);
  assert.deepEqual(cellsOf(table), [[String(botId), 'table_bot', 'yes', '1', '7']]);
});

test('`bots` is a table with one row per subscription', async () => {
  const { sandbox } = service;
  const { token, botId } = await sandbox.publisher({ username: 'records_table_bot' });
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(token, order, user);
  const table = await html(token, { action: 'bots', bot_id: botId });
  assert.match(table, /records_table_bot/);
  assert.deepEqual(headingsOf(table), ['User', 'Order', 'Status', 'Amount, ₽', 'Time (Moscow)']);
  const [row = []] = cellsOf(table);
  assert.deepEqual(row.slice(0, 4), [String(user), String(order.orderId), 'subscribed', '7']);
});

test('`allads` is a table with one row per order, and `ads` one with one row per subscription', async () => {
  const { sandbox } = service;
  const advertiser = await sandbox.publisher({ deposit: 100 });
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ account_id: advertiser.accountId, name: 'Winter' });
  const user = freshUser();
  await sandbox.subscribe(token, order, user);

  const orders = await html(advertiser.token, { action: 'allads' });
  assert.deepEqual(headingsOf(orders), [
    'Order',
    'Name',
    'Status',
    'Price per subscriber, ₽',
    'Subscribers',
    'Conversion, %',
    'Spent, ₽',
  ]);
  assert.deepEqual(cellsOf(orders), [[String(order.orderId), 'Winter', 'active', '10', '1', '100', '10']]);
  const records = await html(advertiser.token, { action: 'ads', order_id: order.orderId });
  assert.match(records, /Winter/);
  assert.equal(cellsOf(records)[0]?.[0], String(user));
});

test('an empty report is also a table', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const action of ['bots', 'allads']) assert.equal(cellsOf(await html(token, { action })).length, 1);
});

test('text from users is escaped', async () => {
  const { sandbox } = service;
  const advertiser = await sandbox.publisher({ deposit: 100 });
  const order = await sandbox.advertise({ account_id: advertiser.accountId, name: NASTY, title: NASTY });
  const list = await html(advertiser.token, { action: 'allads' });
  const single = await html(advertiser.token, { action: 'ads', order_id: order.orderId });
  for (const table of [list, single]) {
    assert.doesNotMatch(table, /<script|<img|onerror=alert\(1\)>/);
    assert.ok(decode(table).includes(NASTY), 'the text itself is shown');
  }
});

test('JSON contains the same text unescaped and is not served as HTML', async () => {
  const { sandbox } = service;
  const advertiser = await sandbox.publisher({ deposit: 100 });
  await sandbox.advertise({ account_id: advertiser.accountId, name: NASTY });
  const answer = await sandbox.statistic(advertiser.token, { action: 'allads' });
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.body.orders[0].name, NASTY);
});

test('a report is a document with language and title that any admin panel may frame, in the language of the browser', async () => {
  const { token } = await service.sandbox.publisher();
  for (const [accepted, language, title, label] of [
    ['ru-RU,ru;q=0.9', 'ru', 'Боты', 'Доход, ₽'],
    ['en-GB', 'en', 'Bots', 'Revenue, ₽'],
  ] as const) {
    const url = `${service.sandbox.url}/statistic?api_token=${token}&output_format=html`;
    const answer = await fetch(url, { headers: { 'accept-language': accepted } });
    const page = await answer.text();
    assert.match(page, new RegExp(`<html lang="${language}"`));
    assert.ok(page.includes(`<title>${title} · Sponsorgate</title>`) && page.includes(`<h1>${title}</h1>`), page);
    assert.ok(headingsOf(page).includes(label));
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /frame-ancestors|script-src/);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer', 'the address contains the token');
  }
});

test('a browser sees an error as a page in its language', async () => {
  const url = `${service.sandbox.url}/statistic?api_token=at_wrong&output_format=html`;
  const answer = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': 'ru' } });
  assert.equal(answer.status, 401);
  const page = await answer.text();
  assert.match(page, /<html lang="ru">[\s\S]*<h1>API-токен не подходит<\/h1>/);
  assert.ok(!page.includes('at_wrong'), 'the token is not repeated');
});

test('an error is JSON for programs even when HTML is requested', async () => {
  const answer = await service.sandbox.statistic('at_wrong', { output_format: 'html' });
  assert.equal(answer.status, 401);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.body.detail, 'Invalid or inactive Bot API Key');
});

function decode(markup: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return markup.replace(/&(?:#(\d+)|([a-z]+));/g, (whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ''] ?? whole) : String.fromCharCode(Number(code)),
  );
}
