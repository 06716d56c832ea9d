import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { earnFromOneself, ownerWith, payoutsOf } from '../bot/balance-labels.ts';
import { CONTEST_RULES } from '../support/contest-rules.ts';
import { bindContests } from '../support/money-use-cases.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import {
  decisionsAbout,
  isTold,
  OPERATED,
  OPERATOR_ID,
  operatorOf,
  waitingOrder,
  waitingPayout,
} from './operator-service.ts';
import { readable, readCsv, type Visitor } from './visitor.ts';

const service = useService(OPERATED);
const theOperator = operatorOf(service);

describe('moderation in the console', () => {
  const path = '/console/operator/orders';
  let operator: Visitor;
  before(async () => {
    operator = await theOperator();
  });

  it('shows the facts of an order; a repeated approval activates it, notifies its owner and is logged once', async () => {
    const { sandbox } = service;
    const order = await waitingOrder(sandbox, 'News <b>');
    const listed = await operator.get(path);
    assert.match(listed.text, new RegExp(`href="${path}/${order.orderId}">News &#60;b&#62;</a>`));
    const page = readable((await operator.get(`${path}/${order.orderId}`)).text);
    for (const part of [
      /Owner <b>, account no\. \d+/,
      /Link https:\/\/t\.me\//,
      /News <b>/,
      /Price per subscriber ₽10\.00/,
      /In all ₽50\.00/,
      /Whom to reach everybody/,
    ]) {
      assert.match(page, part);
    }
    const approve = `${path}/${order.orderId}/approve`;
    assert.match(readable((await operator.submit(approve)).text), /approved and being shown/);
    assert.match(readable((await operator.submit(approve)).text), /Decided already: active/);
    const publisher = await sandbox.publisher();
    const shown = await sandbox.getSponsors(publisher.token, freshUser());
    assert.deepEqual(
      shown.map(({ ads_id: id }) => id),
      [order.orderId],
    );
    await isTold(sandbox, order.person, /Order \d+ “News <b>” is approved/);
    assert.deepEqual(await decisionsAbout(service, `order:${order.orderId}`), [
      { action: 'order.approved', operator: OPERATOR_ID, details: { accountId: order.accountId } },
    ]);
  });

  it('rejects an order only with a reason, refunds it, notifies its owner and ignores a repetition', async () => {
    const { sandbox } = service;
    const order = await waitingOrder(sandbox);
    const reject = `${path}/${order.orderId}/reject`;
    assert.match(readable((await operator.get(reject)).text), /Reject the order\?/);
    for (const text of [' \n ', 'x'.repeat(301)]) {
      const refused = await operator.post(reject, { text });
      assert.equal(refused.status, 422);
      assert.match(refused.text, /aria-invalid="true"/);
    }
    assert.equal((await sandbox.order(order.orderId)).status, 'moderation');
    const page = readable((await operator.submit(reject, { text: ' <b>spam</b>\n' })).text);
    assert.match(page, /is rejected, its money is back.*Why it was rejected: <b>spam<\/b>/);
    assert.match(readable((await operator.submit(reject, { text: 'again' })).text), /Decided already: rejected/);
    assert.match(
      readable((await operator.submit(`${path}/${order.orderId}/approve`)).text),
      /Decided already: rejected/,
    );
    assert.equal(await sandbox.kopecks('available', order.accountId), 10_000);
    await isTold(sandbox, order.person, /“News” is rejected: <b>spam<\/b>/);
    assert.deepEqual(await decisionsAbout(service, `order:${order.orderId}`), [
      {
        action: 'order.rejected',
        operator: OPERATOR_ID,
        details: { accountId: order.accountId, reason: '<b>spam</b>' },
      },
    ]);
    await sandbox.assertBalanced();
  });

  it('does not approve an order of a banned owner', async () => {
    const { sandbox } = service;
    const order = await waitingOrder(sandbox);
    await operator.submit(`/console/operator/accounts/${order.accountId}/ban`, { text: 'fraud' });
    const refused = await operator.submit(`${path}/${order.orderId}/approve`);
    assert.match(readable(refused.text), /The owner is banned: lift the ban/);
    assert.equal((await sandbox.order(order.orderId)).status, 'moderation');
    await operator.submit(`${path}/${order.orderId}/reject`, { text: 'the owner is banned' });
    assert.equal((await sandbox.order(order.orderId)).status, 'rejected');
  });

  it('lists waiting orders, oldest first, in pages; the file has all of them', async () => {
    const { sandbox } = service;
    const { accountId } = await sandbox.publisher({ deposit: 26 });
    const { token } = await sandbox.publisher({ account_id: accountId, beta: true });
    const { link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'Many' });
    const order = { name: 'Many', link, resource_type: 'channel', title: 'Many', price_per_sub: 1, quantity: 1 };
    const made: number[] = [];
    for (let i = 0; i < 26; i++) made.push((await sandbox.api(token, 'orders', order)).body.order_id);
    const idsIn = (text: string): number[] =>
      [...text.matchAll(/href="\/console\/operator\/orders\/(\d+)"/g)].map(([, id]) => Number(id));
    const page = await operator.get(path);
    assert.deepEqual(idsIn(page.text), made.slice(0, 25));
    const next = /href="([^"]+)" rel="next"/.exec(page.text)?.[1] ?? '';
    const last = await operator.get(next);
    assert.deepEqual(idsIn(last.text), made.slice(25));
    assert.match(last.text, /To the beginning/);
    assert.equal(readCsv((await operator.get(`${path}?format=csv&table=moderation`)).text).length, 1 + 26);
  });

  it('returns 404 for an order that does not exist', async () => {
    await operator.get(path);
    assert.equal((await operator.get(`${path}/999999`)).status, 404);
    assert.equal((await operator.get(`${path}/999999/reject`)).status, 404);
    assert.equal((await operator.post(`${path}/999999/approve`)).status, 404);
    assert.equal((await operator.post(`${path}/999999/reject`, { text: 'x' })).status, 404);
  });
});

describe('payouts in the console', () => {
  const path = '/console/operator/payouts';
  let operator: Visitor;
  before(async () => {
    operator = await theOperator();
  });
  const statusOf = async (id: number) => (await payoutsOf(service.database.db).find(id))?.status;

  it('approves a payout after a confirmation, marks it as sent, and notifies its owner, each once', async () => {
    const { sandbox } = service;
    const payout = await waitingPayout(service);
    const own = `${path}/${payout.payoutId}`;
    assert.match((await operator.get(path)).text, new RegExp(`href="${own}"`));
    assert.match(
      readable((await operator.get(own)).text),
      /Payout no\. \d+ waits for a decision .*₽300\.00 .*Owner <b>, account no\. \d+.*Where to card <1>/,
    );
    assert.equal((await operator.post(`${own}/sent`, { text: 'early' })).status, 303);
    assert.match(readable((await operator.get(`${own}/approve`)).text), /Approve the payout of ₽300\.00\?.*card <1>/);
    assert.equal(await statusOf(payout.payoutId), 'requested', 'neither early nor by a question');
    assert.match(readable((await operator.submit(`${own}/approve`)).text), /The payout is approved/);
    assert.match(readable((await operator.submit(`${own}/approve`)).text), /Decided already: approved/);
    assert.equal((await operator.post(`${own}/sent`, { text: '' })).status, 422);
    assert.match(
      readable((await operator.submit(`${own}/sent`, { text: 'receipt 77' })).text),
      /marked as sent.*Reference receipt 77/,
    );
    assert.match(readable((await operator.submit(`${own}/sent`, { text: 'other' })).text), /Decided already: sent/);
    await isTold(sandbox, payout.person, /Payout \d+ of ₽300\.00 was sent/);
    const details = { accountId: payout.accountId, amountKopecks: '30000' };
    assert.deepEqual(await decisionsAbout(service, `payout:${payout.payoutId}`), [
      { action: 'payout.sent', operator: OPERATOR_ID, details: { ...details, reference: 'receipt 77' } },
      { action: 'payout.approved', operator: OPERATOR_ID, details },
    ]);
    await sandbox.assertBalanced();
  });

  it('shows the sources of the money on the payout’s page and on its confirmation page', async () => {
    const payout = await waitingPayout(service);
    await earnFromOneself(service.sandbox, payout);
    const seen =
      /Balance now ₽140\.00 .*Not settled yet ₽140\.00 67% of the rewards .*Subscriptions 3 34% reversed .*₽210\.00 \(100%, 3 subscriptions\) the same owner/;
    for (const page of ['', '/approve']) {
      assert.match(readable((await operator.get(`${path}/${payout.payoutId}${page}`)).text), seen);
    }
  });

  it('rejects a payout with a reason and refunds it once, even when repeated', async () => {
    const { sandbox } = service;
    const payout = await waitingPayout(service);
    const reject = `${path}/${payout.payoutId}/reject`;
    await operator.get(reject);
    const answers = await Promise.all([
      operator.post(reject, { text: 'no card' }),
      operator.post(reject, { text: 'no card' }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    assert.match(readable((await operator.get(`${path}/${payout.payoutId}`)).text), /Why it was rejected no card/);
    assert.equal(await sandbox.kopecks('available', payout.accountId), 30_000);
    await isTold(sandbox, payout.person, /no card/);
    assert.equal((await decisionsAbout(service, `payout:${payout.payoutId}`)).length, 1);
    assert.doesNotMatch((await operator.get(path)).text, new RegExp(`href="${path}/${payout.payoutId}"`));
    await sandbox.assertBalanced();
  });

  it('exports waiting payouts as a file and returns 404 for a payout that does not exist', async () => {
    const payout = await waitingPayout(service, '=cmd');
    const rows = readCsv((await operator.get(`${path}?format=csv&table=waiting-payouts`)).text);
    const row = rows.find(([id]) => id === String(payout.payoutId));
    assert.deepEqual(row?.slice(2), [
      String(payout.accountId),
      '300.00',
      'By hand: card, bank transfer, wallet',
      "'=cmd",
      'waits for a decision',
    ]);
    assert.equal((await operator.get(`${path}/999999`)).status, 404);
    assert.equal((await operator.post(`${path}/999999/approve`)).status, 404);
  });
});

describe('contests in the console', () => {
  it('shows the standings before prizes are paid, and pays once when an operator approves', async () => {
    const { sandbox, database } = service;
    const operator = await theOperator();
    const winner = await ownerWith(sandbox, { language: 'en' });
    await sandbox.subscribe(winner.token, await sandbox.advertise({ quantity: 1 }), freshUser());
    const now = await sandboxTime(sandbox);
    const contests = bindContests({
      db: database.db,
      clock: { now: () => now },
      ...CONTEST_RULES,
      needsApproval: true,
    });
    const dates = { startsAt: now, endsAt: new Date(now.getTime() + 2 * 86_400_000) };
    const created = await contests.create({ key: 'console', name: 'Race <1>', ...dates, prizesKopecks: [10_000n] });
    assert.ok(created.kind === 'created');
    const path = `/console/operator/contests/${created.contest.id}`;
    assert.match(readable((await operator.submit(`${path}/approve`)).text), /Too early/);
    await sandbox.advance(3 * 86_400);
    assert.equal(await sandbox.kopecks('available', winner.accountId), 700);
    assert.match(readable((await operator.get('/console/operator/contests')).text), /Race <1> .*results being checked/);
    assert.match(
      readable((await operator.get(path)).text),
      new RegExp(`Approve the prizes.*1 account no\\.\\s${winner.accountId} ₽7\\.00 1 ₽100\\.00`),
    );
    assert.match(readable((await operator.submit(`${path}/approve`)).text), /The prizes are approved/);
    await sandbox.advance(60);
    assert.match(readable((await operator.submit(`${path}/approve`)).text), /Decided already: finished/);
    assert.match(readable((await operator.submit(`${path}/cancel`)).text), /Decided already: finished/);
    assert.equal(await sandbox.kopecks('available', winner.accountId), 10_700);
    assert.deepEqual(await decisionsAbout(service, `contest:${created.contest.id}`), [
      { action: 'contest.approved', operator: OPERATOR_ID, details: {} },
    ]);
    assert.equal((await operator.get('/console/operator/contests/999999')).status, 404);
    await sandbox.assertBalanced();
  });
});
