import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { ownerWith, payoutsOf } from '../bot/balance-labels.ts';
import { freshUser } from '../support/sandbox.ts';
import { decisionsAbout, OPERATED, OPERATOR_ID, operatorOf, waitingPayout } from './operator-service.ts';
import { readable } from './visitor.ts';

const service = useService(OPERATED);
const theOperator = operatorOf(service);
const AREA = '/console/operator';
const keyIn = (text: string): string => /name="key" value="([0-9a-f-]{36})"/.exec(text)?.[1] ?? '';

describe('an operator who suspects fraud', () => {
  it('debits an account once after a confirmation and sees it among the debtors', async () => {
    const { sandbox } = service;
    const operator = await theOperator();
    const { accountId } = await ownerWith(sandbox, { language: 'en' }, 100);
    const path = `${AREA}/accounts/${accountId}/debit`;
    const key = keyIn((await operator.get(path)).text);
    assert.equal((await operator.post(path, { amount: 'x', note: '', key })).status, 422);
    const asked = await operator.post(path, { amount: '150', note: 'fraud', key });
    assert.match(readable(asked.text), /Debit ₽150\.00\?.*Reason: fraud/);
    assert.equal(await sandbox.kopecks('available', accountId), 10_000, 'a question moves nothing');
    const request = { amount: '150.00', note: 'fraud', key, confirmed: 'yes' };
    const [first, second] = await Promise.all([operator.post(path, request), operator.post(path, request)]);
    assert.deepEqual([first?.status, second?.status], [303, 303]);
    assert.equal(await sandbox.kopecks('available', accountId), -5_000);
    assert.match(readable((await operator.get(`${AREA}/debtors`)).text), new RegExp(`Owner <b> ${accountId} ₽50\\.00`));
    assert.deepEqual(await decisionsAbout(service, `account:${accountId}`), [
      { action: 'account.debited', operator: OPERATOR_ID, details: { amountKopecks: '15000', reason: 'fraud' } },
    ]);
    await sandbox.assertBalanced();
  });

  it('freezes withdrawals and a payout, and lifts both', async () => {
    const operator = await theOperator();
    const { accountId, payoutId } = await waitingPayout(service);
    const account = `${AREA}/accounts/${accountId}`;
    const payout = `${AREA}/payouts/${payoutId}`;
    assert.match(readable((await operator.submit(`${account}/freeze`, { text: 'odd' })).text), /frozen .*: odd/);
    assert.match(readable((await operator.submit(`${account}/freeze`, { text: 'odd' })).text), /Done already/);
    const payouts = payoutsOf(service.database.db);
    const request = { accountId, key: 'b', amountKopecks: 10_000n, method: 'manual', destination: 'card' } as const;
    assert.deepEqual(await payouts.request(request), { kind: 'withdrawals_frozen' });
    assert.match(readable((await operator.submit(`${payout}/approve`)).text), /Lift the freeze first/);
    assert.match(readable((await operator.submit(`${account}/unfreeze`)).text), /Released/);

    assert.match(readable((await operator.submit(`${payout}/freeze`, { text: 'odd' })).text), /payout is frozen: odd/);
    assert.match(readable((await operator.submit(`${payout}/approve`)).text), /Lift the freeze first/);
    assert.match(readable((await operator.get(`${payout}/unfreeze`)).text), /Release the payout\?/);
    assert.match(readable((await operator.submit(`${payout}/unfreeze`)).text), /Released/);
    assert.match(readable((await operator.submit(`${payout}/approve`)).text), /The payout is approved/);
    const about = async (subject: string) => (await decisionsAbout(service, subject)).map(({ action }) => action);
    assert.deepEqual(await about(`account:${accountId}`), ['account.unfrozen', 'account.frozen']);
    assert.deepEqual(await about(`payout:${payoutId}`), ['payout.approved', 'payout.unfrozen', 'payout.frozen']);
  });

  it('stops an order and resumes it', async () => {
    const { sandbox } = service;
    const operator = await theOperator();
    const { orderId } = await sandbox.advertise({ quantity: 5 });
    const path = `${AREA}/orders/${orderId}`;
    assert.match(
      readable((await operator.submit(`${path}/pause`, { text: 'odd' })).text),
      /Stopped by an operator .*: odd/,
    );
    assert.equal((await sandbox.order(orderId)).status, 'paused');
    assert.match(readable((await operator.submit(`${path}/pause`, { text: 'odd' })).text), /Done already/);
    assert.match(readable((await operator.submit(`${path}/resume`)).text), /The stop is lifted/);
    assert.equal((await sandbox.order(orderId)).status, 'active');
    const actions = (await decisionsAbout(service, `order:${orderId}`)).map(({ action }) => action);
    assert.deepEqual(actions, ['order.resumed', 'order.paused']);
  });

  it('reverses the subscriptions of a bot once, after a preview', async () => {
    const { sandbox } = service;
    const operator = await theOperator();
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise({ price_per_sub: 10, quantity: 5 });
    for (const user of [freshUser(), freshUser()]) await sandbox.subscribe(publisher.token, order, user);
    const path = `${AREA}/reversals`;
    assert.equal((await operator.get(`${path}?bot=&order=`)).status, 422);
    assert.equal((await operator.get(`${path}?bot=x&order=`)).status, 422);
    assert.match(readable((await operator.get(`${path}?bot=999999&order=`)).text), /nothing to reverse/);
    const shown = (await operator.get(`${path}?bot=${publisher.botId}&order=${order.orderId}`)).text;
    assert.match(
      readable(shown),
      /Subscriptions 2 publishers: 1 Publishers lose ₽14\.00 Of which settled ₽0\.00 .*Orders get back ₽20\.00/,
    );
    const field = (name: string): string => new RegExp(`name="${name}" value="(\\d*)"`).exec(shown)?.[1] ?? '';
    const until = /name="until" value="(\d+)"/.exec(shown)?.[1] ?? '';
    const request = { bot: String(publisher.botId), order: field('order'), from: '0', until, key: keyIn(shown) };
    assert.equal((await operator.post(path, { ...request, reason: '' })).status, 422);
    assert.equal(await sandbox.kopecks('hold', publisher.accountId), 1_400);
    const answers = await Promise.all([1, 2].map(() => operator.post(path, { ...request, reason: 'invented users' })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    assert.equal(await sandbox.kopecks('hold', publisher.accountId), 0);
    assert.match(
      readable((await operator.get(`${AREA}/log`)).text),
      /Subscriptions reversed .*₽14\.00 · × 2 · bot \d+, order \d+ · invented users/,
    );
    const [logged] = await service.database.db.query<{ count: bigint }>(
      "SELECT count(*) AS count FROM operator_actions WHERE action = 'subscriptions.reversed'",
    );
    assert.equal(logged?.count, 1n);
    await sandbox.assertBalanced();
  });
});
