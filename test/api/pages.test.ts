import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { startPage } from '../../src/http/index.ts';
import { useService } from './use-service.ts';

const service = useService({ SUPPORT_CONTACT: '@gate_help' });

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('errors for people', () => {
  const places = [
    { path: '/l/Nowhere1', status: 404, ru: 'Ссылка не работает', en: 'This link does not work' },
    { path: '/no/such/page', status: 404, ru: 'Такой страницы нет', en: 'There is no such page' },
    {
      path: '/statistic?api_token=at_wrong',
      status: 401,
      ru: 'API-токен не подходит',
      en: 'The API token is not valid',
    },
  ];
  for (const { path, status, ...titles } of places) {
    test(`${path} is a page in the language of the browser, and JSON for programs`, async () => {
      for (const language of ['ru', 'en'] as const) {
        const page = await open(path, { ...BROWSER, 'accept-language': language });
        assert.equal(page.status, status);
        assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
        assert.ok(
          page.text.includes(`<html lang="${language}">`) && page.text.includes(`<h1>${titles[language]}</h1>`),
        );
        assert.match(page.text, /<a href="https:\/\/t\.me\/gate_help">@gate_help<\/a>/);
        assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
        assert.match(page.headers.get('vary') ?? '', /Accept, Accept-Language/);
      }
      for (const accept of ['*/*', 'application/json']) {
        const { status: same, headers, text } = await open(path, { accept });
        assert.equal(same, status);
        assert.match(headers.get('content-type') ?? '', /^application\/json/);
        assert.deepEqual(Object.keys(JSON.parse(text)), ['detail', 'code', 'message']);
      }
    });
  }

  test('a wrong parameter is named on the page, and text of the address is escaped', async () => {
    const { token } = await service.sandbox.publisher();
    const page = await open(`/statistic?api_token=${token}&action=%3Cb%3E`, BROWSER);
    assert.equal(page.status, 422);
    assert.match(page.text, /<h1>The request has an error<\/h1>/);
    assert.match(page.text, /action must be/);
    assert.ok(!page.text.includes('<b>'));
    assert.ok(!(await open('/no/<i>page', BROWSER)).text.includes('<i>'));
  });

  test('an expired console link is a page in the language of the browser', async () => {
    for (const [language, title] of [
      ['ru', 'Ссылка'],
      ['en', 'link'],
    ] as const) {
      const page = await open('/console/enter?code=used', { ...BROWSER, 'accept-language': language });
      assert.equal(page.status, 403);
      assert.match(page.text, new RegExp(`<html lang="${language}"[\\s\\S]*${title}`, 'i'));
    }
  });

  test('an expired console link and a page without a session are JSON for programs', async () => {
    for (const [path, status] of [
      ['/console/enter?code=used', 403],
      ['/console', 401],
      ['/console/orders', 401],
    ] as const) {
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0']) {
        const response = await open(path, { accept });
        assert.equal(response.status, status, path);
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/, `${path} ${accept}`);
        assert.deepEqual(Object.keys(JSON.parse(response.text)), ['detail', 'code', 'message']);
      }
    }
  });

  test('only pages requested by GET are pages: the API answers a browser script with JSON', async () => {
    const response = await fetch(`${service.url}/api/v1/get-sponsors`, { method: 'POST', headers: BROWSER });
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  });
});

test('the Mini App without a session can be framed by Telegram, the console by no site', async () => {
  const framed = await open('/console/orders', { ...BROWSER, 'sec-fetch-dest': 'iframe' });
  assert.equal(framed.status, 401);
  assert.match(framed.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/\*\.telegram\.org/);
  assert.equal(framed.headers.get('x-frame-options'), null);
  const plain = await open('/console/orders', BROWSER);
  assert.match(plain.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.equal(plain.headers.get('x-frame-options'), 'DENY');
});

describe('the address of the service', () => {
  test('leads to the sandbox in sandbox mode', async () => {
    const { status, headers } = await open('/', BROWSER);
    assert.deepEqual([status, headers.get('location')], [302, '/sandbox']);
  });

  test('names the entrances in live mode, in the language of the browser', async () => {
    const app = fastify();
    await app.register(startPage);
    for (const [language, label] of [
      ['ru', 'Войти в кабинет'],
      ['en', 'Open the console'],
    ]) {
      const { statusCode, body } = await app.inject({ url: '/', headers: { 'accept-language': language } });
      assert.equal(statusCode, 200);
      assert.ok(body.includes(`<html lang="${language}">`) && body.includes(`href="/console">${label}</a>`));
      assert.match(body, /href="\/docs"/);
    }
  });
});

describe('compression', () => {
  const raw = (path: string, headers: Record<string, string>) =>
    fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });

  test('responses above 1 KB are compressed for clients that accept it', async () => {
    for (const path of ['/docs', '/openapi.json', '/llms.txt', '/sandbox']) {
      const plain = await raw(path, {});
      assert.equal(plain.headers.get('content-encoding'), null, path);
      assert.match(plain.headers.get('vary') ?? '', /Accept-Encoding/, path);
      const text = await plain.text();
      for (const encoding of ['br', 'gzip']) {
        const packed = await raw(path, { 'accept-encoding': encoding });
        assert.equal(packed.headers.get('content-encoding'), encoding, path);
        assert.ok(Number(packed.headers.get('content-length')) < Buffer.byteLength(text) / 2, path);
        if (path !== '/sandbox') assert.equal(await packed.text(), text, path);
      }
    }
  });

  test('a refused encoding, short responses and requests from other sites stay as they are', async () => {
    assert.equal(
      (await raw('/docs', { 'accept-encoding': 'br;q=0, gzip;q=0.0' })).headers.get('content-encoding'),
      null,
    );
    assert.equal((await raw('/api/v1/health', { 'accept-encoding': 'gzip' })).headers.get('content-encoding'), null);
    const foreign = await raw('/docs', { 'accept-encoding': 'gzip', 'sec-fetch-site': 'cross-site' });
    assert.equal(foreign.headers.get('content-encoding'), null);
  });

  test('a HEAD request gets the headers without a body', async () => {
    const response = await fetch(`${service.url}/docs`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });

  test('the reference is small', async () => {
    const packed = await raw('/docs', { 'accept-encoding': 'br' });
    assert.ok(Number(packed.headers.get('content-length')) < 40_000);
  });
});
