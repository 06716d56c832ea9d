import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService();

async function advertiser(): Promise<{ grace: Visitor; orderId: number }> {
  const grace = await Visitor.signedIn(service.sandbox, { deposit: 1_000 });
  const { orderId } = await service.sandbox.advertise({ account_id: grace.accountId, price_per_sub: 10, quantity: 10 });
  await grace.get(`/console/orders/${orderId}`);
  return { grace, orderId };
}

const statusOf = async (orderId: number): Promise<string> => (await service.sandbox.order(orderId)).status;

describe('a form', () => {
  it('without the token of the session changes nothing', async () => {
    const { grace, orderId } = await advertiser();
    const path = `/console/orders/${orderId}/pause`;
    const stranger = await Visitor.signedIn(service.sandbox);
    await stranger.get('/console/sessions');
    for (const csrf of ['', 'x'.repeat(43), stranger.csrf]) {
      const answer = await grace.send('POST', path, new URLSearchParams({ csrf }));
      assert.equal(answer.status, 403, csrf);
      assert.match(readable(answer.text), /This form is out of date/);
    }
    assert.equal((await grace.send('POST', path)).status, 403, 'nothing sent at all');
    assert.equal(await statusOf(orderId), 'active');
    await grace.submit(path);
    assert.equal(await statusOf(orderId), 'paused');
  });

  it('from another site changes nothing, even with the cookie and the token', async () => {
    const { grace, orderId } = await advertiser();
    const body = new URLSearchParams({ csrf: grace.csrf });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ]) {
      const answer = await grace.send('POST', `/console/orders/${orderId}/pause`, body, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
    assert.equal(await statusOf(orderId), 'active');
  });

  it('sent as JSON or text is refused', async () => {
    const { grace, orderId } = await advertiser();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const response = await fetch(`${service.url}/console/orders/${orderId}/pause`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': type,
          cookie: [...grace.cookies].map((pair) => pair.join('=')).join('; '),
        },
        body: JSON.stringify({ csrf: grace.csrf }),
      });
      assert.ok(response.status === 400 || response.status === 403, `${type}: ${response.status}`);
    }
    assert.equal(await statusOf(orderId), 'active');
  });

  it('that moves money moves it once when sent twice', async () => {
    const { grace, orderId } = await advertiser();
    const page = await grace.get(`/console/orders/${orderId}`);
    const key = /name="key" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    assert.match(key, /^[0-9a-f-]{36}$/);
    const answers = await Promise.all(
      [1, 2, 3].map(() => grace.post(`/console/orders/${orderId}/top-up`, { quantity: '5', key })),
    );
    for (const { status } of answers) assert.equal(status, 303);
    assert.equal((await service.sandbox.order(orderId)).quantity, 15);
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), (1_000 - 100 - 50) * 100);
    const other = await grace.post(`/console/orders/${orderId}/top-up`, { quantity: '6', key });
    assert.equal(other.status, 303);
    assert.match(readable((await grace.get(`/console/orders/${orderId}`)).text), /was sent with other data already/);
    assert.equal((await service.sandbox.order(orderId)).quantity, 15);
  });

  it('redirects to pages of the console only', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    for (const back of [
      'https://evil.example/',
      '//evil.example',
      '/sandbox',
      '/console/../sandbox',
      '/\\evil.example',
    ]) {
      const answer = await grace.post('/console/language', { language: 'en', back });
      assert.equal(answer.headers.get('location'), '/console', back);
    }
    const answer = await grace.post('/console/language', { language: 'ru', back: '/console/history' });
    assert.equal(answer.headers.get('location'), '/console/history');
    assert.match((await grace.get('/console/history')).text, /<html lang="ru"/);
  });

  it('shows a refusal on its own page, in the visitor’s language', async () => {
    const { grace, orderId } = await advertiser();
    const poor = await grace.submit(`/console/orders/${orderId}/top-up`, { quantity: '100000', key: 'one-more' });
    assert.match(readable(poor.text), /There is not enough money on your balance/);
    await grace.submit('/console/language', { language: 'ru', back: '/console' });
    const wrong = await grace.submit(`/console/orders/${orderId}/top-up`, { quantity: 'ten', key: 'another' });
    assert.match(readable(wrong.text), /Нужно целое число/);
    assert.doesNotMatch(readable((await grace.get(`/console/orders/${orderId}`)).text), /Нужно целое число/, 'once');
  });
});

describe('every response of the console', () => {
  it('forbids caching, framing and files of other sites', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    const signedOut = grace.elsewhere();
    const answers = [
      await grace.get('/console'),
      await grace.get('/console/nothing-here'),
      await grace.get('/console/history?format=csv'),
      await signedOut.get('/console'),
      await signedOut.get('/console/enter?code=x'),
      await grace.send('POST', '/console/sign-out'),
    ];
    for (const { status, headers, text } of answers) {
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/, String(status));
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.doesNotMatch(
        text,
        /<script(?![^>]* src="\/console\/assets\/)|<style| style="| on\w+="|(src|href)="(https?:)?\/\//,
      );
    }
  });
});
