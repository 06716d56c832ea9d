import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE } from './browser.ts';
import { type SandboxPage, useSandboxPage } from './sandbox-page.ts';

const world = useSandboxPage();

const TOURS = [
  { lang: 'en', viewport: DESKTOP, first: '100003', second: '100004', confirm: 'I subscribed' },
  { lang: 'ru', viewport: PHONE, first: '100001', second: '100002', confirm: 'Я подписался' },
] as const;

for (const { lang, viewport, first, second, confirm } of TOURS) {
  describe(`the tour (${lang}, ${viewport.width} px wide) leads through the whole flow`, () => {
    let opened: SandboxPage;
    let page: Page;
    const isNarrow = viewport === PHONE;

    /** Expects the step to be shown as not done, with a marked element to press. */
    const begins = async (name: string): Promise<void> => {
      await page.locator(`#tour[data-step="${name}"][data-done="false"]`).waitFor();
      await page.locator('.tour-target').first().waitFor();
    };
    /** Expects the step to be done and opens the next one. */
    const isNoticed = async (name: string): Promise<void> => {
      await page.locator(`#tour[data-step="${name}"][data-done="true"]`).waitFor();
      await page.click('#tour .button-primary');
    };
    const onPhone = async (): Promise<void> => {
      if (isNarrow) await page.click('#tab-phone');
    };
    /** Presses the element that the tour marks; there must always be one. */
    const pressMarked = (selector: string) => page.locator(`.tour-target${selector}`).first().click();
    const joinSponsors = async (): Promise<void> => {
      for (let sponsor = 0; sponsor < 2; sponsor++) {
        await pressMarked('[data-opens]');
        await pressMarked('#chat-action');
        await page.locator('#chat-leave:visible').waitFor();
        await page.click('#chat-back');
      }
    };
    const money = () => world.sandbox.control('GET', '/state').then(({ accounts }) => accounts[0]);

    before(async () => {
      await world.sandbox.control('POST', '/reset');
      opened = await world.open({ lang, viewport });
      page = opened.page;
    });
    after(() => opened.close());

    it('1: a person meets the bot of the demo publisher', async () => {
      await page.click('#tour-start');
      await begins('meet');
      if ((await page.inputValue('#person')) !== first) await page.selectOption('#person.tour-target', first);
      await pressMarked('[data-chat="demo_publisher_bot"]');
      await pressMarked('#chat-action');
      await page.getByText(confirm).waitFor();
      await isNoticed('meet');
    });

    it('2: the request behind the list can be opened', async () => {
      await begins('tasks');
      await pressMarked('');
      const [entry] = await page.locator('#calls details[open] pre').allTextContents();
      assert.match(entry ?? '', new RegExp(`"user_id": ${first}`));
      await isNoticed('tasks');
    });

    it('3: a webhook endpoint is created through the API', async () => {
      await begins('webhook');
      await pressMarked('#webhooks-subscribe');
      await page.locator('#calls [data-path="/api/v1/webhooks"] >> text=201').waitFor();
      await isNoticed('webhook');
    });

    it('4: the person subscribes to the sponsors', async () => {
      await begins('subscribe');
      await onPhone();
      await joinSponsors();
      await isNoticed('subscribe');
      assert.equal((await money()).hold_balance, 0, 'nothing is paid before the bot asks');
    });

    it('5: the subscription is confirmed, and the reward is in hold', async () => {
      await begins('confirm');
      await onPhone();
      await pressMarked('[data-press]');
      await isNoticed('confirm');
      const { balance, hold_balance: hold } = await money();
      assert.deepEqual([balance, hold], [0, 9.27]);
    });

    it('6: the reward is found in the ledger', async () => {
      await begins('hold');
      await pressMarked('');
      await page.locator('#ledger details[open] dd', { hasText: `count:${first}:` }).waitFor();
      await isNoticed('hold');
    });

    it('7: a day later the reward is available', async () => {
      await begins('day');
      await pressMarked('#clock-day-later');
      await isNoticed('day');
      const { balance, hold_balance: hold } = await money();
      assert.deepEqual([balance, hold], [9.27, 0]);
    });

    it('8: another person does the same', async () => {
      await begins('second');
      await onPhone();
      await page.selectOption('#person.tour-target', second);
      await pressMarked('[data-chat="demo_publisher_bot"]');
      await pressMarked('#chat-action');
      await joinSponsors();
      await pressMarked('[data-press]');
      await isNoticed('second');
      assert.equal((await money()).hold_balance, 9.27);
    });

    it('9: this person leaves, and the reward is reversed', async () => {
      await begins('leave');
      await onPhone();
      await pressMarked('#chat-back');
      await pressMarked('[data-chat]');
      await pressMarked('#chat-leave');
      await isNoticed('leave');
      const { balance, hold_balance: hold } = await money();
      assert.equal(balance, 9.27);
      assert.ok(hold < 9.27, `${hold} is still on hold`);
    });

    it('10: the publisher received a valid webhook, and the ledger is balanced', async () => {
      await begins('proof');
      await page.locator('#webhooks [data-event="subscription.reversed"][data-signature="valid"]').first().waitFor();
      await pressMarked('');
      await isNoticed('proof');
      await page.locator('#tour[data-step="end"]').waitFor();
      await page.click('#ledger-check');
      await page.locator('#ledger-status.good').waitFor();
      await page.click('#tour .button-primary');
      await page.locator('#tour[hidden]').waitFor({ state: 'attached' });
    });

    it('logged no errors and is accessible at its end', async () => {
      opened.assertQuiet();
      await opened.assertAccessible();
    });
  });
}

describe('the controls of the tour', () => {
  it('skip steps, leave and restart the tour; a reload or a change of language keeps the step', async () => {
    await world.sandbox.control('POST', '/reset');
    const opened = await world.open();
    const { page } = opened;
    await page.click('#tour-start');
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.locator('#tour[data-step="tasks"]').waitFor();
    await page.reload();
    await page.locator('#tour[data-step="tasks"]').waitFor();
    await page.getByRole('link', { name: 'Русский' }).click();
    await page.locator('#tour[data-step="tasks"]', { hasText: 'Шаг 2 из 10' }).waitFor();
    await page.getByRole('button', { name: 'Закончить показ' }).click();
    assert.equal(await page.locator('#tour').isVisible(), false);
    assert.equal(await page.locator('.tour-target').count(), 0);
    await page.click('#tour-start');
    await page.locator('#tour[data-step="meet"]').waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('reset a used sandbox to the demo data after a confirmation', async () => {
    const { bots, orders } = await world.sandbox.control('GET', '/state');
    const [order] = orders.filter((each: { order_id: number }) => each.order_id === 3);
    const { api_token: token } = bots[0];
    await world.sandbox.subscribe(token, { orderId: 3, chatId: order.chat_id, accountId: order.account_id }, 100_001);
    const opened = await world.open();
    const { page } = opened;
    await page.locator('#ledger [data-kind="reward_held"]').first().waitFor();
    await page.click('#tour-start');
    await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.locator('#tour').isVisible(), false);
    await page.click('#tour-start');
    await page.locator('dialog').getByRole('button', { name: 'Begin' }).click();
    await page.locator('#tour[data-step="meet"][data-done="false"]').waitFor();
    // The reset removes earlier payments from the page.
    await page.locator('#ledger [data-kind="reward_held"]').first().waitFor({ state: 'detached' });
    opened.assertQuiet();
    await opened.close();
  });
});
