import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { EVENT_TYPES } from '../../src/modules/events/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { freshUser } from '../support/sandbox.ts';
import { findDue, judge, type Known } from './check.ts';
import { DUE, LAWS } from './laws.ts';
import { Witness } from './witness.ts';

const PAYOUT = `INSERT INTO payouts (account_id, request_key, amount_kopecks, method, destination, status, reference,
    spend_id, created_at, closed_at)
  SELECT account_id, 'k', 100, 'crypto-pay', '1', `;
const OPEN_PAYOUT = `${PAYOUT} 'requested', NULL, 'a spend id of sixteen', now(), NULL FROM webhook_endpoints LIMIT 1`;
const SENT_PAYOUT = `${PAYOUT} 'sent', '1', 'a spend id of sixteen', now(), now() FROM webhook_endpoints LIMIT 1`;
const FREE = 'ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_check';

/** For every invariant, a statement that violates it. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'the balances do not add up to zero':
    "UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + 1 WHERE kind = 'escrow'",
  'a balance is not the sum of its transfers': "DELETE FROM ledger_transfers WHERE kind = 'margin_charged'",
  'an escrow, hold or payout balance is negative': `${FREE}; UPDATE ledger_accounts SET balance_kopecks = -1 WHERE kind = 'escrow'`,
  'an order has spent more than was paid into it': "UPDATE tasks SET charge_kopecks = 100000000 WHERE state = 'held'",
  'an order has more subscriptions and open tasks than its quantity': 'UPDATE orders SET quantity = 1',
  'open tasks are not payable from the escrow of their order':
    "UPDATE ledger_accounts SET balance_kopecks = 0 WHERE kind = 'escrow'",
  'a task is open and decided at once': 'UPDATE task_lists SET tasks = replace(tasks, \'"held"\', \'"shown"\')',
  'a task list expires at another time than its first task': 'UPDATE task_lists SET expires_at = NULL',
  'the reservation of a bot is not the number of its open tasks':
    'UPDATE bot_progress SET reserved_count = reserved_count + 1',
  'the reservation of an order is not the sum of its open tasks':
    'UPDATE order_progress SET reserved_count = reserved_count + 1',
  'a (user, resource) was credited more than once': `
    INSERT INTO tasks SELECT (jsonb_populate_record(o, '{"bot_id": 999999}')).* FROM tasks o WHERE state = 'held'`,
  'a counted subscription and its credit do not agree':
    "DELETE FROM ledger_transfers WHERE kind IN ('reward_held', 'reward_paid')",
  'a settled user had joined before the task was shown':
    "UPDATE tasks SET state = 'settled', shown_at = shown_at + interval '1 day' WHERE state = 'held'",
  'a reward was reversed although an administrator removed the user':
    "UPDATE tasks SET kept_at = now(), state = 'reversed' WHERE state = 'held'",
  'a user was counted who never joined': 'DELETE FROM sandbox.tg_members',
  'a reversal and its money do not agree': "UPDATE tasks SET state = 'reversed' WHERE state = 'held'",
  'a hold balance is not the sum of the held rewards':
    "UPDATE tasks SET reward_kopecks = reward_kopecks + 1 WHERE state = 'held'",
  'unsettled money has left its account': "UPDATE tasks SET state = 'paid' WHERE state = 'held'",
  'a payout and the money set aside for it do not agree': OPEN_PAYOUT,
  'the money of an unsent payout has left, or that of a sent one has not': SENT_PAYOUT,
  'a closed order keeps money that no open task needs':
    "UPDATE orders SET status = 'completed', pause_reason = NULL WHERE status <> 'completed'",
  'a fact has no event, or an event no fact': "DELETE FROM events WHERE type = 'subscription.confirmed'",
  'a sent payout has other than one event': SENT_PAYOUT,
  'an event has no delivery': 'DELETE FROM webhook_deliveries',
  'the sequence numbers of an account’s events have gaps':
    'UPDATE event_counters SET last_sequence = last_sequence + 1',
  'a reward was reversed although the user never left': "UPDATE tasks SET state = 'reversed' WHERE state = 'held'",
  'an acknowledged confirm is not in the books': "DELETE FROM tasks WHERE state = 'held'",
  'an acknowledged top-up is missing, or one was made twice': 'UPDATE orders SET quantity = quantity + 1',
  'the payment provider and the payouts do not agree': SENT_PAYOUT,
  'an event counts as delivered that the receiver never took': `
    UPDATE webhook_deliveries SET state = 'delivered', next_attempt_at = NULL, lease_until = NULL,
      event_id = gen_random_uuid()`,
};

/** For every kind of due work, a statement that makes some overdue. */
const OVERDUE: Readonly<Record<string, string>> = {
  'expired tasks still reserve money':
    "UPDATE task_lists SET tasks = regexp_replace(tasks, '\\d{13}\\]', '1000000000000]', 'g')",
  'rewards whose hold or window is over are not settled':
    "UPDATE tasks SET release_at = now() - interval '1 s', next_check_at = now() - interval '1 s' WHERE state = 'held'",
  'events are due to be delivered': `
    UPDATE webhook_deliveries SET state = 'pending', next_attempt_at = now() - interval '1 s', lease_until = NULL`,
  'payouts are due to be sent': `${OPEN_PAYOUT}; UPDATE payouts SET status = 'approved', next_attempt_at = now() - interval '1 s'`,
  'updates of Telegram are not handled': `
    INSERT INTO sandbox.tg_updates SELECT bot_id, confirmed_update_id + 1, '{}' FROM sandbox.tg_bots WHERE is_registered`,
  'notices are due to be sent': `
    INSERT INTO notices (account_id, kind, data, due_at) VALUES (1, 'payout_sent', '{}', now() - interval '1 s')`,
  'jobs are due and no process runs them': "UPDATE jobs SET due_at = now() - interval '1 hour'",
};

describe('the checker of the campaign', () => {
  const service = useService();
  const witness = new Witness();
  let receiver: Receiver;
  let known: Known;

  before(async () => {
    const { sandbox } = service;
    receiver = await startReceiver();
    const publisher = await sandbox.publisher({ beta: true });
    const advertiser = await sandbox.publisher({ beta: true, deposit: 1_000 });
    for (const { token } of [publisher, advertiser]) {
      await sandbox.api(token, 'webhooks', { url: receiver.url, events: EVENT_TYPES });
    }
    await sandbox.pauseAllOrders();
    const order = await sandbox.advertise({ account_id: advertiser.accountId, quantity: 10 });
    for (const user of [freshUser(), freshUser()]) {
      const { credited } = await sandbox.subscribe(publisher.token, order, user);
      const rewardKopecks = Math.round(credited * 100);
      witness.confirmed({ userId: user, botId: publisher.botId, orderId: order.orderId, rewardKopecks });
    }
    await sandbox.getSponsors(publisher.token, freshUser());
    await eventually('four events have come', () => receiver.received.length >= 4);
    known = {
      witness,
      bank: { transfers: [] },
      taken: new Set(receiver.received.map(({ id }) => id)),
      deserters: [],
      bought: new Map([[order.orderId, 10]]),
    };
  });

  after(() => receiver.close());

  /** Runs the checker in the transaction of a violation and rolls it back. */
  async function having<T>(crime: string, look: (read: Parameters<typeof findDue>[0]) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    try {
      // Disable the triggers, as in a restored or manipulated database.
      await client.query(`SET session_replication_role = replica; BEGIN; ${crime}`);
      return await look(async (sql, params = []) => (await client.query(sql, [...params])).rows);
    } finally {
      await client.query('ROLLBACK').catch(() => undefined);
      await client.end();
    }
  }

  it('reports nothing for correct books', async () => {
    assert.deepEqual(await having('SELECT 1', (read) => judge(read, known)), []);
  });

  for (const [law, crime] of Object.entries(VIOLATIONS)) {
    it(`reports that ${law}`, async () => {
      const found = (await having(crime, (read) => judge(read, known))).map((violation) => violation.law);
      assert.ok(found.includes(law), `found: ${found.join('; ') || 'nothing'}`);
    });
  }

  for (const [what, neglect] of Object.entries(OVERDUE)) {
    it(`reports that ${what}`, async () => {
      const found = (await having(neglect, findDue)).map((violation) => violation.law);
      assert.ok(found.includes(what), `found: ${found.join('; ') || 'nothing'}`);
    });
  }

  it('has a violation for every law', () => {
    assert.deepEqual(
      [...Object.keys(LAWS)].filter((law) => !(law in VIOLATIONS)),
      [],
    );
    assert.deepEqual(Object.keys(DUE), Object.keys(OVERDUE));
  });
});
