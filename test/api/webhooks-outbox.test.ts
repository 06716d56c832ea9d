import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordEvents } from '../../src/modules/events/index.ts';
import { query } from '../support/books.ts';
import { gate } from '../support/eventually.ts';
import { confirmed, useWebhooks } from '../support/webhooks.ts';

const world = useWebhooks();
/** An address without a server. */
const NOWHERE = 'http://127.0.0.1:9/hook';

async function sequencesOf(accountId: number): Promise<number[]> {
  const rows = await query<{ sequence: number }>(
    world.database.url,
    'SELECT sequence::int AS sequence FROM events WHERE account_id = $1 ORDER BY sequence',
    [accountId],
  );
  return rows.map((row) => row.sequence);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('an event exists if and only if the transaction that recorded it was committed', async () => {
  const owner = await world.owner();
  const receiver = await world.receiver();
  await world.endpoint(owner, receiver.url);
  const at = world.clock.now();
  await assert.rejects(
    world.db.transaction(async (tx) => {
      await recordEvents(tx, [confirmed(owner.accountId, 1)], at);
      throw new Error('the fact did not happen after all');
    }),
    /did not happen/,
  );
  const failed = world.db.transaction(async (tx) => {
    await recordEvents(tx, [confirmed(owner.accountId, 2)], at);
    await tx.query('SELECT 1 / 0');
  });
  await assert.rejects(failed, /division by zero/);
  const deliverer = world.deliverer();
  await deliverer.deliverDue();
  assert.deepEqual([receiver.received, await sequencesOf(owner.accountId)], [[], []]);

  const [recorded, mayCommit] = [gate(), gate()];
  const committing = world.db.transaction(async (tx) => {
    await recordEvents(tx, [confirmed(owner.accountId, 3)], at);
    recorded.open();
    await mayCommit.promise;
  });
  await recorded.promise;
  await deliverer.deliverDue();
  assert.deepEqual(receiver.received, [], 'told before it was committed');
  mayCommit.open();
  await committing;
  await deliverer.deliverDue();
  assert.deepEqual(
    receiver.received.map(({ body }) => [JSON.parse(body).sequence, JSON.parse(body).data.user_id]),
    [[1, 3]],
  );
});

test('the sequence numbers of an account have no gaps or duplicates when transactions run at once and some roll back', async () => {
  const owners = await Promise.all([world.owner(), world.owner(), world.owner()]);
  for (const owner of owners) await world.endpoint(owner, NOWHERE);
  const ids = owners.map((owner) => owner.accountId);
  const transactions = 60;
  const committed = await Promise.all(
    Array.from({ length: transactions }, async (_, index) => {
      // The transactions list the accounts in opposite orders. Without a fixed lock order they would deadlock.
      const order = index % 2 === 0 ? ids : [...ids].reverse();
      const events = order.flatMap((id) => [confirmed(id, index * 2 + 1), confirmed(id, index * 2 + 2)]);
      try {
        await world.db.transaction(async (tx) => {
          await recordEvents(tx, events, world.clock.now());
          if (index % 3 === 0) throw new Error('rolled back');
        });
        return true;
      } catch (error) {
        assert.equal((error as Error).message, 'rolled back');
        return false;
      }
    }),
  );
  const events = committed.filter(Boolean).length * 2;
  assert.equal(events, 80);
  for (const id of ids) assert.deepEqual(await sequencesOf(id), upTo(events));
});

test('a higher sequence number of an account is committed later, and a batch keeps its order', async () => {
  const owner = await world.owner();
  await world.endpoint(owner, NOWHERE);
  const [recorded, mayCommit] = [gate(), gate()];
  const order: string[] = [];
  const slow = world.db
    .transaction(async (tx) => {
      await recordEvents(tx, [confirmed(owner.accountId, 1), confirmed(owner.accountId, 2)], world.clock.now());
      recorded.open();
      await mayCommit.promise;
    })
    .then(() => order.push('slow'));
  await recorded.promise;
  const quick = world.record(confirmed(owner.accountId, 3)).then(() => order.push('quick'));
  mayCommit.open();
  await Promise.all([slow, quick]);
  assert.deepEqual(order, ['slow', 'quick']);
  const rows = await query<{ user: number }>(
    world.database.url,
    `SELECT (data->>'user_id')::int AS user FROM events WHERE account_id = $1 ORDER BY sequence`,
    [owner.accountId],
  );
  assert.deepEqual(
    rows.map((row) => row.user),
    [1, 2, 3],
  );
});

test('each endpoint gets the event types that it registered for, and only events of its own account', async () => {
  const [owner, other] = [await world.owner(), await world.owner()];
  const [both, payouts, theirs] = [await world.receiver(), await world.receiver(), await world.receiver()];
  await world.endpoint(owner, both.url, ['subscription.confirmed', 'payout.sent']);
  await world.endpoint(owner, payouts.url, ['payout.sent']);
  await world.endpoint(other, theirs.url, ['payout.sent']);
  const payout = {
    accountId: owner.accountId,
    type: 'payout.sent',
    data: {
      payout_id: 1,
      amount: 100,
      provider: 'manual',
      reference: null,
      requested_at: '2026-01-01T00:00:00.000+00:00',
      sent_at: '2026-01-01T00:00:00.000+00:00',
    },
  } as const;
  await world.record(confirmed(owner.accountId), payout, confirmed(other.accountId));
  await world.deliverer().deliverDue();
  const types = (receiver: typeof both) => receiver.received.map(({ body }): string => JSON.parse(body).type).sort();
  assert.deepEqual(types(both), ['payout.sent', 'subscription.confirmed']);
  assert.deepEqual(types(payouts), ['payout.sent']);
  assert.deepEqual(types(theirs), []);
  const [first] = payouts.received;
  const same = both.received.find(({ id }) => id === first?.id);
  assert.equal(same?.body, first?.body, 'one event, one id and one body at every receiver');
});

test('an event without an endpoint stores no row and uses no sequence number', async () => {
  const [silent, otherType] = [await world.owner(), await world.owner()];
  await world.endpoint(otherType, NOWHERE, ['payout.sent']);
  await world.record(confirmed(silent.accountId), confirmed(otherType.accountId));
  for (const { accountId } of [silent, otherType]) {
    assert.deepEqual(await sequencesOf(accountId), []);
    const counters = await query(world.database.url, 'SELECT 1 FROM event_counters WHERE account_id = $1', [accountId]);
    assert.deepEqual(counters, []);
  }
});
