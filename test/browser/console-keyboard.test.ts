import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { PHONE } from './browser.ts';
import { useConsole } from './console-service.ts';

const world = useConsole();

/** Returns the focused element and whether its focus is visible. */
function focused(page: Page): Promise<{ text: string; isSeen: boolean }> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
      text: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim() || element.getAttribute('name') || element.tagName,
      isSeen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.height > 0,
    };
  })()`);
}

async function walk(page: Page, until: (text: string) => boolean, most = 80): Promise<string[]> {
  const passed: string[] = [];
  for (let step = 0; step < most; step++) {
    await page.keyboard.press('Tab');
    const { text, isSeen } = await focused(page);
    assert.ok(isSeen, `the focus cannot be seen on “${text}”`);
    passed.push(text);
    if (until(text)) return passed;
  }
  assert.fail(`not reached: ${passed.join(' → ')}`);
}

it('the first tab stop skips the menu, and every stop shows its focus', async () => {
  const opened = await world.open();
  const { page } = opened;
  await opened.visit(`/console/orders/${world.estate.orderId}`);
  assert.deepEqual(await walk(page, () => true), ['Skip to content']);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  const passed = await walk(page, (text) => text === 'Buy');
  for (const name of ['7 days', 'Download CSV', 'Change the filters', 'Pause', 'quantity'])
    assert.ok(passed.includes(name), name);
  opened.assertQuiet();
  await opened.close();
});

it('an order can be paused and resumed by keyboard alone', async () => {
  const opened = await world.open();
  const { page } = opened;
  await opened.visit(`/console/orders/${world.estate.orderId}`);
  await walk(page, (text) => text === 'Pause');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'The order is paused.' }).waitFor();
  assert.equal((await world.sandbox.order(world.estate.orderId)).status, 'paused');
  await walk(page, (text) => text === 'Resume');
  await page.keyboard.press(' ');
  await page.getByRole('status').filter({ hasText: 'The order is active again.' }).waitFor();
  await opened.close();
});

it('the menu of a phone works by keyboard', async () => {
  const opened = await world.open({ viewport: PHONE });
  const { page } = opened;
  await walk(page, (text) => text.startsWith('Menu'));
  await page.keyboard.press('Enter');
  const menu = page.locator('.phone-menu nav');
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  assert.match((await focused(page)).text, /^Menu/);
  await page.keyboard.press('Enter');
  await walk(page, (text) => text === 'Webhooks');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  opened.assertQuiet();
  await opened.close();
});
