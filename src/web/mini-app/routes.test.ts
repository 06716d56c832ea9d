import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { LANGUAGES } from '../../core/locale.ts';
import { PRIVACY } from './privacy.ts';
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

interface Press {
  readonly isTrusted: boolean;
  readonly detail: number;
  preventDefault(): void;
}

/** Runs the script with a stand-in for Telegram's web view. */
async function open(hash: string, responses: readonly { ok: boolean; body?: unknown }[]) {
  const seen = { posts: [] as [string, Record<string, unknown>][], events: [] as unknown[], went: [] as string[] };
  const listeners = new Map<string, (press: Press) => void>();
  const elementOf = (id: string): Record<string, unknown> => ({
    hidden: id !== 'status',
    disabled: id === 'pass',
    focus: () => void seen.events.push(['focus', id]),
    addEventListener: (_type: string, listener: (press: Press) => void) => void listeners.set(id, listener),
  });
  const ids = ['status', 'go', 'check', 'check-title', 'pass', 'skip'];
  const elements = Object.fromEntries(ids.map((id) => [id, elementOf(id)]));
  const stored = new Map<string, string>();
  let timers: (() => void)[] = [];
  const window = {
    location: { hash, assign: (url: string) => void seen.went.push(url) },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
    crypto: webcrypto,
    screen: { width: 412, height: 915 },
    navigator: { maxTouchPoints: 5, webdriver: false },
    performance: { now: () => 2_000 },
    setTimeout: (action: () => void) => void timers.push(action),
    TelegramWebviewProxy: {
      postEvent: (name: string, data: string) => void seen.events.push([name, JSON.parse(data)]),
    },
  };
  const queue = [...responses];
  const context = createContext({
    window,
    document: { documentElement: { lang: 'en' }, getElementById: (id: string) => elements[id] },
    URL,
    URLSearchParams,
    fetch: async (path: string, options: { body: string }) => {
      seen.posts.push([path, JSON.parse(options.body) as Record<string, unknown>]);
      const response = queue.shift();
      return { ok: response?.ok === true, json: async () => response?.body };
    },
  });
  runInContext(SCRIPT, context);
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settle();
  return {
    ...seen,
    stored,
    link: elements.go,
    element: (id: string) => elements[id],
    status: () => elements.status?.textContent,
    /** Lets the time pass after which the button can be pressed. */
    wait() {
      for (const action of timers) action();
      timers = [];
    },
    async press(id: string, detail = 1) {
      listeners.get(id)?.({ isTrusted: true, detail, preventDefault: () => undefined });
      await settle();
    },
  };
}

const HASH = `#${new URLSearchParams({ tgWebAppData: 'user=%7B%7D&hash=1', tgWebAppVersion: '8.0', tgWebAppPlatform: 'ios' })}`;
const CHANNEL = 'https://t.me/channel?start=1';

test('the page sends the init data and the platform unchanged', async () => {
  const { posts, status, element } = await open(HASH, [{ ok: true, body: { ok: true } }]);
  assert.deepEqual(posts, [['/app/visit', { init_data: 'user=%7B%7D&hash=1', platform: 'ios' }]]);
  assert.equal(status(), 'Done, you can close this window.');
  assert.equal(element('check')?.hidden, true);
});

test('Telegram opens a link into Telegram, and a button stays', async () => {
  const { events, link, went } = await open(HASH, [{ ok: true, body: { ok: true, redirect: CHANNEL } }]);
  assert.deepEqual(events.at(-1), ['web_app_open_tg_link', { path_full: '/channel?start=1' }]);
  assert.deepEqual([link?.href, link?.hidden, went.length], [CHANNEL, false, 0]);
  const tg = await open(HASH, [{ ok: true, body: { ok: true, redirect: 'tg://resolve?domain=channel' } }]);
  assert.deepEqual(tg.went, ['tg://resolve?domain=channel']);
});

test('outside Telegram nothing is sent, and a refusal is shown', async () => {
  const outside = await open('', [{ ok: true }]);
  assert.deepEqual([outside.posts, outside.status()], [[], 'Open this page in Telegram.']);
  assert.match(String((await open(HASH, [{ ok: false }])).status()), /^That did not work/);
});

test('a user who needs the check passes it with one press and goes on', async () => {
  const page = await open(HASH, [
    { ok: true, body: { ok: true, redirect: CHANNEL, challenge: 'c' } },
    { ok: true, body: { ok: true, passed: true } },
  ]);
  assert.deepEqual([page.element('check')?.hidden, page.element('pass')?.disabled], [false, true]);
  assert.deepEqual(page.events.at(-1), ['focus', 'check-title'], 'a screen reader reads the check');
  assert.equal(page.stored.size, 0, 'nothing is stored before the press');
  page.wait();
  assert.equal(page.element('pass')?.disabled, false);
  await page.press('pass', 0);
  const [path, body = {}] = page.posts.at(-1) ?? [];
  const { id, ...device } = body.device as Record<string, unknown>;
  assert.deepEqual([path, body.challenge, body.consent, body.platform], ['/app/check', 'c', true, 'ios']);
  assert.match(String(id), /^[0-9a-f]{32}$/);
  assert.deepEqual([...page.stored.values()], [id]);
  assert.deepEqual(device, {
    screen: { width: 412, height: 915 },
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    touch_points: 5,
    is_automated: false,
    pressed_by: 'keyboard',
    pressed_after_ms: 0,
  });
  assert.deepEqual(page.events.at(-1), ['web_app_open_tg_link', { path_full: '/channel?start=1' }]);
  assert.equal(page.element('check')?.hidden, true);
});

test('a user can go on without the check, and when it fails', async () => {
  const visit = { ok: true, body: { ok: true, redirect: CHANNEL, challenge: 'c' } };
  const skipped = await open(HASH, [visit]);
  assert.deepEqual([skipped.element('skip')?.hidden, skipped.element('skip')?.href], [false, CHANNEL]);
  await skipped.press('skip');
  assert.deepEqual(skipped.events.at(-1), ['web_app_open_tg_link', { path_full: '/channel?start=1' }]);
  assert.equal(skipped.posts.length, 1);
  for (const failed of [{ ok: true, body: { ok: true, passed: false } }, { ok: false }]) {
    const page = await open(HASH, [visit, failed]);
    await page.press('pass');
    assert.match(String(page.status()), /^The check is not passed/);
    assert.deepEqual([page.element('check')?.hidden, page.element('skip')?.hidden], [false, false]);
  }
});

test('docs/privacy.md has the text of the privacy page in both languages', () => {
  const page = readFileSync(new URL('../../../docs/privacy.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  for (const language of LANGUAGES) {
    const { title, paragraphs } = PRIVACY[language];
    for (const text of [title, ...paragraphs]) assert.ok(page.includes(text), text);
  }
});
