import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { PHONE } from './browser.ts';
import { assertInView, becomePerson, useSandboxPage } from './sandbox-page.ts';

const pages = useSandboxPage();
const SCREENS = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, PHONE];
const STEPS = ['meet', 'tasks', 'webhook', 'subscribe', 'confirm', 'hold', 'day', 'second', 'leave', 'proof'];
const MOST_CLICKS = 15;

/** Waits until the tour marks another control than before, or ends. Returns the step. */
async function nextMark(page: Page, before: string): Promise<{ readonly step: string; readonly mark: string }> {
  const read = `(() => {
    const marked = document.querySelector('.tour-target');
    const step = document.querySelector('#tour').dataset.step;
    const mark = step === 'end' ? 'end' : marked && [step, marked.id, marked.textContent].join(' ');
    return mark === null || mark === ${JSON.stringify(before)} ? null : { step, mark };
  })()`;
  let found: { step: string; mark: string } | null = null;
  await eventually('the tour marks another control', async () => {
    found = await page.evaluate(read);
    return found !== null;
  });
  assert.ok(found);
  return found;
}

const moneyIn = (page: Page) => page.locator('.tour-money').textContent();

for (const lang of ['en', 'ru'] as const) {
  for (const viewport of SCREENS) {
    it(`the tour leads through the whole flow in ${MOST_CLICKS} clicks (${lang}, ${viewport.width} px)`, async () => {
      await pages.sandbox.control('POST', '/reset');
      const opened = await pages.open({ lang, viewport });
      const { page } = opened;
      const { accounts } = await pages.sandbox.control('GET', '/state');
      const publisher = async () => {
        const state = await pages.sandbox.control('GET', '/state');
        return state.accounts.find((each: { account_id: number }) => each.account_id === accounts[0].account_id);
      };
      const start = await publisher();
      await page.click('#tour-start');
      let clicks = 1;
      const seen = new Set<string>();
      const money = new Map<string, string | null>();
      for (let here = await nextMark(page, ''); here.step !== 'end'; here = await nextMark(page, here.mark)) {
        if (!seen.has(here.step)) money.set(here.step, await moneyIn(page));
        seen.add(here.step);
        await assertInView(page, '.tour-target');
        await assertInView(page, '.tour-money');
        if (viewport !== PHONE) await assertInView(page, '.device');
        await page.click('.tour-target');
        clicks += 1;
      }
      assert.deepEqual([...seen], STEPS);
      // The step after a change still shows it: the hold, the release, the reversal.
      assert.match(money.get('hold') ?? '', /\+₽?9[.,]27/);
      assert.match(money.get('second') ?? '', /\+₽?9[.,]27.*−₽?9[.,]27/);
      assert.match(money.get('proof') ?? '', /−₽?(?:4[.,]20|5[.,]07)/);
      const end = await publisher();
      assert.equal(Math.round((end.balance - start.balance) * 100), 927);
      await page.locator('#webhooks [data-event="subscription.reversed"][data-signature="valid"][open]').waitFor();
      opened.assertQuiet();
      await opened.assertAccessible();
      await assertInView(page, '#tour-finish');
      await page.click('#tour-finish');
      clicks += 1;
      await page.locator('#tour[hidden]').waitFor({ state: 'attached' });
      assert.ok(clicks <= MOST_CLICKS, `${clicks} clicks`);
      await opened.close();
    });
  }
}

describe('the controls of the tour', () => {
  it('“Do it for me” does every step, up to a webhook that really came', async () => {
    await pages.sandbox.control('POST', '/reset');
    const opened = await pages.open();
    const { page } = opened;
    await page.click('#tour-start');
    for (const step of STEPS) {
      await page.locator(`#tour[data-step="${step}"][data-done="false"]`).waitFor();
      await page.locator('.tour-target').first().waitFor();
      await page.click('#tour-perform');
      await page.locator(`#tour[data-step="${step}"][data-done="true"], #tour:not([data-step="${step}"])`).waitFor();
    }
    await page.locator('#tour[data-step="end"]').waitFor();
    const { deliveries } = await pages.sandbox.control('GET', '/inbox');
    assert.ok(deliveries.some(({ body }: { body: string }) => body.includes('subscription.reversed')));
    opened.assertQuiet();
    await opened.close();
  });

  it('a visitor who moves the clock past the hold is told so, and begins again', async () => {
    await pages.sandbox.control('POST', '/reset');
    const opened = await pages.open();
    const { page } = opened;
    await page.click('#tour-start');
    for (const step of STEPS.slice(0, STEPS.indexOf('leave'))) {
      await page.locator(`#tour[data-step="${step}"][data-done="false"] #tour-perform`).click();
      await page.locator(`#tour[data-step="${step}"][data-done="true"], #tour:not([data-step="${step}"])`).waitFor();
    }
    await page.locator('#tour[data-step="leave"][data-done="false"]').waitFor();
    await page.locator('.tour-target').waitFor();
    await page.click('#clock-day-later');
    await page.locator('#tour[data-step="leave"]', { hasText: 'no longer takes a reward back' }).waitFor();
    await page.locator('#tour-restart.tour-target').click();
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.locator('#tour[data-step="meet"] .tour-money').waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('a person who has already pressed Start is led on, also from another phone by “Show me where”', async () => {
    await pages.sandbox.control('POST', '/reset');
    await pages.sandbox.control('POST', '/persons/100003/messages', { bot: 'demo_publisher_bot', text: '/start' });
    const opened = await pages.open({ viewport: PHONE });
    const { page } = opened;
    await page.click('#tour-start');
    await page.locator('#tour[data-step="tasks"]').waitFor();
    await page.click('#tour-perform');
    await page.locator('#tour[data-step="webhook"][data-done="false"]').waitFor();
    await page.click('#tour-perform');
    await page.locator('#tour[data-step="subscribe"] .tour-money').waitFor();
    await page.locator('.tour-target').waitFor();
    await becomePerson(page, '100004');
    await page.click('#tab-exchange');
    await page.click('#tour-where');
    await page.locator('#person[data-person="100003"]').waitFor();
    await page.locator('.tour-target[data-opens]').waitFor();
    await assertInView(page, '.tour-target');
    opened.assertQuiet();
    await opened.close();
  });

  it('a reload or a change of language keeps the step; the tour can be left and begun again', async () => {
    await pages.sandbox.control('POST', '/reset');
    const opened = await pages.open();
    const { page } = opened;
    await page.click('#tour-start');
    await page.locator('.tour-target').waitFor();
    await page.click('#tour-perform');
    await page.locator('#tour[data-step="tasks"]').waitFor();
    await page.reload();
    await page.locator('#tour[data-step="tasks"]').waitFor();
    await page.getByRole('link', { name: 'Русский' }).click();
    await page.locator('#tour[data-step="tasks"]', { hasText: 'Шаг 2 из 10' }).waitFor();
    await page.getByRole('button', { name: 'Закончить' }).click();
    assert.equal(await page.locator('#tour').isVisible(), false);
    assert.equal(await page.locator('.tour-target').count(), 0);
    await page.click('#tour-start');
    await page.locator('#tour[data-step="meet"]').waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('reset a sandbox in which the persons of the tour were paid for, after a confirmation', async () => {
    const { bots, orders } = await pages.sandbox.control('GET', '/state');
    const order = orders.find((each: { order_id: number }) => each.order_id === 3);
    const place = { orderId: 3, chatId: order.chat_id, accountId: order.account_id };
    await pages.sandbox.subscribe(bots[0].api_token, place, 100_003);
    const opened = await pages.open();
    const { page } = opened;
    await page.locator('#ledger [data-kind="reward_held"]').first().waitFor();
    await page.click('#tour-start');
    await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.locator('#tour').isVisible(), false);
    await page.click('#tour-start');
    await page.locator('dialog').getByRole('button', { name: 'Begin' }).click();
    await page.locator('#tour[data-step="meet"][data-done="false"]').waitFor();
    // The reset removes earlier payments from the page.
    await page.locator('#ledger [data-kind="reward_held"][data-user="100003"]').waitFor({ state: 'detached' });
    opened.assertQuiet();
    await opened.close();
  });
});
