import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { useSandboxPage } from './sandbox-page.ts';

const pages = useSandboxPage();
beforeEach(() => pages.sandbox.control('POST', '/reset'));

describe('the exchange', () => {
  it('moves its clock by an hour and by a day, and shows the result', async () => {
    const opened = await pages.open();
    const { page } = opened;
    const now = async () => Date.parse((await pages.sandbox.control('GET', '/state')).now);
    const before = await now();
    await page.click('#clock-hour');
    await page.getByText('An hour later.').waitFor();
    await page.click('#clock-day-later');
    await page.getByText('24 hours later.').waitFor();
    const hours = (await now()) - before;
    assert.ok(hours >= 25 * 3_600_000 && hours < 25.1 * 3_600_000, `${hours} ms`);
    opened.assertQuiet();
    await opened.close();
  });

  it('lists requests of any client, with the token masked', async () => {
    const opened = await pages.open();
    const { page } = opened;
    const { bots } = await pages.sandbox.control('GET', '/state');
    const { api_token: token } = bots[0];
    await pages.sandbox.getSponsors(token, 100_001);
    await pages.sandbox.statistic(token);
    await pages.sandbox.api('at_wrong', 'get-balance', {});
    const refused = page.locator('#calls [data-path="/api/v1/get-balance"]').first();
    await refused.getByText('401').waitFor();
    const statistic = page.locator('#calls [data-path="/statistic"]').first();
    await statistic.locator('summary').click();
    const shown = (await page.locator('#calls').textContent()) ?? '';
    assert.match(shown, /\/statistic\?api_token=at_/);
    assert.ok(!shown.includes(token), 'the token is shown');
    opened.assertQuiet();
    await opened.close();
  });

  it('updates money, orders and ledger while another client subscribes a user', async () => {
    const opened = await pages.open();
    const { page } = opened;
    const { bots, orders } = await pages.sandbox.control('GET', '/state');
    const order = orders.find((each: { order_id: number }) => each.order_id === 3);
    await page.locator('[data-order="3"]', { hasText: '300 of 300 left' }).waitFor();
    await pages.sandbox.subscribe(
      bots[0].api_token,
      { orderId: 3, chatId: order.chat_id, accountId: order.account_id },
      100_002,
    );
    await page.locator('[data-order="3"]', { hasText: '299 of 300 left' }).waitFor();
    await page.locator('[data-account="1"]', { hasText: '₽4.20' }).waitFor();
    await page
      .locator('#ledger .entry', { hasText: /Reward for .Борис. in “.Cheap flights.”, on hold\+₽4\.20/ })
      .waitFor();
    await page.locator('[data-account="0"]', { hasText: /the service, 30 %₽1\.80/ }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('distinguishes webhooks with our signature from others', async () => {
    const opened = await pages.open();
    const { page } = opened;
    await page.click('#webhooks-subscribe');
    await page.locator('#webhooks-subscribe[hidden]').waitFor({ state: 'attached' });
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,bm90IG91cnM=' };
    await pages.sandbox.call('POST', '/sandbox/inbox/demo', { type: 'subscription.confirmed' }, forged);
    await page.locator('#webhooks [data-signature="invalid"]', { hasText: 'wrong signature' }).waitFor();
    await pages.sandbox.call('POST', '/sandbox/inbox/demo', { type: 'hello' });
    await page.locator('#webhooks [data-signature="unknown"]', { hasText: 'not signed by us' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('switches faults of Telegram on and off, and the bot stops and resumes', async () => {
    const opened = await pages.open();
    const { page } = opened;
    await opened.openChat('100003', 'sponsorgate_bot');
    for (const [name, meaning] of [
      ['Slow', 'a second longer'],
      ['Flood', '429'],
      ['No rights', 'cannot be checked'],
      ['Down', '502'],
    ] as const) {
      await page.getByLabel(name, { exact: true }).check();
      await page.locator('#fault-meaning', { hasText: meaning }).waitFor();
    }
    await page.getByLabel('Telegram’s own limits').check();
    await eventually(
      'both are set',
      async () =>
        await page
          .locator('#fault-down, #flood-limits')
          .evaluateAll((inputs) => inputs.every((input) => (input as unknown as { checked: boolean }).checked)),
    );
    await page.getByLabel('Telegram’s own limits').uncheck();
    await page.click('#chat-action');
    await page.locator('.message-person', { hasText: '/start' }).waitFor();
    await eventually(
      'the bot has tried to answer',
      async () =>
        (await pages.sandbox.control('GET', '/persons/100003/messages?bot=sponsorgate_bot')).messages.length === 1,
    );
    await page.getByLabel('Works', { exact: true }).check();
    await page.locator('#fault-meaning', { hasText: 'as it should' }).waitFor();
    await page.fill('#chat-field', 'hello');
    await page.keyboard.press('Enter');
    await page.locator('.message-bot', { hasText: 'Available' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('resets to the demo data after a confirmation while the demo bot keeps polling', async () => {
    const opened = await pages.open();
    const { page } = opened;
    await opened.openChat('100003', 'demo_publisher_bot');
    await page.click('#chat-action');
    await page.getByText('I subscribed').waitFor();
    await page.locator('#calls .entry').first().waitFor();
    await page.click('#clock-hour');
    await page.getByText('An hour later.').waitFor();
    await page.click('#reset');
    await page.locator('dialog').getByRole('button', { name: 'Start over' }).click();
    await page.getByText('The demo data is back').waitFor();
    await page.locator('#calls-empty', { hasText: 'The API has not been called yet' }).waitFor();
    const ahead = Date.parse((await pages.sandbox.control('GET', '/state')).now) - Date.now();
    assert.ok(Math.abs(ahead) < 600_000, `the clock is ${ahead} ms ahead`);
    await page.click('[data-chat="demo_publisher_bot"]');
    await page.click('#chat-action');
    await page.getByText('I subscribed').waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('shows the charge beside the price, and finds orders by name and owner', async () => {
    const { accounts } = await pages.sandbox.control('GET', '/state');
    const [, advertiser] = accounts;
    for (let number = 1; number <= 25; number++) {
      const chat = await pages.sandbox.control('POST', '/chats', { type: 'channel', title: `Garden ${number}` });
      await pages.sandbox.control('POST', '/orders', {
        account_id: advertiser.account_id,
        chat_id: chat.chat_id,
        price_per_sub: 10,
        quantity: 1,
        ...(number === 25 ? { filters: { countries: ['DE'] } } : {}),
      });
    }
    const opened = await pages.open();
    const { page } = opened;
    await page.locator('#orders-more', { hasText: 'and 23 more' }).waitFor();
    await page.fill('#orders-search', 'garden 25');
    await page.locator('.order', { hasText: 'price ₽10.00 · charge ₽12.00 · reward ₽7.00' }).waitFor();
    assert.equal(await page.locator('.order').count(), 1);
    await page.fill('#orders-search', 'Travel Club');
    await page.locator('.order', { hasText: 'Cheap flights' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('explains the roles, escrow, hold and the shares, and remembers that the guide was closed', async () => {
    const opened = await pages.open();
    const { page } = opened;
    const text = (await page.locator('#guide').textContent()) ?? '';
    for (const word of ['User', 'Publisher', 'Advertiser', 'Operator', 'Escrow', 'On hold', '70 %', '30 %']) {
      assert.ok(text.includes(word), word);
    }
    await page.click('#guide summary');
    await page.reload();
    await page.locator('#money tr').first().waitFor();
    assert.equal(await page.locator('.roles').isVisible(), false);
    await opened.close();
  });
});
