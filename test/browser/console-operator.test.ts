import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { OPERATED, operatorOf, waitingOrder, waitingPayout } from '../console/operator-service.ts';
import { Visitor } from '../console/visitor.ts';
import { caseOf, runCasesJob, subscribeMany } from '../support/cases.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { DESKTOP, PHONE, useBrowser } from './browser.ts';

const AREA = '/console/operator';

const browser = useBrowser();
let service: TestService;
let operator: Visitor;
let pages: string[];

before(async () => {
  service = await startTestService(OPERATED);
  operator = await operatorOf(service)();
  await service.sandbox.pauseAllOrders();
  const order = await waitingOrder(service.sandbox, 'A channel about gardens, with a title that is rather long');
  const decided = await waitingOrder(service.sandbox);
  const payout = await waitingPayout(service);
  const approved = await waitingPayout(service);
  // Two owners of one channel: their case has a picture.
  const dealer = await Visitor.arrive(service.sandbox, {
    name: 'A dealer with a name that is rather long',
    deposit: 100,
  });
  const { accountId } = dealer;
  const publisher = await service.sandbox.publisher({ account_id: accountId });
  const bought = await service.sandbox.advertise({
    quantity: 10,
    title: 'A channel about gardens that both advertise',
  });
  await subscribeMany(service.sandbox, publisher, bought, 5);
  await service.sandbox.advertise({ account_id: accountId, chat_id: bought.chatId, quantity: 1 });
  await runCasesJob(service);
  const { id: caseId } = await caseOf(service.database.db, accountId);
  await operator.submit(`${AREA}/orders/${decided.orderId}/reject`, { text: 'The link leads nowhere' });
  await operator.submit(`${AREA}/payouts/${approved.payoutId}/approve`);
  await operator.submit(`${AREA}/accounts/${decided.accountId}/ban`, { text: 'Fraud' });
  pages = [
    AREA,
    `${AREA}/orders`,
    `${AREA}/orders/${order.orderId}`,
    `${AREA}/orders/${order.orderId}/reject`,
    `${AREA}/orders/${decided.orderId}`,
    `${AREA}/payouts`,
    `${AREA}/payouts/${payout.payoutId}`,
    `${AREA}/payouts/${payout.payoutId}/approve`,
    `${AREA}/payouts/${approved.payoutId}`,
    `${AREA}/payouts/${approved.payoutId}/sent`,
    `${AREA}/accounts`,
    `${AREA}/accounts?q=nobody`,
    `${AREA}/accounts/${payout.accountId}`,
    `${AREA}/accounts/${decided.accountId}`,
    `${AREA}/accounts/${payout.accountId}/ban`,
    `${AREA}/cases`,
    `${AREA}/cases/${caseId}`,
    `${AREA}/cases/${caseId}/reverse`,
    `${AREA}/accounts/${accountId}`,
    `${AREA}/accounts/${accountId}/bots/${publisher.botId}/quality/good`,
    `${AREA}/log`,
    `${AREA}/books`,
  ];
});
after(() => service?.stop());

async function open(options: Parameters<typeof browser.open>[0]) {
  const opened = await browser.open(options);
  await opened.page.goto(await operator.link());
  await opened.page.getByRole('button').click();
  await opened.page.waitForURL('**/console');
  return opened;
}

for (const { name, language, verify, balanced, options } of [
  {
    name: 'desktop in daylight, English',
    language: 'en',
    verify: 'Verify',
    balanced: 'The books are balanced',
    options: { viewport: DESKTOP, colorScheme: 'light' },
  },
  {
    name: 'phone at night, Russian',
    language: 'ru',
    verify: 'Проверить',
    balanced: 'Учёт сходится',
    options: { viewport: PHONE, colorScheme: 'dark', hasTouch: true, isMobile: true },
  },
] as const) {
  it(`every page of an operator on a ${name} is accessible, fits the screen and logs no errors`, async () => {
    const opened = await open(options);
    const { page } = opened;
    await operator.get('/console');
    await operator.submit('/console/language', { language, back: '/console' });
    for (const path of pages) {
      await page.goto(`${service.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(width <= options.viewport.width, `${path} is ${width} wide`);
      await opened.assertAccessible();
    }
    await page.getByRole('main').getByRole('button', { name: verify }).click();
    await page.getByText(balanced).waitFor();
    await opened.assertAccessible();
    opened.assertQuiet();
    await opened.close();
  });
}

it('an operator credits money: form, confirmation and result', async () => {
  const { accountId } = await service.sandbox.publisher();
  await operator.get('/console');
  await operator.submit('/console/language', { language: 'en', back: '/console' });
  const opened = await open({});
  const { page } = opened;
  await page.goto(`${service.url}${AREA}/accounts`);
  await page.getByLabel('Number of an account').fill(String(accountId));
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('table').getByRole('link').first().click();
  await page.getByLabel('Amount').fill('25.50');
  await page.getByLabel('Note').fill('receipt 9');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('heading', { level: 1, name: 'Credit ₽25.50?' }).waitFor();
  await opened.assertAccessible();
  await page.getByRole('button', { name: 'Credit' }).click();
  await page.getByRole('status').getByText('₽25.50 credited').waitFor();
  opened.assertQuiet();
  await opened.close();
  assert.equal(await service.sandbox.kopecks('available', accountId), 2_550);
});
