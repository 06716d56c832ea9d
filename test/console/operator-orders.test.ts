import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { decisionsAbout, OPERATED, OPERATOR_ID, operatorOf, waitingOrder } from './operator-service.ts';
import { readable, Visitor } from './visitor.ts';

const service = useService({ ...OPERATED, SUPPORT_CONTACT: '@sponsorgate_help' });
const signedIn = operatorOf(service);

describe('an operator', () => {
  it('finds an order of any owner and stops it', async () => {
    const operator = await signedIn();
    const { orderId } = await waitingOrder(service.sandbox, 'Kittens');
    await operator.get('/console/operator/orders');
    await operator.submit(`/console/operator/orders/${orderId}/approve`);
    const list = await operator.get('/console/operator/running?status=active&q=kitt');
    assert.match(readable(list.text), /Kittens/);
    assert.match(list.text, new RegExp(`href="/console/operator/orders/${orderId}/pause"`));
    assert.doesNotMatch(readable((await operator.get('/console/operator/running?q=100%25')).text), /Kittens/);
    await operator.get(`/console/operator/orders/${orderId}/pause`);
    await operator.submit(`/console/operator/orders/${orderId}/pause`, { text: 'cats only' });
    assert.equal((await service.sandbox.order(orderId)).status, 'paused');
    assert.match(
      readable((await operator.get(`/console/operator/running?q=${orderId}&status=paused`)).text),
      /Kittens/,
    );
  });

  it('sees the resolved chat beside the link and what changed since the last order', async () => {
    const operator = await signedIn();
    const { orderId } = await waitingOrder(service.sandbox, 'First');
    const first = readable((await operator.get(`/console/operator/orders/${orderId}`)).text);
    assert.match(first, /Link https:\/\/t\.me\/\S+ leads to: First · @/);
    assert.match(first, /The first order of this owner/);
  });

  it('takes back a mistaken credit with a reason, once', async () => {
    const operator = await signedIn();
    const grace = await Visitor.signedIn(service.sandbox, { name: 'Grace H.' });
    const path = `/console/operator/accounts/${grace.accountId}`;
    await operator.get(path);
    const key = '00000000-0000-4000-8000-000000000001';
    await operator.submit(`${path}/credit`, { amount: '50', note: 'typo', key, confirmed: 'yes' });
    const page = await operator.get(path);
    const correct = new RegExp(`href="(${path}/credits/\\d+/correct)"`).exec(page.text)?.[1] ?? '';
    await operator.get(correct);
    const done = await operator.submit(correct, { text: 'meant another account' });
    assert.match(readable(done.text), /counter-entry took the credit back/);
    assert.equal(await service.sandbox.kopecks('available', grace.accountId), 0);
    await operator.get(correct);
    assert.match(readable((await operator.submit(correct, { text: 'again' })).text), /debited already/);
    const decisions = await decisionsAbout(service, `account:${grace.accountId}`);
    assert.deepEqual(
      decisions.map(({ operator: id }) => id),
      [OPERATOR_ID, OPERATOR_ID],
    );
    await service.sandbox.assertBalanced();
    const log = readable((await operator.get('/console/operator/log')).text);
    assert.match(log, /Op 990401/, 'the name stands beside the id');
    assert.match(log, /account no\. \d+ Grace H\./);
  });

  it('is offered no warning about operators; error pages name the support contact', async () => {
    const grace = await Visitor.signedIn(service.sandbox);
    assert.doesNotMatch((await grace.get('/console/payouts')).text, /OPERATOR_IDS/);
    const missing = await grace.get('/console/nothing');
    assert.equal(missing.status, 404);
    assert.match(missing.text, /Need help\? <a href="https:\/\/t\.me\/sponsorgate_help"[^>]*>@sponsorgate_help/);
  });
});
