import assert from 'node:assert/strict';
import pg from 'pg';
import type { Database } from '../../src/core/database.ts';
import { available, external, postTransfers } from '../../src/modules/ledger/index.ts';

/**
 * Runs one statement on its own connection and returns the rows. Tests read the database without the service's code.
 */
export async function query<Row extends object>(
  url: string,
  sql: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // A killed server fails the statement and also emits this event. Without a listener the event ends the test process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...params])).rows;
  } finally {
    await client.end();
  }
}

/** Counted at first, then refused at the end of the window as no new subscriber. The money was returned. */
const REFUSED_LATER = "(o.state = 'notgetted' AND o.window_ends_at IS NOT NULL)";
/** Subscriptions that were counted, in any later state. */
const WAS_COUNTED = `(o.state IN ('held', 'paid', 'settled', 'reversed') OR ${REFUSED_LATER})`;

/** Each statement returns one row for every stored number that differs from the sum of its rows. */
const DISAGREEMENTS: Readonly<Record<string, string>> = {
  'a balance is not the sum of its transfers': `
    WITH legs AS (
      SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM ledger_transfers
      UNION ALL SELECT to_kind, to_owner_id, amount_kopecks FROM ledger_transfers
      UNION ALL SELECT kind, owner_id, amount_kopecks FROM ledger_folded_sums)
    SELECT kind, owner_id, a.balance_kopecks, s.amount
    FROM ledger_accounts a
    FULL JOIN (SELECT kind, owner_id, sum(amount) AS amount FROM legs GROUP BY 1, 2) s USING (kind, owner_id)
    WHERE coalesce(a.balance_kopecks, 0) <> coalesce(s.amount, 0)`,
  'all balances together are not zero': `
    SELECT sum(balance_kopecks) AS total FROM ledger_accounts HAVING sum(balance_kopecks) <> 0`,
  'a reservation leaked, or an open task has none': `
    SELECT p.order_id, p.reserved_count, p.reserved_kopecks, count(o.*) AS open_tasks
    FROM order_progress p LEFT JOIN all_tasks o ON o.order_id = p.order_id AND o.state = 'shown'
    GROUP BY p.order_id
    HAVING p.reserved_count <> count(o.*) OR p.reserved_kopecks <> coalesce(sum(o.charge_kopecks), 0)`,
  'an order counts other subscriptions than its tasks': `
    SELECT p.order_id, p.counted_count, p.unsettled_count
    FROM order_progress p LEFT JOIN all_tasks o ON o.order_id = p.order_id
    GROUP BY p.order_id
    HAVING p.counted_count <> count(*) FILTER (WHERE o.state IN ('held', 'paid', 'settled')
                                                  OR (o.state = 'reversed' AND NOT o.refund))
        OR p.unsettled_count <> count(*) FILTER (WHERE o.state IN ('held', 'paid'))`,
  'an escrow is not what was paid in, less what was spent and given back': `
    WITH paid_in AS (SELECT to_owner_id AS order_id, sum(amount_kopecks) AS amount FROM ledger_transfers
                     WHERE kind IN ('order_funded', 'order_topped_up') GROUP BY 1),
         given_back AS (SELECT from_owner_id AS order_id, sum(amount_kopecks) AS amount FROM ledger_transfers
                        WHERE kind = 'order_refunded' GROUP BY 1),
         spent AS (SELECT order_id, sum(charge_kopecks) AS amount FROM all_tasks
                   WHERE state IN ('held', 'paid', 'settled') OR (state = 'reversed' AND NOT refund) GROUP BY 1)
    SELECT o.id, a.balance_kopecks
    FROM orders o JOIN ledger_accounts a ON a.kind = 'escrow' AND a.owner_id = o.id
    LEFT JOIN paid_in p ON p.order_id = o.id LEFT JOIN given_back g ON g.order_id = o.id
    LEFT JOIN spent s ON s.order_id = o.id
    WHERE a.balance_kopecks <> coalesce(p.amount, 0) - coalesce(g.amount, 0) - coalesce(s.amount, 0)`,
  'a hold is not the sum of the rewards in it': `
    SELECT a.owner_id, a.balance_kopecks, coalesce(sum(o.reward_kopecks), 0) AS rewards
    FROM ledger_accounts a LEFT JOIN all_tasks o ON o.account_id = a.owner_id AND o.state = 'held'
    WHERE a.kind = 'hold' GROUP BY 1, 2 HAVING a.balance_kopecks <> coalesce(sum(o.reward_kopecks), 0)`,
  'a (user, resource) was paid twice, or without being claimed': `
    SELECT user_id, resource_id, count(*) FILTER (WHERE ${WAS_COUNTED}) AS paid
    FROM all_tasks o FULL JOIN counted_subscriptions c USING (user_id, resource_id)
    GROUP BY 1, 2
    HAVING count(*) FILTER (WHERE ${WAS_COUNTED}) <> count(DISTINCT c.counted_at)`,
  'the daily totals are not the sum of the tasks': `
    SELECT order_id, t.counted, count(o.*) AS tasks
    FROM (SELECT order_id, sum(counted) AS counted, sum(reversed) AS reversed, sum(reward_kopecks) AS reward
          FROM daily_totals GROUP BY 1) t
    FULL JOIN (SELECT * FROM all_tasks o WHERE ${WAS_COUNTED}) o USING (order_id)
    GROUP BY order_id, t.counted, t.reversed, t.reward
    HAVING coalesce(t.counted, 0) <> count(o.*) OR coalesce(t.reward, 0) <> coalesce(sum(o.reward_kopecks), 0)
        OR coalesce(t.reversed, 0) <> count(*) FILTER (WHERE o.state = 'reversed' OR ${REFUSED_LATER})`,
};

/** Asserts that every counter and every balance equals its value recomputed from the rows. */
export async function assertBooks(url: string): Promise<void> {
  for (const [wrong, sql] of Object.entries(DISAGREEMENTS)) {
    assert.deepEqual(await query(url, sql), [], wrong);
  }
}

/** Returns how many tasks of an order are in each state. */
export async function taskStates(url: string, orderId: number): Promise<Record<string, number>> {
  const rows = await query<{ state: string; count: number }>(
    url,
    'SELECT state, count(*)::int AS count FROM all_tasks WHERE order_id = $1 GROUP BY state ORDER BY state',
    [orderId],
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

/** Takes more money out of an account than it has, so that its balance is negative. */
export async function indebt(db: Database, accountId: number, amountKopecks: bigint): Promise<void> {
  const key = `test:${accountId}:debt`;
  const transfer = {
    kind: 'deposit' as const,
    key,
    from: available(accountId),
    to: external(accountId),
    amountKopecks,
  };
  await db.transaction((tx) => postTransfers(tx, [transfer], new Date()));
}

export async function kopecksIn(url: string, kind: string, ownerId: number): Promise<number> {
  const [row] = await query<{ balance: number }>(
    url,
    'SELECT balance_kopecks::float8 AS balance FROM ledger_accounts WHERE kind = $1 AND owner_id = $2',
    [kind, ownerId],
  );
  assert.ok(row, `there is no ledger account ${kind}:${ownerId}`);
  return row.balance;
}
