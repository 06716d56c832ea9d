import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInitData } from '../api/links-app.ts';
import { useService } from '../api/use-service.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();

/** Returns the text after the `#` with which Telegram opens the Mini App from the bot. */
async function launch(visitor: Visitor, next: string): Promise<string> {
  const { management_bot: bot } = await service.sandbox.control('GET', '/state');
  const url = `${service.url}/console/app?next=${encodeURIComponent(next)}`;
  const opened = await service.sandbox.control('POST', `/persons/${visitor.person.id}/web-app`, { bot, url });
  return new URLSearchParams(new URL(opened.url).hash.slice(1)).get('tgWebAppData') ?? '';
}

const enter = (visitor: Visitor, initData: string, next = '/console/orders', theme = '') =>
  visitor.send('POST', '/console/app', new URLSearchParams({ init_data: initData, next, theme }));

async function advertiser(): Promise<{ ann: Visitor; filters: string }> {
  const ann = await Visitor.arrive(service.sandbox, { deposit: 1_000 });
  const { orderId } = await service.sandbox.advertise({ account_id: ann.accountId, price_per_sub: 10, quantity: 10 });
  return { ann, filters: `/console/orders/${orderId}/filters` };
}

describe('the Mini App', () => {
  it('signs in a person with valid init data and opens the filters', async () => {
    const { ann, filters } = await advertiser();
    const entrance = await ann.get(`/console/app?next=${filters}`);
    assert.match(entrance.text, new RegExp(`data-next="${filters}"`));
    assert.match(
      entrance.headers.get('content-security-policy') ?? '',
      /frame-ancestors https:\/\/\*\.telegram\.org 'self'/,
    );
    const answer = await enter(ann, await launch(ann, filters), filters, 'dark');
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [200, { next: filters }]);
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /^console-app=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    const page = await ann.get(filters);
    assert.equal(page.status, 200);
    assert.match(page.text, /<html lang="en" data-theme="dark">/);
    assert.doesNotMatch(page.text, /class="side"/, 'without the console around it');
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/\*\.telegram\.org/);
    assert.equal(page.headers.get('x-frame-options'), null);
    const saved = await ann.submit(filters, { premium: 'yes', countries: 'ru' });
    assert.match(readable(saved.text), /The filters are saved/);
  });

  it('reaches the pages of orders only', async () => {
    const { ann, filters } = await advertiser();
    await enter(ann, await launch(ann, filters));
    assert.equal((await ann.get('/console/orders')).status, 200);
    for (const path of ['/console', '/console/bots', '/console/webhooks', '/console/payouts', '/console/sessions']) {
      const answer = await ann.get(path);
      assert.equal(answer.status, 403, path);
      assert.match(readable(answer.text), /In a browser only/);
    }
    await ann.get(filters);
    const payout = await ann.post('/console/payouts', { amount: '100', method: 'manual', destination: 'x', key: 'k' });
    assert.equal(payout.status, 403);
  });

  it('and the console in the same browser have separate sessions: frames and form tokens decide', async () => {
    const { ann, filters } = await advertiser();
    await ann.signIn();
    const inConsole = ann.csrf;
    await enter(ann, await launch(ann, filters), filters);
    assert.deepEqual([...ann.cookies.keys()], ['console', 'console-app']);
    const framed = await ann.get(filters, { 'sec-fetch-dest': 'iframe' });
    assert.doesNotMatch(framed.text, /class="side"/);
    assert.equal(framed.headers.get('x-frame-options'), null);
    const inFrame = ann.csrf;
    assert.notEqual(inFrame, inConsole);
    assert.equal((await ann.post(`${filters}/estimate`, { premium: 'yes' })).status, 200);
    assert.equal((await ann.post('/console/language', { language: 'en' })).status, 303);
    assert.equal((await ann.post('/console/webhooks', { url: 'https://example.com/' })).status, 403, 'not in a frame');
    ann.csrf = inConsole;
    assert.equal((await ann.post('/console/webhooks', { url: 'https://example.com/' })).status, 422, 'but beside it');
    const page = await ann.get(filters);
    assert.match(page.text, /class="side"/);
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
  });

  it('accepts init data once, while it is fresh and unchanged', async () => {
    const { ann, filters } = await advertiser();
    const used = await launch(ann, filters);
    assert.equal((await enter(ann, used)).status, 200);
    assert.equal((await enter(ann, used)).status, 200, 'who is in already stays in');
    const thief = ann.elsewhere();
    const reordered = new URLSearchParams([...new URLSearchParams(used)].reverse()).toString();
    const forged = new URLSearchParams(used);
    forged.set('user', JSON.stringify({ id: 1 }));
    const old = await launch(ann, filters);
    await service.sandbox.advance(301);
    const foreign = signInitData({ user: JSON.stringify({ id: ann.person.id }), auth_date: String(Date.now() / 1000) });
    for (const text of [used, reordered, forged.toString(), old, foreign, '', 'x'.repeat(9_000)]) {
      const answer = await enter(thief, text);
      assert.equal(answer.status, 401, text.slice(0, 60));
    }
    assert.equal(thief.cookies.size, 0);
  });

  it('refuses persons who are banned or have no account', async () => {
    const { ann, filters } = await advertiser();
    const signed = await launch(ann, filters);
    await service.database.db.query("UPDATE accounts SET banned_at = now(), ban_reason = 'x' WHERE id = $1", [
      ann.accountId,
    ]);
    assert.equal((await enter(ann, signed)).status, 401);
  });

  it('redirects to pages of the console only', async () => {
    const { ann, filters } = await advertiser();
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/sandbox',
      'javascript:alert(1)',
      '/console/../x',
    ]) {
      const page = await ann.get(`/console/app?next=${encodeURIComponent(next)}`);
      assert.match(page.text, /data-next="\/console\/orders"/, next);
      const answer = await enter(ann, await launch(ann, filters), next);
      assert.deepEqual(JSON.parse(answer.text), { next: '/console/orders' }, next);
    }
  });

  it('ends after an hour without use', async () => {
    const { ann, filters } = await advertiser();
    await enter(ann, await launch(ann, filters));
    await service.database.db.query(
      "UPDATE console_sessions SET seen_at = seen_at - interval '1 hour' WHERE account_id = $1",
      [ann.accountId],
    );
    assert.equal((await ann.get(filters)).status, 401);
  });
});
