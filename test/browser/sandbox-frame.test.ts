import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { startOn } from '../support/service.ts';
import { DESKTOP, PHONE, useBrowser } from './browser.ts';
import { assertInView, useSandboxPage } from './sandbox-page.ts';

const pages = useSandboxPage();
const FIRST_LOAD_BYTES = 200_000;
/** Returns the elements that are wider than the window or than the card around them. */
const BURSTING = `[...document.querySelectorAll('body, .card, .device, .entry, .order, .chat-line, #person')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 ||
    (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === 'visible'))
  .map((element) => element.className || element.id || element.tagName)`;

describe('the sandbox page', () => {
  it('loads less than 200 kB at first, compressed', async () => {
    const opened = await pages.open();
    const bytes = await opened.transferred();
    assert.ok(bytes > 5_000, `${bytes} bytes: nothing was counted`);
    assert.ok(bytes < FIRST_LOAD_BYTES, `${bytes} bytes`);
    await opened.close();
  });

  it('loads everything from its own server, under a policy that forbids inline code', async () => {
    const opened = await pages.open();
    const { page } = opened;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    const response = await page.reload();
    await page.locator('.chat-line').first().waitFor();
    const policy = (await response?.headerValue('content-security-policy')) ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.deepEqual([...new Set(asked)], [pages.sandbox.url]);
    opened.assertQuiet();
    await opened.close();
  });

  for (const [name, options] of [
    ['in light colours', { viewport: DESKTOP, colorScheme: 'light' }],
    ['in dark colours', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['as wide as a phone', { viewport: PHONE, colorScheme: 'light', hasTouch: true, isMobile: true }],
    ['as wide as a phone, dark', { viewport: PHONE, colorScheme: 'dark', hasTouch: true, isMobile: true }],
  ] as const) {
    it(`is accessible and fits its window ${name}`, async () => {
      const opened = await pages.open(options);
      const { page } = opened;
      await opened.openChat('100003', 'demo_publisher_bot');
      // The page knows which of the two exists once it has read the chat.
      await page.locator('#chat-action:visible, .message-bot').first().waitFor();
      if (await page.locator('#chat-action').isVisible()) await page.click('#chat-action');
      await page.locator('.message-bot').first().waitFor();
      await opened.assertAccessible();
      if (options.viewport === PHONE) {
        await page.click('#tab-exchange');
        assert.equal(await page.locator('#phone').isVisible(), false);
        await page.locator('#money tr').first().waitFor();
        await opened.assertAccessible();
      }
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      assert.ok((overflow as number) <= 0, `${String(overflow)} px wider than the window`);
      opened.assertQuiet();
      await opened.close();
    });
  }

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    it(`shows the whole phone while the exchange scrolls, ${viewport.width} px wide`, async () => {
      const opened = await pages.open({ viewport });
      const { page } = opened;
      await assertInView(page, '.device');
      await page.locator('.by-hand').scrollIntoViewIfNeeded();
      await assertInView(page, '.device');
      await assertInView(page, '#clock-day-later');
      assert.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0);
      await opened.close();
    });
  }

  it('shows phone and exchange as tabs on a phone, with a badge when the hidden one changed', async () => {
    const opened = await pages.open({ viewport: PHONE });
    const { page } = opened;
    await assertInView(page, '#screen');
    assert.equal(await page.locator('#tab-exchange .tab-badge').isVisible(), false);
    const { bots } = await pages.sandbox.control('GET', '/state');
    await pages.sandbox.getSponsors(bots[0].api_token, 100_004);
    await page.locator('#tab-exchange .tab-badge').waitFor();
    await page.click('#tab-exchange');
    assert.equal(await page.locator('#tab-exchange .tab-badge').isVisible(), false);
    await assertInView(page, '#exchange');
    await pages.sandbox.control('POST', '/persons/100003/messages', { bot: 'BotFather', text: '/help' });
    await page.locator('#tab-phone .tab-badge').waitFor();
    await opened.close();
  });

  it('keeps long, unbroken, right-to-left and combining names inside their places', async () => {
    const names = ['W'.repeat(60), 'عبد الرحمن بن عبد العزيز آل سعود', `Z${'\u0335\u0321\u0489'.repeat(20)}`];
    for (const name of names) {
      const { user_id: userId } = await pages.sandbox.control('POST', '/users', { first_name: name });
      const chat = await pages.sandbox.control('POST', '/chats', { type: 'channel', title: name.repeat(2) });
      const account = await pages.sandbox.control('POST', '/accounts', { user_id: userId, name, deposit: 100 });
      const order = { account_id: account.account_id, chat_id: chat.chat_id, price_per_sub: 1, quantity: 5 };
      await pages.sandbox.control('POST', '/orders', order);
    }
    for (const viewport of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, PHONE]) {
      const opened = await pages.open({ viewport });
      const { page } = opened;
      await page.click('#person');
      await page.locator('dialog [data-person]', { hasText: 'W'.repeat(60) }).click();
      assert.deepEqual(await page.evaluate(BURSTING), []);
      if (viewport === PHONE) await page.click('#tab-exchange');
      await page.locator('#ledger .entry').first().waitFor();
      assert.deepEqual(await page.evaluate(BURSTING), []);
      await opened.close();
    }
    await pages.sandbox.control('POST', '/reset');
  });

  it('works by keyboard alone, with a visible focus', async () => {
    await pages.sandbox.control('POST', '/reset');
    const opened = await pages.open();
    const { page } = opened;
    await opened.openChat('100003', 'sponsorgate_bot'); // the state that a person would leave behind
    await page.locator('.chat-name:focus').waitFor();
    await page.keyboard.press('Shift+Tab'); // from the chat's title, which has the focus, to the back button
    await page.keyboard.press('Enter');
    await page.focus('[data-chat="demo_publisher_bot"]');
    await page.keyboard.press('Enter');
    await page.locator('#chat-action:visible').waitFor();
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent');
    /** Presses Tab until the element has the focus. */
    const tabTo = async (wanted: string | RegExp): Promise<void> => {
      for (let presses = 0; presses < 25; presses++) {
        await page.keyboard.press('Tab');
        const here = String(await focused());
        if (typeof wanted === 'string' ? here === wanted : wanted.test(here)) return;
      }
      assert.fail(`Tab does not lead to ${wanted}; the focus is on ${String(await focused())}`);
    };
    await tabTo('chat-action');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.notEqual(outline, 'none');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cheap flights' }).waitFor();
    await page.focus('#chat-back');
    await tabTo(/^\S+ Cheap flights↗$/u);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cheap flights' }).waitFor();
    await tabTo('chat-action');
    await page.keyboard.press('Enter');
    await page.getByText('You are subscribed').waitFor();
    await page.focus('#chat-back');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Film club' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('uses the language of the browser, and begins as a person who speaks it', async () => {
    await pages.sandbox.control('POST', '/reset');
    for (const [locale, lang, person, start] of [
      ['ru-RU', 'ru', 'Анна', 'Запустить'],
      ['de-DE', 'en', 'Grace', 'Start'],
    ] as const) {
      const opened = await pages.open({ locale });
      await opened.page.goto(`${pages.sandbox.url}/sandbox`);
      assert.equal(await opened.page.getAttribute('html', 'lang'), lang);
      await opened.page.locator('#person', { hasText: person }).waitFor();
      await opened.page.click('[data-chat="demo_publisher_bot"]');
      await opened.page.getByRole('button', { name: start, exact: true }).waitFor();
      await opened.close();
    }
  });

  it('shows commands for our API and five other networks even without scripts, and they work', async () => {
    const opened = await pages.open({ javaScriptEnabled: false });
    const text = (await opened.page.locator('.by-hand').innerText()).replaceAll('\u00a0', ' ');
    const asks = text.matchAll(
      /curl -s (\S+) (?:-H '(Auth|Authorization): (.+?)' )?-H 'Content-Type: application\/json' -d '(.+?)'/g,
    );
    const paths: string[] = [];
    for (const [, url = '', header, key = '', body = ''] of asks) {
      const path = new URL(url).pathname;
      if (!/get-sponsors|compat/.test(path)) continue;
      const headers = { 'Content-Type': 'application/json', ...(header === undefined ? {} : { [header]: key }) };
      const answer = await fetch(url, { method: 'POST', headers, body });
      assert.equal(answer.status, 200, path);
      assert.doesNotMatch(await answer.text(), /"error"/, path);
      paths.push(path);
    }
    assert.deepEqual(paths, [
      '/api/v1/get-sponsors',
      '/compat/subgram/get-sponsors',
      '/compat/flyer/get_tasks',
      '/compat/tgrass/offers',
      '/compat/piarflow/v1/sponsors',
      '/compat/botohub/get-tasks',
    ]);
    await opened.page.locator('noscript').waitFor({ state: 'attached' });
    await opened.close();
  });
});

describe('a page that is open when the service stops', () => {
  const browser = useBrowser();

  it('does not delay the stop, shows the lost connection, and reconnects when the service returns', async () => {
    const database = await createTestDatabase();
    const first = await startOn(database.url);
    const port = new URL(first.url).port;
    const opened = await browser.open();
    const { page } = opened;
    await page.goto(`${first.url}/sandbox?lang=en`);
    await page.locator('.chat-line').first().waitFor();
    await first.stop();
    await page.getByText('No connection to the sandbox').waitFor();
    const second = await startOn(database.url, { PORT: port });
    await second.sandbox.control('POST', '/users', { first_name: 'Latecomer' });
    await page.locator('#connection:empty').waitFor({ state: 'attached' });
    await page.click('#person');
    await page.locator('dialog [data-person]', { hasText: 'Latecomer' }).waitFor();
    await second.stop();
    await opened.close();
    await database.drop();
  });
});
