import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { readable, type Seen, Visitor } from './visitor.ts';

// No operator is named, so payouts by hand would wait for ever.
const service = useService({ OPERATOR_IDS: '' });

const NEW_ORDER = '/console/orders/new';
const TERMS = { kind: 'channel', title: 'Daily news', price: '10', quantity: '5', hold: '24', refund: 'yes' };

const orderIn = (seen: Seen): number =>
  Number(/\/console\/orders\/(\d+)$/.exec(seen.headers.get('location') ?? '')?.[1]);

async function advertiser(deposit = 1_000) {
  const grace = await Visitor.signedIn(service.sandbox, { deposit });
  await grace.get(NEW_ORDER);
  const { link, chat_id: chatId } = await service.sandbox.control('POST', '/chats', { type: 'channel', title: 'News' });
  return { grace, chatId, link: String(link) };
}

describe('a new bot', () => {
  it('is added with its token, which the page never shows again', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await grace.get('/console/bots/new');
    const username = `b${freshUser()}_bot`;
    const { token } = await service.sandbox.control('POST', '/chats', { type: 'bot', title: 'Quiz', username });
    const page = await grace.submit('/console/bots/new', { token: `Use this token: ${token}` });
    assert.match(readable(page.text), new RegExp(`@${username}`));
    assert.match(readable(page.text), /The bot is added/);
    assert.doesNotMatch(page.text, new RegExp(String(token).slice(-20)));
    await grace.get('/console/bots/new');
    assert.match(
      readable((await grace.submit('/console/bots/new', { token: String(token) })).text),
      /added this bot before/,
    );
  });

  it('with a wrong token is refused with the reason', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    await grace.get('/console/bots/new');
    const typed = await grace.post('/console/bots/new', { token: 'my secret word' });
    assert.equal(typed.status, 422);
    assert.match(readable(typed.text), /does not look like a token/);
    assert.doesNotMatch(typed.text, /my secret word/, 'a typed token is not sent back');
    const unknown = await grace.post('/console/bots/new', { token: '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' });
    assert.match(readable(unknown.text), /does not accept this token/);
  });
});

describe('a new order', () => {
  it('is created from the form once, with its filters, and paid from the balance', async () => {
    const { grace, link } = await advertiser();
    const fields = { ...TERMS, chat_name: link, countries: 'Russia, Belarus', hours: '9-21', key: 'one' };
    const created = await grace.post(NEW_ORDER, fields);
    assert.equal(created.status, 303, readable(created.text));
    const orderId = orderIn(created);
    const again = await grace.post(NEW_ORDER, fields);
    assert.equal(orderIn(again), orderId, 'a form sent twice buys once');
    const page = readable((await grace.get(`/console/orders/${orderId}`)).text);
    assert.match(page, /Daily news/);
    assert.match(page, /Country: Russia, Belarus/);
    assert.match(page, /9:00–21:00|09:00–21:00/);
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 100_000 - 6_000, '5 × 10 × 1.2');
    await service.sandbox.assertBalanced();
  });

  it('takes the name in Telegram when the title is empty', async () => {
    const { grace, link } = await advertiser();
    const orderId = orderIn(await grace.post(NEW_ORDER, { ...TERMS, title: '', chat_name: link, key: 'two' }));
    assert.match(readable((await grace.get(`/console/orders/${orderId}`)).text), /News/);
  });

  it('names each wrong field and what is wrong with it, and buys nothing', async () => {
    const { grace } = await advertiser();
    const seen = await grace.post(NEW_ORDER, {
      ...TERMS,
      price: 'cheap',
      quantity: '0',
      hours: 'always',
      hold: '9999',
      countries: 'Narnia',
    });
    const text = readable(seen.text);
    assert.equal(seen.status, 422);
    for (const reason of [
      /does not look like an amount/,
      /A whole number from 1 to 10,000,000/,
      /These are no hours/,
      /A whole number from 0 to 720/,
      /“Narnia” is not known/,
    ]) {
      assert.match(text, reason);
    }
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 100_000);
  });

  it('for an unknown channel, an invite link or too little money says so', async () => {
    const { grace, link } = await advertiser(10);
    const refusal = async (fields: Record<string, string>): Promise<string> => {
      const seen = await grace.post(NEW_ORDER, { ...TERMS, ...fields });
      assert.equal(seen.status, 422);
      return readable(seen.text);
    };
    assert.match(await refusal({ chat_name: '@no_such_channel_here' }), /There is no such channel/);
    assert.match(await refusal({ chat_name: 'https://t.me/+abcdefgh' }), /invite link does not tell which/);
    assert.match(await refusal({ chat_name: '???' }), /does not look like a channel/);
    assert.match(await refusal({ chat_name: link }), /Your balance lacks ₽40\.00/);
    assert.match(await refusal({ kind: 'bot', bot_token: 'x' }), /does not look like a token/);
    assert.match(await refusal({ kind: 'external', bot_name: '@some_shop_bot' }), /put SG-/);
  });

  it('previews the task, the price and the audience while it is typed', async () => {
    const { grace } = await advertiser();
    const figures = JSON.parse(
      (await grace.post(`${NEW_ORDER}/estimate`, { ...TERMS, title: '<b>News</b>', countries: 'Россия' })).text,
    );
    assert.deepEqual([figures.title, figures.price, figures.total], ['<b>News</b>', '₽12.00', '₽60.00']);
    assert.equal(figures.missing, '–');
    assert.match(figures.audience, /\d+ of \d+/);
    const page = await grace.post(NEW_ORDER, { ...TERMS, title: '<b>News</b>', recalculate: 'yes' });
    assert.equal(page.status, 200);
    assert.match(page.text, /&lt;b&gt;News|&#60;b&#62;News/, 'the title is text, never markup');
  });

  it('cannot be sent by another site', async () => {
    const { grace, link } = await advertiser();
    grace.csrf = 'forged';
    const seen = await grace.post(NEW_ORDER, { ...TERMS, chat_name: link });
    assert.equal(seen.status, 403);
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 100_000);
  });
});

describe('the frame of a page', () => {
  it('links to the management bot and counts what waits', async () => {
    const { grace } = await advertiser();
    const before = (await grace.get('/console')).text;
    assert.match(before, /href="\/sandbox"[^>]*>Management bot/);
    assert.doesNotMatch(before, /class="menu-count"/);
    await grace.get('/console/payouts');
    await grace.submit('/console/payouts', { amount: '500', method: 'manual', destination: 'card', key: 'p1' });
    assert.match((await grace.get('/console')).text, /Payouts<\/span><span class="menu-count">1/);
  });

  it('warns at the payouts of a service without operators', async () => {
    const { grace } = await advertiser();
    assert.match(readable((await grace.get('/console/payouts')).text), /has no operator \(OPERATOR_IDS is empty\)/);
  });
});

describe('the history', () => {
  it('is filtered by kind, day and number, and so is its file', async () => {
    const { grace, link } = await advertiser();
    const orderId = orderIn(await grace.post(NEW_ORDER, { ...TERMS, chat_name: link, key: 'h' }));
    const rows = (text: string): number => text.match(/<tr role="row"><td/g)?.length ?? 0;
    assert.equal(rows((await grace.get('/console/history')).text), 2);
    const funded = await grace.get('/console/history?kind=order_funded');
    assert.equal(rows(funded.text), 1);
    assert.match(readable(funded.text), /Order paid for/);
    assert.equal(rows((await grace.get(`/console/history?about=${orderId}`)).text), 1);
    assert.equal(rows((await grace.get('/console/history?until=2001-01-01')).text), 0);
    const file = await grace.get('/console/history?kind=order_funded&format=csv&table=history');
    assert.equal(file.text.trim().split('\r\n').length, 2);
  });
});
