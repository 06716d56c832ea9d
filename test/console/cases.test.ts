import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { payoutsOf } from '../bot/balance-labels.ts';
import { caseOf, lowQualityCase, runCasesJob, subscribeMany } from '../support/cases.ts';
import { decisionsAbout, OPERATED, OPERATOR_ID, operatorOf } from './operator-service.ts';
import { readable, readCsv, Visitor } from './visitor.ts';

const service = useService({ ...OPERATED, ORDER_MODERATION: 'off' });
const theOperator = operatorOf(service);
const QUEUE = '/console/operator/cases';

/** A signed-in owner of a bot about which a case is open. */
async function ownerWithCase(deposit = 0) {
  const { sandbox } = service;
  const visitor = await Visitor.signedIn(sandbox, { name: 'Eve <b>', deposit });
  const publisher = await sandbox.publisher({ account_id: visitor.accountId });
  const { caseId } = await lowQualityCase(service, publisher);
  return { visitor, publisher, caseId };
}

describe('cases in the console', () => {
  let operator: Visitor;
  before(async () => {
    operator = await theOperator();
  });

  it('are queued by money at risk and can be filtered and downloaded', async () => {
    const { sandbox, database } = service;
    const { caseId } = await ownerWithCase();
    const small = await sandbox.publisher();
    const order = await sandbox.advertise({ quantity: 4 });
    for (const user of await subscribeMany(sandbox, small, order, 3)) {
      await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=kicked`);
    }
    await runCasesJob(service);
    const removals = await caseOf(database.db, order.accountId);
    const ids = (text: string): number[] =>
      [...text.matchAll(/href="\/console\/operator\/cases\/(\d+)"/g)].map(([, id]) => Number(id));
    const listed = ids((await operator.get(QUEUE)).text);
    assert.ok(listed.indexOf(removals.id) < listed.indexOf(caseId), '30 ₽ come before 21 ₽');
    assert.deepEqual(ids((await operator.get(`${QUEUE}?kind=removals`)).text), [removals.id]);
    const [head, ...rows] = readCsv((await operator.get(`${QUEUE}?format=csv&table=cases`)).text);
    assert.equal(head?.[0], 'No.');
    assert.equal(rows.length, listed.length);
    await operator.submit(`${QUEUE}/${removals.id}/clear`, { text: 'x' });
  });

  it('show figures, reasons, examples and the answer; the export is JSON', async () => {
    const { visitor, publisher, caseId } = await ownerWithCase();
    await visitor.get(`/console/cases/${caseId}`);
    const text = '<script>alert(1)</script> honest';
    assert.match(
      readable((await visitor.submit(`/console/cases/${caseId}/answer`, { answer: text })).text),
      /have your answer/,
    );
    const again = await visitor.submit(`/console/cases/${caseId}/answer`, { answer: 'again' });
    assert.match(readable(again.text), /You can answer once/);

    const page = await operator.get(`${QUEUE}/${caseId}`);
    assert.ok(!page.text.includes('<script>alert'), 'the answer is escaped');
    const seen = readable(page.text);
    for (const part of [
      /At risk ₽21\.00/,
      /Subscriptions 3/,
      /8 of 10 subscribers/,
      /Eve <b>, account no\. \d+/,
      /<script>alert\(1\)<\/script> honest/,
      /A reversal would take back 3 subscriptions worth ₽21\.00/,
    ]) {
      assert.match(seen, part);
    }
    const file = await operator.get(`${QUEUE}/${caseId}/export`);
    assert.match(
      file.headers.get('content-disposition') ?? '',
      /attachment; filename="sponsorgate-case-\d+-[\d-]+\.json"/,
    );
    const exported = JSON.parse(file.text);
    assert.deepEqual(
      [exported.case_id, exported.kind, exported.subject, exported.risk_kopecks, exported.evidence.examples.length],
      [caseId, 'low_quality', `bot:${publisher.botId}`, 2_100, 3],
    );
  });

  it('are decided once, with a reason, and the decision is in the audit log', async () => {
    const { visitor, publisher, caseId } = await ownerWithCase();
    const path = `${QUEUE}/${caseId}`;
    await operator.get(`${path}/hold`);
    assert.equal((await operator.post(`${path}/hold`, { text: ' ' })).status, 422);
    assert.match(readable((await operator.submit(`${path}/hold`, { text: 'leavers' })).text), /Withdrawals are frozen/);
    assert.match(readable((await operator.submit(`${path}/hold`, { text: 'leavers' })).text), /Decided already/);
    const reversed = await operator.submit(`${path}/reverse`, { text: 'a farm' });
    assert.match(readable(reversed.text), /Subscriptions reversed: 3, worth ₽21\.00/);
    assert.match(
      readable((await operator.submit(`${path}/clear`, { text: 'no' })).text),
      /Decided already: subscriptions reversed/,
    );
    assert.deepEqual(await service.sandbox.money(publisher.token), { balance: 0, hold_balance: 0 });
    await service.sandbox.assertBalanced();
    const { accountId } = visitor;
    assert.deepEqual(await decisionsAbout(service, `case:${caseId}`), [
      { action: 'case.reversed', operator: OPERATOR_ID, details: { accountId, reason: 'a farm' } },
      { action: 'case.held', operator: OPERATOR_ID, details: { accountId, reason: 'leavers' } },
    ]);
    const own = readable((await visitor.get(`/console/cases/${caseId}`)).text);
    assert.match(own, /Reason of the decision a farm/);
  });

  it('draw what accounts share as a picture with the same as text; clearing disconnects them', async () => {
    const { sandbox, database } = service;
    const owner = await Visitor.arrive(sandbox, { name: 'Mallory <i>', deposit: 100 });
    const publisher = await sandbox.publisher({ account_id: owner.accountId });
    const order = await sandbox.advertise({ quantity: 10, title: 'Shared <u>' });
    await subscribeMany(sandbox, publisher, order, 5);
    await sandbox.advertise({ account_id: owner.accountId, chat_id: order.chatId, quantity: 1 });
    await runCasesJob(service);
    const { id } = await caseOf(database.db, owner.accountId);
    const { text } = await operator.get(`${QUEUE}/${id}`);
    assert.match(text, /<svg [^>]*role="img" aria-labelledby="graph-title graph-desc">/);
    assert.equal(text.match(/<line class="edge"/g)?.length, 2);
    assert.ok(!text.includes('Mallory <i>') && !text.includes('Shared <u>'), 'names are escaped');
    assert.match(readable(text), /account Mallory <i> – channel Shared <u>/);

    const account = `/console/operator/accounts/${owner.accountId}`;
    assert.match(readable((await operator.get(account)).text), /Connected accounts.*account no\. \d+.*connected/);
    await operator.submit(`${QUEUE}/${id}/clear`, { text: 'brothers' });
    assert.match(readable((await operator.get(account)).text), /declared unconnected/);
    const restored = await operator.submit(`${account}/connections/${order.accountId}/restore`);
    assert.match(readable(restored.text), /count as connected again/);
    const cut = await operator.submit(`${account}/connections/${order.accountId}/cut`);
    assert.match(readable(cut.text), /no longer count as connected/);
  });

  it('make the approval of a payout name the cases that were seen', async () => {
    const { visitor, caseId } = await ownerWithCase(300);
    const payouts = payoutsOf(service.database.db);
    const request = { accountId: visitor.accountId, key: 'a', amountKopecks: 30_000n, method: 'manual' } as const;
    const outcome = await payouts.request({ ...request, destination: 'card' });
    assert.ok(outcome.kind === 'requested');
    const path = `/console/operator/payouts/${outcome.payout.id}`;
    const seen = readable((await operator.get(path)).text);
    assert.match(seen, /Undecided cases.*Low quality of a source.*Case no\. \d+.*Quality of the bots.*low/s);
    assert.match(readable((await operator.submit(`${path}/approve`)).text), /undecided: decide them, or confirm/);
    const asked = await operator.get(`${path}/approve`);
    assert.match(readable(asked.text), /Undecided cases: 1\. By approving you confirm/);
    assert.match(asked.text, new RegExp(`name="seen_case" value="${caseId}"`));
    const approved = await operator.submit(`${path}/approve`, { seen_case: String(caseId) });
    assert.match(readable(approved.text), /The payout is approved/);
  });

  it('of a banned account can be read and answered once by its owner, who reaches nothing else', async () => {
    const { visitor, caseId } = await ownerWithCase();
    const path = `/console/cases/${caseId}`;
    await operator.get(`${QUEUE}/${caseId}/ban`);
    await operator.submit(`${QUEUE}/${caseId}/ban`, { text: 'a farm' });
    assert.equal((await visitor.get(path)).status, 401, 'the ban ends the session');
    await visitor.signInBanned();
    assert.equal((await visitor.get('/console/bots')).status, 403);
    assert.match(readable((await visitor.get(path)).text), /Reason of the decision a farm/);
    const answered = await visitor.submit(`${path}/answer`, { answer: 'I am not a farm' });
    assert.match(readable(answered.text), /have your answer/);
    assert.match(readable((await visitor.submit(`${path}/answer`, { answer: 'again' })).text), /You can answer once/);
    assert.match(readable((await operator.get(`${QUEUE}/${caseId}`)).text), /I am not a farm/);
  });

  it('are private: another owner sees no case, and only operators see the queue', async () => {
    const { caseId } = await ownerWithCase();
    const stranger = await Visitor.signedIn(service.sandbox);
    assert.equal((await stranger.get(`/console/cases/${caseId}`)).status, 404);
    assert.match(readable((await stranger.get('/console/cases')).text), /There were no cases/);
    for (const path of [QUEUE, `${QUEUE}/${caseId}`, `${QUEUE}/${caseId}/export`]) {
      assert.equal((await stranger.get(path)).status, 404, path);
    }
    assert.equal((await stranger.post(`/console/cases/${caseId}/answer`, { answer: 'mine' })).status, 404);
    assert.equal((await stranger.post(`${QUEUE}/${caseId}/clear`, { text: 'mine' })).status, 404);
  });

  it('an operator sets the quality level of a bot and restores it', async () => {
    const { visitor, publisher } = await ownerWithCase();
    const path = `/console/operator/accounts/${visitor.accountId}/bots/${publisher.botId}/quality`;
    await operator.get(`${path}/good`);
    assert.match(
      readable((await operator.submit(`${path}/good`, { text: 'by hand' })).text),
      /quality level is changed/,
    );
    assert.match(readable((await operator.submit(`${path}/good`, { text: 'by hand' })).text), /already/i);
    assert.match(readable((await operator.submit(`${path}/restore`)).text), /computed level applies again/);
  });
});
