import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { MINI_APP_POLICY, miniAppPage } from './routes.ts';

const SCRIPT = readFileSync(new URL('./client.js', import.meta.url), 'utf8');

test('the policy allows exactly the script and the style of the page', () => {
  for (const [tag, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ]) {
    const found = [...miniAppPage('en').matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))];
    assert.equal(found.length, 1);
    const hash = createHash('sha256')
      .update(found[0]?.[1] ?? '')
      .digest('base64');
    assert.ok(MINI_APP_POLICY.includes(`${directive} 'sha256-${hash}'`), tag);
  }
});

/** Runs the script with a stand-in for Telegram's web view. */
async function open(hash: string, response: { ok: boolean; body?: unknown }) {
  const seen = { posts: [] as [string, unknown][], events: [] as unknown[], went: [] as string[] };
  const elements: Record<string, Record<string, unknown>> = { status: {}, go: { hidden: true } };
  const window = {
    location: { hash, assign: (url: string) => void seen.went.push(url) },
    TelegramWebviewProxy: {
      postEvent: (name: string, data: string) => void seen.events.push([name, JSON.parse(data)]),
    },
  };
  const context = createContext({
    window,
    document: { documentElement: { lang: 'en' }, getElementById: (id: string) => elements[id] },
    URL,
    URLSearchParams,
    fetch: async (path: string, options: { body: string }) => {
      seen.posts.push([path, JSON.parse(options.body)]);
      return { ok: response.ok, json: async () => response.body };
    },
  });
  runInContext(SCRIPT, context);
  await new Promise((resolve) => setImmediate(resolve));
  return { ...seen, status: elements.status?.textContent, link: elements.go };
}

const HASH = `#${new URLSearchParams({ tgWebAppData: 'user=%7B%7D&hash=1', tgWebAppVersion: '8.0', tgWebAppPlatform: 'ios' })}`;

test('the page sends the init data and the platform unchanged', async () => {
  const { posts, status } = await open(HASH, { ok: true, body: { ok: true } });
  assert.deepEqual(posts, [['/app/visit', { init_data: 'user=%7B%7D&hash=1', platform: 'ios' }]]);
  assert.equal(status, 'Done, you can close this window.');
});

test('Telegram opens a link into Telegram, and a button stays', async () => {
  const { events, link, went } = await open(HASH, {
    ok: true,
    body: { ok: true, redirect: 'https://t.me/channel?start=1' },
  });
  assert.deepEqual(events.at(-1), ['web_app_open_tg_link', { path_full: '/channel?start=1' }]);
  assert.deepEqual([link?.href, link?.hidden, went.length], ['https://t.me/channel?start=1', false, 0]);
  const tg = await open(HASH, { ok: true, body: { ok: true, redirect: 'tg://resolve?domain=channel' } });
  assert.deepEqual(tg.went, ['tg://resolve?domain=channel']);
});

test('outside Telegram nothing is sent, and a refusal is shown', async () => {
  const outside = await open('', { ok: true });
  assert.deepEqual([outside.posts, outside.status], [[], 'Open this page in Telegram.']);
  assert.match(String((await open(HASH, { ok: false })).status), /^That did not work/);
});
