import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PHONE, useBrowser } from './browser.ts';
import { useConsole } from './console-service.ts';

const world = useConsole();
const browser = useBrowser();

describe('the filters', () => {
  it('show price and audience while they are chosen, and are saved with one press', async () => {
    const opened = await world.open();
    const { page } = opened;
    await opened.visit(`/console/orders/${world.estate.orderId}/filters`);
    const price = page.locator('[data-figure="price"]');
    assert.equal(await price.innerText(), '₽10.00');
    await page.getByLabel('Country (×1.2)').fill('ru, kz');
    await page.locator('[data-figure="price"]', { hasText: '₽12.00' }).waitFor();
    await page.getByLabel('Gifts (×1.5)').fill('2');
    await page.locator('[data-figure="price"]', { hasText: '₽18.00' }).waitFor();
    assert.equal(await page.locator('[data-figure="factor"]').innerText(), '×1.8');
    await page.getByRole('button', { name: 'Save the filters' }).click();
    await page.getByRole('status').filter({ hasText: 'The filters are saved.' }).waitFor();
    await page.getByText('Country: Russia, Kazakhstan').waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('include fields changed before the script ran', async () => {
    const opened = await world.open();
    const { page } = opened;
    const { promise: typed, resolve: haveTyped } = Promise.withResolvers<void>();
    await page.route(/\.js$/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto(`${world.sandbox.url}/console/orders/${world.estate.orderId}/filters`, { waitUntil: 'commit' });
    await page.getByLabel('Rating (×1.3)').selectOption('5');
    haveTyped();
    await page.locator('#estimate[data-state="fresh"]').waitFor();
    assert.equal(await page.locator('[data-figure="factor"]').innerText(), '×2.34');
    opened.assertQuiet();
    await opened.close();
  });

  it('work without scripts: a button recalculates', async () => {
    const opened = await world.open({ javaScriptEnabled: false });
    const { page } = opened;
    await opened.visit(`/console/orders/${world.estate.orderId}/filters`);
    await page.getByLabel('Country (×1.2)').fill('');
    await page.getByLabel('Gifts (×1.5)').fill('');
    await page.getByLabel('Rating (×1.3)').selectOption('5');
    await page.getByRole('button', { name: 'Recalculate' }).click();
    assert.equal(await page.locator('[data-figure="price"]').innerText(), '₽13.00');
    assert.equal(await page.getByLabel('Rating (×1.3)').inputValue(), '5');
    await opened.close();
  });
});

describe('the Mini App', () => {
  it('opens the filters inside Telegram, in its colours, and saves them', async () => {
    const { sandbox } = world;
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    const path = `/console/orders/${world.estate.orderId}/filters`;
    const { url } = await sandbox.control('POST', `/persons/${world.estate.owner.person.id}/web-app`, {
      bot,
      url: `${sandbox.url}/console/app?next=${path}`,
    });
    const themed = `${url}&tgWebAppThemeParams=${encodeURIComponent(JSON.stringify({ bg_color: '#17212b' }))}`;
    const opened = await browser.open({ viewport: PHONE, hasTouch: true, isMobile: true });
    const { page } = opened;
    await page.goto(themed);
    await page.waitForURL(`**${path}`);
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    assert.equal(await page.getByRole('navigation', { name: 'Sections' }).count(), 0);
    await opened.assertAccessible();
    await page.getByLabel('Telegram Premium').selectOption('yes');
    await page.getByRole('button', { name: 'Save the filters' }).click();
    await page.getByRole('status').filter({ hasText: 'The filters are saved.' }).waitFor();
    assert.equal(new URL(page.url()).pathname, path, 'the Mini App stays where it is');
    opened.assertQuiet();
    await page.goto('about:blank');
    await page.goto(url);
    await page.waitForURL(`**${path}`);
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByText('Signing in did not work').waitFor();
    await opened.close();
  });

  it('explains outside Telegram how to open it', async () => {
    const opened = await browser.open();
    await opened.page.goto(`${world.sandbox.url}/console/app`);
    await opened.page.getByText('This page is opened from the management bot.').waitFor();
    await opened.assertAccessible();
    opened.assertQuiet();
    await opened.close();
  });
});
