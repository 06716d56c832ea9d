import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { startOn } from '../support/service.ts';
import { DESKTOP, PHONE, useBrowser } from './browser.ts';
import { useSandboxPage } from './sandbox-page.ts';

const world = useSandboxPage();
const FIRST_LOAD_BYTES = 200_000;

describe('the sandbox page', () => {
  it('loads less than 200 kB at first, compressed', async () => {
    const opened = await world.open();
    const bytes = await opened.transferred();
    assert.ok(bytes > 5_000, `${bytes} bytes: nothing was counted`);
    assert.ok(bytes < FIRST_LOAD_BYTES, `${bytes} bytes`);
    await opened.close();
  });

  it('loads everything from its own server, under a policy that forbids inline code', async () => {
    const opened = await world.open();
    const { page } = opened;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    const response = await page.reload();
    await page.locator('.chat-line').first().waitFor();
    const policy = (await response?.headerValue('content-security-policy')) ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.deepEqual([...new Set(asked)], [world.sandbox.url]);
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
      const opened = await world.open(options);
      const { page } = opened;
      await opened.openChat('100003', 'demo_publisher_bot');
      // The page knows which of the two exists once it has read the chat.
      await page.locator('#chat-action:visible, .message-bot').first().waitFor();
      if (await page.locator('#chat-action').isVisible()) await page.click('#chat-action');
      await page.locator('.message-bot').first().waitFor();
      await opened.assertAccessible();
      if (options.viewport === PHONE) {
        await page.click('#tab-world');
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

  it('works by keyboard alone, with a visible focus', async () => {
    await world.sandbox.control('POST', '/reset');
    const opened = await world.open();
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

  it('uses the language of the browser, and the other one on request', async () => {
    for (const [locale, lang] of [
      ['ru-RU', 'ru'],
      ['de-DE', 'en'],
    ] as const) {
      const opened = await world.open({ locale });
      await opened.page.goto(`${world.sandbox.url}/sandbox`);
      assert.equal(await opened.page.getAttribute('html', 'lang'), lang);
      await opened.close();
    }
  });

  it('shows the command to paste even without scripts, and the command works', async () => {
    const opened = await world.open({ javaScriptEnabled: false });
    const text = (await opened.page.locator('.by-hand pre').textContent()) ?? '';
    const line = /curl -s (\S+get-sponsors) -H 'Auth: (at_\S+)' -H 'Content-Type: application\/json' -d '(.+)'/.exec(
      text,
    );
    assert.ok(line !== null, text);
    const [, url = '', token = '', body = ''] = line;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { Auth: token, 'Content-Type': 'application/json' },
      body,
    });
    assert.equal(answer.status, 200);
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
    await page.locator('#person option', { hasText: 'Latecomer' }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('#connection').textContent(), '');
    await second.stop();
    await opened.close();
    await database.drop();
  });
});
