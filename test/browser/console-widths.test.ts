import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { OPERATED, operatorOf, waitingOrder } from '../console/operator-service.ts';
import { Visitor } from '../console/visitor.ts';
import { freshUser } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useBrowser, type WatchedPage } from './browser.ts';

const browser = useBrowser();

/** Unbroken, right-to-left and combining text, as people write it into names. */
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikationsleiterin'.repeat(2).slice(0, 120);
const RIGHT_TO_LEFT = 'ערוץ החדשות הגדול ביותר في العالم كله \u202eabc';
const COMBINING = `Z${'\u0334\u0322\u0321\u0310\u0301'.repeat(12)}algo`;
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

let service: TestService | undefined;
let owner: Visitor;
let operator: Visitor;
let paths: readonly string[] = [];
let botPath = '';

function running(): TestService {
  assert.ok(service, 'the service is there only while a test runs');
  return service;
}

before(async () => {
  service = await startTestService(OPERATED);
  const { sandbox } = service;
  await sandbox.pauseAllOrders();
  owner = await Visitor.signedIn(sandbox, { name: LONG.slice(0, 64), deposit: 1_000 });
  const bot = await sandbox.control('POST', '/bots', { account_id: owner.accountId, max_sponsors: 1 });
  botPath = `/console/bots/${bot.bot_id}`;
  const foreign = await sandbox.advertise({ price_per_sub: 10, quantity: 10, title: COMBINING, name: COMBINING });
  for (let count = 0; count < 3; count++) await sandbox.subscribe(String(bot.api_token), foreign, freshUser());
  const title = RIGHT_TO_LEFT;
  const { orderId } = await sandbox.advertise({
    account_id: owner.accountId,
    price_per_sub: 10,
    quantity: 5,
    name: title,
    title,
  });
  operator = await operatorOf(service)();
  const waiting = await waitingOrder(sandbox, LONG);
  const days = [...(await owner.get(botPath)).text.matchAll(/days\/([\d-]+)"/g)].map(([, day = '']) => day);
  const today = days.sort().at(-1) ?? '';
  paths = [
    '/console',
    '/console/bots/new',
    botPath,
    `${botPath}/days/${today}`,
    '/console/orders',
    '/console/orders/new',
    `/console/orders/${orderId}`,
    `/console/orders/${orderId}/filters`,
    '/console/history',
    '/console/operator/running?status=all',
    `/console/operator/orders/${waiting.orderId}`,
    `/console/operator/accounts/${owner.accountId}`,
    '/console/operator/log',
  ];
});
after(() => service?.stop());

async function open(visitor: Visitor, options: Parameters<typeof browser.open>[0]): Promise<WatchedPage> {
  const opened = await browser.open(options);
  await opened.page.goto(await visitor.link());
  await opened.page.getByRole('button').click();
  await opened.page.waitForURL('**/console');
  return opened;
}

/** Fails when an element sticks out of the screen to a side. */
async function assertFits(page: Page, path: string, width: number): Promise<void> {
  const scrolled = Number(await page.evaluate('document.documentElement.scrollWidth'));
  assert.ok(scrolled <= width, `${path} is ${scrolled} wide at ${width}`);
}

async function assertInView(page: Page, selector: string, height: number): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height, `${selector} at ${box?.y} of ${height}`);
}

for (const viewport of VIEWPORTS) {
  for (const language of ['en', 'ru'] as const) {
    const { width, height } = viewport;
    const isPhone = width < 768;
    it(`at ${width} × ${height} in ${language} every page fits, keeps its menu in view and passes axe`, async () => {
      const options = { viewport, colorScheme: language === 'ru' ? ('dark' as const) : ('light' as const) };
      for (const visitor of [owner, operator]) {
        await visitor.get('/console');
        await visitor.submit('/console/language', { language, back: '/console' });
      }
      const byOwner = await open(owner, options);
      const byOperator = await open(operator, options);
      for (const path of paths) {
        const opened = path.includes('/operator/') ? byOperator : byOwner;
        const { page } = opened;
        await page.goto(`${running().url}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await assertFits(page, path, width);
        await opened.assertAccessible();
        await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
        await assertInView(page, isPhone ? '.phone-menu summary' : '.side a', height);
        if (process.env.PICTURES !== undefined) {
          await page.evaluate('window.scrollTo(0, 0)');
          const name = path.replaceAll(/[^\w]+/g, '-');
          await page.screenshot({ path: `${process.env.PICTURES}/${width}-${language}${name}.png` });
        }
      }
      byOwner.assertQuiet();
      byOperator.assertQuiet();
      await byOwner.close();
      await byOperator.close();
    });
  }
}

describe('the tooltip of a chart', () => {
  it('follows the arrow keys, and Enter opens the day', async () => {
    const opened = await open(owner, { viewport: VIEWPORTS[0] });
    const { page } = opened;
    await page.goto(`${running().url}${botPath}`);
    const plot = page.locator('#chart-revenue .plot');
    await plot.focus();
    await page.keyboard.press('End');
    await plot.getByRole('status').filter({ hasText: '21' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await plot.getByRole('status').filter({ hasText: '0' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/days/*');
    assert.equal(await page.locator('tbody tr').count(), 3);
    opened.assertQuiet();
    await opened.close();
  });

  it('is shown by a touch', async () => {
    const opened = await open(owner, { viewport: VIEWPORTS[2], hasTouch: true, isMobile: true });
    const { page } = opened;
    await page.goto(`${running().url}${botPath}`);
    const column = page.locator('#chart-revenue .column').last();
    await column.scrollIntoViewIfNeeded();
    await column.tap();
    await page.locator('#chart-revenue .chart-tip').filter({ hasText: '21' }).waitFor();
    const box = await page.locator('#chart-revenue .chart-tip').boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, 'the tooltip is on the screen');
    await opened.close();
  });
});

describe('a new order', () => {
  for (const viewport of [VIEWPORTS[0], VIEWPORTS[2]]) {
    it(`shows its preview beside the form at ${viewport.width}`, async () => {
      await owner.get('/console');
      await owner.submit('/console/language', { language: 'en', back: '/console' });
      const opened = await open(owner, { viewport });
      const { page } = opened;
      await page.goto(`${running().url}/console/orders/new`);
      await page.getByLabel('Title of the task').fill('Cats and dogs');
      await page.getByLabel('Price of a subscription').fill('10');
      await page.getByLabel('Subscribers').fill('5');
      await page.locator('.task-button', { hasText: 'Cats and dogs' }).waitFor();
      await page.locator('[data-figure="total"]', { hasText: '₽50.00' }).waitFor();
      await page.locator('summary', { hasText: 'Whom to reach' }).click();
      await page.getByLabel('Country (×1.2)').fill('bel');
      await page.getByRole('option', { name: /Belarus/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remove: Belarus' }).waitFor();
      await page.locator('[data-figure="total"]', { hasText: '₽60.00' }).waitFor();
      await assertInView(page, '.estimate .primary', viewport.height);
      await opened.assertAccessible();
      opened.assertQuiet();
      await opened.close();
    });
  }
});
