import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { findFreeze } from '../../src/modules/accounts/index.ts';
import { answerCase, forgetCases } from '../../src/modules/cases/index.ts';
import {
  approvePayout,
  banForCase,
  clearCase,
  decideOrder,
  holdCase,
  markPayoutSent,
  overrideQuality,
  rejectPayout,
  reverseCase,
  unbanAccount,
  unfreezeAccount,
} from '../../src/modules/operators/index.ts';
import { payoutsOf } from '../bot/balance-labels.ts';
import { caseOf, casesOf, lowQualityCase, runCasesJob, setLow, subscribeMany } from '../support/cases.ts';
import { eventually } from '../support/eventually.ts';
import { keepNotices } from '../support/kept-notices.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService({});
const notices = keepNotices(service);
const OPERATOR = 990_501;
const HOUR = 3600;
const DAY = 24 * HOUR;
const SERVICE_BOT = 700_000_001;

/** The dependencies of operators' decisions, at the sandbox's time. */
async function operatorDeps(payoutReviewAboveKopecks = 0n) {
  const now = await sandboxTime(service.sandbox);
  return {
    db: service.database.db,
    clock: { now: () => now },
    operatorIds: new Set([OPERATOR]),
    payoutReviewAboveKopecks,
    qualitySettings: readConfig({}).quality,
  };
}
const by = { operatorId: OPERATOR };
/** Returns the kinds of the notices about cases to an owner. */
const noticesOf = async (accountId: number): Promise<string[]> =>
  (await notices(accountId)).map(({ kind }) => kind).filter((kind) => kind.startsWith('case'));

describe('the job that opens cases', () => {
  test('opens one case for a bot of low quality, with its money, reasons and examples, and updates it', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const { caseId, order } = await lowQualityCase(service, publisher);
    const found = await caseOf(database.db, publisher.accountId);
    assert.deepEqual(
      { kind: found.kind, subject: found.subject, status: found.status, risk: found.riskKopecks },
      { kind: 'low_quality', subject: { type: 'bot', id: publisher.botId }, status: 'open', risk: 2_100n },
    );
    assert.equal(found.evidence.figures.counted, 3);
    assert.deepEqual(
      found.evidence.reasons.map(({ code }) => code),
      ['early_leaves'],
    );
    assert.deepEqual(new Set(found.evidence.examples.map((one) => one.order_id)), new Set([order.orderId]));
    const more = await sandbox.advertise({ quantity: 1 });
    await subscribeMany(sandbox, publisher, more, 1);
    assert.equal(await runCasesJob(service), 0);
    const updated = await caseOf(database.db, publisher.accountId);
    assert.deepEqual([updated.id, updated.riskKopecks, updated.evidence.figures.counted], [caseId, 2_800n, 4]);
  });

  test('opens a case for an order whose users administrators removed, and none for two removals', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise();
    const users = await subscribeMany(sandbox, publisher, order, 4);
    const remove = (user: number | undefined) =>
      sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=kicked`);
    for (const user of users.slice(0, 2)) await remove(user);
    await runCasesJob(service);
    assert.deepEqual(await casesOf(database.db, order.accountId), []);
    await remove(users[2]);
    await runCasesJob(service);
    const found = await caseOf(database.db, order.accountId);
    assert.deepEqual(
      { kind: found.kind, subject: found.subject, figures: found.evidence.figures, risk: found.riskKopecks },
      {
        kind: 'removals',
        subject: { type: 'order', id: order.orderId },
        figures: { removed: 3, counted: 4 },
        risk: 4_000n,
      },
    );
    assert.equal(found.evidence.examples.length, 3);
    const deps = await operatorDeps();
    assert.deepEqual(await clearCase(deps, { ...by, caseId: found.id, reason: 'They were spam bots.' }), {
      kind: 'done',
    });
    await runCasesJob(service);
    assert.equal((await casesOf(database.db, order.accountId)).length, 1, 'the same removals open no second case');
  });

  test('opens a case when our bot lost access in the last hours of windows, and none when early', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const [early, late] = [await sandbox.advertise(), await sandbox.advertise()];
    const lose = ({ chatId }: { chatId: number }) =>
      sandbox.control('DELETE', `/chats/${chatId}/members/${SERVICE_BOT}?status=kicked`);
    for (const order of [early, late]) await subscribeMany(sandbox, publisher, order, 3);
    await lose(early);
    await sandbox.advance(DAY - 2 * HOUR);
    await lose(late);
    await runCasesJob(service);
    assert.deepEqual(await casesOf(database.db, early.accountId), []);
    const found = await caseOf(database.db, late.accountId);
    assert.equal(found.kind, 'access_withdrawn');
    assert.deepEqual(found.evidence.figures, { unsettled: 3, near_window_end: 3, times: 1 });
  });

  test('opens a case when a moderated chat becomes another one; clearing it accepts the new one', async () => {
    const { sandbox, database } = service;
    const { db } = database;
    const order = await sandbox.advertise({ title: 'City news' });
    await db.query(`UPDATE orders SET status = 'moderation' WHERE id = $1`, [order.orderId]);
    const describeChat = (title: string) =>
      db.query(
        `INSERT INTO resource_chats (resource_id, title, username, members, checked_at)
         SELECT resource_id, $2, 'city_news', 10, now() FROM orders WHERE id = $1
         ON CONFLICT (resource_id) DO UPDATE SET title = excluded.title, username = excluded.username`,
        [order.orderId, title],
      );
    await describeChat('City news');
    const deps = await operatorDeps();
    const approved = await decideOrder(deps, { ...by, orderId: order.orderId, moderation: { kind: 'approve' } });
    assert.equal(approved.kind, 'done');
    await describeChat('City news 24');
    await runCasesJob(service);
    assert.deepEqual(await casesOf(db, order.accountId), [], 'a small change of the title');
    await describeChat('Casino 777');
    await runCasesJob(service);
    const found = await caseOf(db, order.accountId);
    assert.equal(found.kind, 'resource_changed');
    assert.deepEqual(found.evidence.changes, [{ field: 'chat_title', before: 'City news', after: 'Casino 777' }]);
    await clearCase(deps, { ...by, caseId: found.id, reason: 'It was renamed.' });
    await runCasesJob(service);
    assert.equal((await casesOf(db, order.accountId)).length, 1, 'what the operator saw opens no second case');
  });

  test('opens a case when the advertiser rejects more than half of twenty users', async () => {
    const { sandbox, database } = service;
    const advertiser = await sandbox.publisher({ deposit: 1_000, beta: true });
    const created = await sandbox.orderExternal(advertiser.token, { link: 'https://t.me/rejecting_bot' });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const insert = (state: string, count: number) =>
      database.db.query(
        `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
           reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at)
         SELECT $4 + n, 1, o.id, 1, o.resource_id, 1, 0, $2, o.charge_kopecks, o.reward_kopecks, 0, true, $3, $3, $3
         FROM orders o, generate_series(1, $5::int) AS n WHERE o.id = $1`,
        [created.body.order_id, state, now, 920_000_000 + (state === 'settled' ? 1_000 : 0), count],
      );
    const now = await sandboxTime(sandbox);
    await insert('settled', 9);
    await insert('rejected', 11);
    await runCasesJob(service);
    const found = await caseOf(database.db, advertiser.accountId);
    assert.equal(found.kind, 'low_approval');
    assert.deepEqual(found.evidence.figures, { rejected: 11, approved: 9 });
    assert.ok(found.evidence.examples.every(({ note }) => note === 'rejected'));
    await database.db.query('DELETE FROM tasks WHERE user_id > 920000000 AND user_id < 930000000');
  });

  test('notifies the owner once, and a banned account gets no case', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const { caseId } = await lowQualityCase(service, publisher);
    await runCasesJob(service);
    assert.deepEqual(await noticesOf(publisher.accountId), ['case_opened']);
    const deps = await operatorDeps();
    assert.deepEqual(await banForCase(deps, { ...by, caseId, reason: 'A farm.' }), { kind: 'done' });
    await sandbox.advance(8 * DAY);
    await runCasesJob(service);
    assert.equal((await casesOf(database.db, publisher.accountId)).length, 1);
    const refused = await sandbox.api(publisher.token, 'get-balance', {});
    assert.equal(refused.status, 401, 'the token of a banned account');
  });
});

describe('self-dealing', () => {
  test('becomes a case with a graph; a reversal takes held and settled rewards back and the ledger balances', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 1_000 });
    const order = await sandbox.advertise({ quantity: 20 });
    await subscribeMany(sandbox, publisher, order, 3);
    await sandbox.advance(DAY + HOUR);
    await subscribeMany(sandbox, publisher, order, 3);
    assert.deepEqual(await sandbox.money(publisher.token), { balance: 1_021, hold_balance: 21 });
    await sandbox.advertise({ account_id: publisher.accountId, chat_id: order.chatId, quantity: 1 });
    await runCasesJob(service);
    const found = await caseOf(database.db, publisher.accountId);
    assert.equal(found.kind, 'self_dealing');
    assert.deepEqual(found.evidence.figures, { accounts: 1, subscriptions: 6, rewards_kopecks: 4_200 });
    assert.deepEqual(found.evidence.pairs, [{ bot_id: publisher.botId, order_id: order.orderId }]);
    const kinds = found.evidence.graph.nodes.map(({ type }) => type).sort();
    assert.deepEqual(kinds, ['account', 'account', 'channel']);
    assert.equal(found.evidence.graph.edges.length, 2);

    const decision = { ...by, caseId: found.id, reason: 'One owner.' };
    const deps = await operatorDeps();
    assert.deepEqual(await reverseCase(deps, decision), { kind: 'reversed', count: 6, rewardKopecks: 4_200n });
    assert.deepEqual(await reverseCase(deps, decision), { kind: 'already_decided', status: 'reversed' });
    // 10 ₽ went into the publisher's own order.
    assert.deepEqual(await sandbox.money(publisher.token), { balance: 990, hold_balance: 0 });
    await sandbox.assertBalanced();
    assert.deepEqual(await noticesOf(publisher.accountId), ['case_opened', 'case_decided']);
    await runCasesJob(service);
    assert.equal((await casesOf(database.db, publisher.accountId)).length, 1);
  });

  test('that an operator clears is no longer a connection: the orders are shown again', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 1_000 });
    const order = await sandbox.advertise({ quantity: 20 });
    await subscribeMany(sandbox, publisher, order, 5);
    await sandbox.advertise({ account_id: publisher.accountId, chat_id: order.chatId, quantity: 1 });
    await runCasesJob(service);
    const shown = async () =>
      (await sandbox.getSponsors(publisher.token, freshUser())).map(({ ads_id: id }) => id).includes(order.orderId);
    assert.equal(await shown(), false);
    const { id: caseId } = await caseOf(database.db, publisher.accountId);
    const deps = await operatorDeps();
    assert.deepEqual(await clearCase(deps, { ...by, caseId, reason: 'Two brothers.' }), { kind: 'done' });
    await eventually('the order is shown again', shown);
  });
});

describe('a decision', () => {
  test('to hold freezes withdrawals and keeps the case; clearing lifts only that freeze', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 1_000 });
    const { caseId } = await lowQualityCase(service, publisher);
    const deps = await operatorDeps();
    const decision = { ...by, caseId, reason: 'Users leave.' };
    assert.deepEqual(await holdCase(deps, decision), { kind: 'done' });
    assert.deepEqual(await holdCase(deps, decision), { kind: 'already_decided', status: 'held' });
    const request = {
      accountId: publisher.accountId,
      key: 'held',
      amountKopecks: 10_000n,
      method: 'manual',
      destination: 'a card',
    } as const;
    const payouts = payoutsOf(database.db);
    assert.equal((await payouts.request(request)).kind, 'withdrawals_frozen');
    assert.equal((await caseOf(database.db, publisher.accountId)).status, 'held');
    assert.deepEqual(await clearCase(deps, decision), { kind: 'done' });
    assert.equal((await payouts.request(request)).kind, 'requested');
    const log = await database.db.query<{ action: string }>(
      'SELECT action FROM operator_actions WHERE subject = $1 ORDER BY id',
      [`case:${caseId}`],
    );
    assert.deepEqual(
      log.map(({ action }) => action),
      ['case.held', 'case.cleared'],
    );
  });

  test('to ban stops payouts that are approved already, also after the ban is lifted', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 1_000 });
    const { caseId } = await lowQualityCase(service, publisher);
    const deps = await operatorDeps();
    const payouts = payoutsOf(database.db);
    const outcome = await payouts.request({
      ...{ accountId: publisher.accountId, key: 'ban', amountKopecks: 10_000n, destination: 'a card' },
      method: 'manual',
    });
    assert.ok(outcome.kind === 'requested');
    const payoutId = outcome.payout.id;
    assert.equal((await approvePayout(deps, { ...by, payoutId, seenCase: caseId })).kind, 'done');
    const decision = { ...by, caseId, reason: 'A farm.' };
    assert.deepEqual(await holdCase(deps, decision), { kind: 'done' });
    assert.deepEqual(await banForCase(deps, decision), { kind: 'done' });
    const send = () => markPayoutSent(deps, { ...by, payoutId, reference: 'receipt' });
    assert.equal((await send()).kind, 'frozen');
    await unbanAccount(deps, { ...by, accountId: publisher.accountId });
    assert.equal((await send()).kind, 'frozen');
    await unfreezeAccount(deps, { ...by, accountId: publisher.accountId });
    assert.equal((await send()).kind, 'done', 'an operator has released the withdrawals');
  });

  test('to reverse keeps the freeze until the last reward is taken back', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const { caseId } = await lowQualityCase(service, publisher);
    const deps = await operatorDeps();
    const decision = { ...by, caseId, reason: 'A farm.' };
    await holdCase(deps, decision);
    const isFrozen = async (): Promise<boolean> => (await findFreeze(database.db, publisher.accountId)) !== undefined;
    // The transaction of the first part fails, as if the process had died after the decision.
    let transactions = 0;
    const dying: typeof database.db = Object.create(database.db, {
      transaction: {
        value: (work: Parameters<typeof database.db.transaction>[0]) => {
          transactions += 1;
          if (transactions > 1) throw new Error('the process dies');
          return database.db.transaction(work);
        },
      },
    });
    await assert.rejects(reverseCase({ ...deps, db: dying }, decision), /the process dies/);
    assert.equal((await caseOf(database.db, publisher.accountId)).status, 'reversed');
    assert.equal(await isFrozen(), true);
    const outcome = await reverseCase(deps, decision);
    assert.deepEqual([outcome.kind, outcome.kind === 'reversed' && outcome.count], ['reversed', 3]);
    assert.equal(await isFrozen(), false);
    assert.deepEqual(await sandbox.money(publisher.token), { balance: 0, hold_balance: 0 });
  });

  test('to reverse is refused for a case about an advertiser', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise();
    for (const user of await subscribeMany(sandbox, publisher, order, 3)) {
      await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=kicked`);
    }
    await runCasesJob(service);
    const { id: caseId } = await caseOf(database.db, order.accountId);
    assert.deepEqual(await reverseCase(await operatorDeps(), { ...by, caseId, reason: 'x' }), {
      kind: 'not_reversible',
    });
    assert.equal((await caseOf(database.db, order.accountId)).status, 'open');
  });

  test('about a low score is not asked again for a week; an override is reversible', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const { caseId } = await lowQualityCase(service, publisher);
    await clearCase(await operatorDeps(), { ...by, caseId, reason: 'A new bot.' });
    await runCasesJob(service);
    assert.equal((await casesOf(database.db, publisher.accountId)).length, 1);
    await sandbox.advance(8 * DAY);
    await setLow(database.db, publisher.botId);
    await runCasesJob(service);
    assert.equal((await casesOf(database.db, publisher.accountId)).length, 2);

    const deps = await operatorDeps();
    const override = { ...by, botId: publisher.botId, reason: 'Checked by hand.' };
    assert.deepEqual(await overrideQuality(deps, { ...override, level: 'good' }), { kind: 'done' });
    assert.deepEqual(await overrideQuality(deps, { ...override, level: 'good' }), { kind: 'unchanged' });
    assert.deepEqual(await overrideQuality(deps, { ...override, level: 'low' }), { kind: 'done' });
    assert.deepEqual(await overrideQuality(deps, { ...override, level: null }), { kind: 'done' });
    assert.deepEqual(await overrideQuality(deps, { ...override, level: null }), { kind: 'unchanged' });
    assert.deepEqual(await overrideQuality(deps, { ...override, level: 'good' }), { kind: 'done' });
    const levelsTold = async () =>
      (await notices(publisher.accountId)).filter(({ kind }) => kind === 'source_level').map(({ data }) => data.level);
    assert.deepEqual(
      await levelsTold(),
      ['good', 'low', 'new', 'good'],
      'the owner is told about each change that the operator makes, once',
    );

    const off = { ...deps, qualitySettings: { ...deps.qualitySettings, isOn: false } };
    assert.deepEqual(await overrideQuality(off, { ...override, level: 'low' }), { kind: 'done' });
    assert.equal((await levelsTold()).length, 4, 'a level that does not apply is not told');
  });
});

describe('a payout', () => {
  test('whose rewards were reversed after the request is not approved: rejecting it pays the debt', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise({ price_per_sub: 100 });
    await subscribeMany(sandbox, publisher, order, 2);
    await sandbox.advance(26 * 3600);
    const outcome = await payoutsOf(database.db).request({
      ...{ accountId: publisher.accountId, key: 'fake', amountKopecks: 14_000n, destination: 'a card' },
      method: 'manual',
    });
    assert.ok(outcome.kind === 'requested', outcome.kind);
    await setLow(database.db, publisher.botId);
    await runCasesJob(service);
    const { id: caseId } = await caseOf(database.db, publisher.accountId);
    const deps = await operatorDeps();
    assert.equal((await reverseCase(deps, { ...by, caseId, reason: 'A farm.' })).kind, 'reversed');
    assert.equal((await sandbox.money(publisher.token)).balance, -140);
    const payoutId = outcome.payout.id;
    assert.deepEqual(await approvePayout(deps, { ...by, payoutId }), { kind: 'in_debt' });
    assert.deepEqual(await rejectPayout(deps, { ...by, payoutId, reason: 'Reversed.' }), { kind: 'done' });
    assert.deepEqual(await sandbox.money(publisher.token), { balance: 0, hold_balance: 0 });
    await sandbox.assertBalanced();
  });

  test('above the limit opens a case, and cannot be approved before the operator has seen it', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 1_000 });
    const request = { accountId: publisher.accountId, method: 'manual', destination: 'a card' } as const;
    const payouts = payoutsOf(database.db);
    const [large, small] = [
      await payouts.request({ ...request, key: 'large', amountKopecks: 50_001n }),
      await payouts.request({ ...request, key: 'small', amountKopecks: 20_000n }),
    ];
    assert.ok(large.kind === 'requested' && small.kind === 'requested');
    const deps = await operatorDeps(50_000n);
    const approve = (payoutId: number, seenCase?: number) =>
      approvePayout(deps, { ...by, payoutId, ...(seenCase !== undefined && { seenCase }) });
    // Before the job has run: the approval itself opens the case.
    const refused = await approve(large.payout.id);
    const found = await caseOf(database.db, publisher.accountId);
    assert.deepEqual(refused, { kind: 'open_cases', caseIds: [found.id] });
    assert.deepEqual([found.kind, found.riskKopecks], ['large_payout', 70_001n], 'with the smaller one that waits too');
    assert.equal((await approve(small.payout.id)).kind, 'open_cases', 'other payouts of the account wait too');
    assert.equal((await approve(small.payout.id, found.id)).kind, 'done', 'the operator has seen the case');
    assert.deepEqual(await clearCase(deps, { ...by, caseId: found.id, reason: 'Known publisher.' }), { kind: 'done' });
    assert.equal((await approve(large.payout.id)).kind, 'done');
    await runCasesJob(service, { payoutReviewAboveKopecks: 50_000n });
    assert.equal((await casesOf(database.db, publisher.accountId)).length, 1, 'a judged payout opens no second case');
  });

  test('that the owner divides into smaller ones, one after the other, opens a case', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 2_000 });
    const payouts = payoutsOf(database.db);
    const request = async (key: string, amountKopecks: bigint): Promise<number> => {
      const outcome = await payouts.request({
        ...{ accountId: publisher.accountId, key, amountKopecks, destination: 'a card' },
        method: 'manual',
      });
      assert.ok(outcome.kind === 'requested', outcome.kind);
      return outcome.payout.id;
    };
    const approve = async (payoutId: number) => approvePayout(await operatorDeps(50_000n), { ...by, payoutId });
    assert.equal((await approve(await request('a', 30_000n))).kind, 'done');
    assert.equal((await approve(await request('b', 20_000n))).kind, 'done', 'together not above the limit');
    assert.equal((await approve(await request('c', 10_000n))).kind, 'open_cases');
    const { id: caseId, evidence } = await caseOf(database.db, publisher.accountId);
    assert.deepEqual(evidence.figures, { payouts: 3, amount_kopecks: 60_000, limit_kopecks: 50_000 });
    await clearCase(await operatorDeps(), { ...by, caseId, reason: 'Known publisher.' });
    assert.equal((await approve(await request('d', 40_000n))).kind, 'done', 'what was judged no longer counts');
  });

  test('to the card of an advertiser who paid the bots waits for a case of self-dealing', async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ deposit: 1_000 });
    const order = await sandbox.advertise({ quantity: 20 });
    const honest = await sandbox.publisher({ deposit: 1_000 });
    await subscribeMany(sandbox, publisher, order, 5);
    await subscribeMany(sandbox, honest, order, 5);
    const [owner] = await database.db.query<{ user_id: bigint }>(
      'SELECT telegram_user_id AS user_id FROM accounts WHERE id = $1',
      [order.accountId],
    );
    await sandbox.control('POST', '/accounts', { user_id: Number(owner?.user_id), deposit: 1_000 });
    const payouts = payoutsOf(database.db);
    const request = async (accountId: number, destination: string): Promise<number> => {
      const outcome = await payouts.request({
        ...{ accountId, destination, key: `card-${accountId}`, amountKopecks: 20_000n },
        method: 'manual',
      });
      assert.ok(outcome.kind === 'requested', outcome.kind);
      return outcome.payout.id;
    };
    await request(order.accountId, 'card 2202 2000 7777');
    const [own, other] = [
      await request(publisher.accountId, 'card 2202 2000 7777'),
      await request(honest.accountId, 'card 2202 2000 8888'),
    ];
    const deps = await operatorDeps();
    // No job has run since the payout named the card.
    assert.equal((await approvePayout(deps, { ...by, payoutId: own })).kind, 'open_cases');
    assert.equal((await caseOf(database.db, publisher.accountId)).kind, 'self_dealing');
    assert.equal((await approvePayout(deps, { ...by, payoutId: other })).kind, 'done');
  });
});

test('the owner answers once; another account cannot', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher();
  const { caseId } = await lowQualityCase(service, publisher);
  const deps = await operatorDeps();
  const answer = (text: string, accountId = publisher.accountId) => answerCase(deps, { caseId, accountId, text });
  assert.deepEqual(await answer('mine', publisher.accountId + 1), { kind: 'not_found' });
  assert.deepEqual(await answer('  '), { kind: 'invalid' });
  assert.deepEqual(await answer('x'.repeat(2_001)), { kind: 'invalid' });
  assert.deepEqual(await answer(' <b>honest</b> '), { kind: 'answered' });
  assert.deepEqual(await answer('again'), { kind: 'too_late' });
  assert.equal((await caseOf(database.db, publisher.accountId)).answer, '<b>honest</b>');
});

test('decided cases are deleted after 400 days, undecided ones are not', async () => {
  const { database } = service;
  const { db } = database;
  const [open, decided] = [await service.sandbox.publisher(), await service.sandbox.publisher()];
  await lowQualityCase(service, open);
  const { caseId } = await lowQualityCase(service, decided);
  await clearCase(await operatorDeps(), { ...by, caseId, reason: 'Fine.' });
  await db.query(`UPDATE cases SET decided_at = decided_at - interval '401 days' WHERE id = $1`, [caseId]);
  await db.query(`UPDATE cases SET opened_at = opened_at - interval '401 days' WHERE account_id = $1`, [
    open.accountId,
  ]);
  assert.ok((await forgetCases(await operatorDeps())) >= 1);
  assert.deepEqual(await casesOf(db, decided.accountId), []);
  assert.equal((await casesOf(db, open.accountId)).length, 1);
});

test('metrics count undecided cases by kind', async () => {
  const publisher = await service.sandbox.publisher();
  await lowQualityCase(service, publisher);
  await eventually('the metrics show the case', async () => {
    const { body } = await service.sandbox.call('GET', '/metrics');
    const value = (name: string): number =>
      Number(new RegExp(`^sponsorgate_${name}\\{kind="low_quality"\\} (\\S+)$`, 'm').exec(String(body))?.[1] ?? 0);
    return value('cases_open') >= 1 && value('cases_risk_rubles') >= 21;
  });
});
