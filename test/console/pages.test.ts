import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, readCsv, Visitor } from './visitor.ts';

const service = useService();
const HOSTILE = `<script>alert("1")</script><img src=x onerror=alert(1)>' "`;
const FORMULA = '=HYPERLINK("https://evil.example")';

const LISTS = ['', '/bots', '/orders', '/links', '/payouts', '/history', '/webhooks', '/sessions'];

describe('a new account', () => {
  it('can open every page in both languages, with a hint how to start', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    for (const language of ['ru', 'en'] as const) {
      await grace.submit('/console/language', { language, back: '/console' });
      for (const path of LISTS) {
        const { status, text } = await grace.get(`/console${path}`);
        assert.equal(status, 200, path);
        assert.match(text, new RegExp(`^<!doctype html>\\n<html lang="${language}">`));
        assert.match(text, /<h1>[^<]+<\/h1>/);
        assert.doesNotMatch(readable(text), /undefined|NaN|\[object/, path);
        if (language === 'en') assert.doesNotMatch(readable(text).replaceAll('₽', ''), /[а-яё]/i, path);
      }
    }
    assert.match(readable((await grace.get('/console')).text), /Add a bot or create an order/);
  });

  it('gets a page with status 404 for a missing page', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    for (const path of [
      '/console/nothing',
      '/console/bots/0',
      '/console/bots/abc',
      '/console/orders/1e9',
      '/console/bots/9'.repeat(9),
    ]) {
      assert.equal((await grace.get(path)).status, 404, path);
    }
    assert.equal((await grace.get('/console/history?format=csv&table=none')).status, 404);
  });
});

describe('user text', () => {
  it('is escaped on every page and is no formula in a file', async () => {
    const { sandbox } = service;
    const grace = await Visitor.signedIn(sandbox, { name: HOSTILE, deposit: 1_000 });
    const { orderId } = await sandbox.advertise({
      account_id: grace.accountId,
      name: FORMULA,
      title: HOSTILE.slice(0, 100),
      price_per_sub: 10,
      quantity: 10,
    });
    await grace.get('/console/links');
    const link = await grace.post('/console/links', { url: 'https://example.com/?<b>', name: HOSTILE });
    await grace.submit('/console/payouts', { amount: '100', method: 'manual', destination: FORMULA, key: 'one' });
    const pages = [
      ...LISTS.map((path) => `/console${path}`),
      `/console/orders/${orderId}`,
      link.headers.get('location') ?? '',
    ];
    let shown = 0;
    for (const path of pages) {
      const { text, status } = await grace.get(path);
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /<script>|<img|onerror=alert\(1\)>/, path);
      if (readable(text).includes('alert("1")')) shown += 1;
    }
    assert.ok(shown >= 3, `${shown} pages show the text itself`);
    const orders = readCsv((await grace.get('/console/orders?format=csv')).text);
    assert.equal(orders[1]?.[0], `'${FORMULA}`);
    const payouts = readCsv((await grace.get('/console/payouts?format=csv&table=payouts')).text);
    assert.equal(payouts[1]?.[4], `'${FORMULA}`);
  });
});

describe('a table', () => {
  it('can be downloaded with all rows, exact amounts and Moscow times', async () => {
    const { sandbox } = service;
    const grace = await Visitor.signedIn(sandbox, { deposit: 2_000 });
    const names = Array.from({ length: 30 }, (_, index) => `Order ${index + 1}`);
    const { chat_id: chatId } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'C' });
    for (const name of names) {
      await sandbox.advertise({ account_id: grace.accountId, chat_id: chatId, name, price_per_sub: 1.05, quantity: 3 });
    }
    const page = await grace.get('/console/orders');
    assert.equal([...page.text.matchAll(/<td role="cell" data-label="Name"/g)].length, 25, 'a page of the list');
    const next = /<a class="button" href="([^"]+)" rel="next"/.exec(page.text)?.[1] ?? '';
    const last = await grace.get(next);
    assert.equal([...last.text.matchAll(/data-label="Name"/g)].length, 5);
    assert.match(last.text, /<a class="button" href="\/console\/orders">Newest<\/a><\/nav>/, 'and no further page');

    const file = await grace.get('/console/orders?format=csv&table=orders');
    assert.match(file.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
    assert.match(
      file.headers.get('content-disposition') ?? '',
      /^attachment; filename="sponsorgate-orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    assert.ok(file.text.startsWith('\ufeff'));
    const [head, ...rows] = readCsv(file.text);
    assert.deepEqual(head?.slice(0, 4), ['Name', 'No.', 'Status', 'Price per subscriber']);
    assert.deepEqual(rows.map(([name]) => name).reverse(), names);
    assert.deepEqual(rows[0]?.slice(2, 4), ['active', '1.05']);

    const history = readCsv((await grace.get('/console/history?format=csv')).text);
    assert.equal(history.length, 1 + 1 + 30, 'a head, a deposit, an order paid for each');
    const sum = history.slice(1).reduce((total, row) => total + Math.round(Number(row[2]) * 100), 0);
    assert.equal(sum, await sandbox.kopecks('available', grace.accountId), 'the column adds up to the balance');
    const [time = ''] = history[1] ?? [];
    const { now } = await sandbox.control('GET', '/state');
    const moscow = new Date(`${time.replace(' ', 'T')}+03:00`);
    assert.ok(Math.abs(new Date(now).getTime() - moscow.getTime()) < 120_000, time);
  });

  it('on every page links to its file, and the file exists', async () => {
    const { sandbox } = service;
    const grace = await Visitor.signedIn(sandbox, { deposit: 1_000 });
    const bot = await sandbox.control('POST', '/bots', { account_id: grace.accountId });
    const mine = await sandbox.advertise({ account_id: grace.accountId, price_per_sub: 10, quantity: 10 });
    const other = await sandbox.publisher();
    await sandbox.subscribe(other.token, mine, freshUser());
    const theirs = await sandbox.advertise({ price_per_sub: 10, quantity: 10 });
    await sandbox.subscribe(bot.api_token, theirs, freshUser());
    const pages = ['/console', '/console/bots', `/console/bots/${bot.bot_id}`, `/console/orders/${mine.orderId}`];
    let files = 0;
    for (const path of pages) {
      const page = await grace.get(path);
      const links = [...page.text.matchAll(/href="([^"]*format=csv[^"]*)" download/g)].map((match) =>
        readable(match[1] ?? ''),
      );
      assert.ok(links.length > 0, path);
      for (const link of links) {
        const file = await grace.get(link);
        assert.equal(file.status, 200, link);
        const rows = readCsv(file.text);
        assert.ok(rows.length >= 2, `${link}: ${file.text}`);
        for (const row of rows) assert.equal(row.length, rows[0]?.length, link);
        files += 1;
      }
    }
    assert.ok(files >= 12, `${files} files`);
  });
});
