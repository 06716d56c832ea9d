/**
 * Counted at first, and refused at the end of the window because no check or update proves that the join followed the
 * showing.
 */
const REFUSED_LATER = "(state = 'notgetted' AND window_ends_at IS NOT NULL)";

/**
 * Invariants of every commit: each statement returns the rows that violate one. They are written from the documentation
 * and use the tables only, so that a bug of the service's code cannot hide itself.
 */
export const LAWS: Readonly<Record<string, string>> = {
  'the balances do not add up to zero': `
    SELECT sum(balance_kopecks) AS total FROM ledger_accounts HAVING sum(balance_kopecks) <> 0`,

  'a balance is not the sum of its transfers': `
    WITH legs AS (
      SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM ledger_transfers
      UNION ALL
      SELECT to_kind, to_owner_id, amount_kopecks FROM ledger_transfers
      UNION ALL
      SELECT kind, owner_id, amount_kopecks FROM ledger_folded_sums
    ), sums AS (SELECT kind, owner_id, sum(amount) AS amount FROM legs GROUP BY kind, owner_id)
    SELECT kind, owner_id, a.balance_kopecks, s.amount FROM ledger_accounts a FULL JOIN sums s USING (kind, owner_id)
    WHERE coalesce(a.balance_kopecks, 0) <> coalesce(s.amount, 0)`,

  'an escrow, hold or payout balance is negative': `
    SELECT * FROM ledger_accounts WHERE balance_kopecks < 0 AND kind IN ('escrow', 'hold', 'payout')`,

  'an order has spent more than was paid into it': `
    SELECT o.id, paid.amount AS paid, spent.amount AS spent
    FROM orders o
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount_kopecks), 0) AS amount FROM ledger_transfers
                        WHERE to_kind = 'escrow' AND to_owner_id = o.id AND from_kind = 'available') paid
    CROSS JOIN LATERAL (SELECT coalesce(sum(charge_kopecks), 0) AS amount FROM all_tasks
                        WHERE order_id = o.id AND (state IN ('pending', 'held', 'paid', 'settled')
                                                   OR (state IN ('reversed', 'rejected') AND NOT refund))) spent
    WHERE spent.amount > paid.amount`,

  'an order has more subscriptions and open tasks than its quantity': `
    SELECT o.id, o.quantity, count(f.*) AS taken FROM orders o JOIN all_tasks f ON f.order_id = o.id
    WHERE f.state IN ('shown', 'pending', 'held', 'paid', 'settled') OR (f.state IN ('reversed', 'rejected') AND NOT f.refund)
    GROUP BY o.id HAVING count(f.*) > o.quantity`,

  'open tasks are not payable from the escrow of their order': `
    SELECT f.order_id, sum(f.charge_kopecks) AS promised, coalesce(max(a.balance_kopecks), 0) AS escrow
    FROM all_tasks f LEFT JOIN ledger_accounts a ON a.kind = 'escrow' AND a.owner_id = f.order_id
    WHERE f.state = 'shown' GROUP BY f.order_id
    HAVING sum(f.charge_kopecks) > coalesce(max(a.balance_kopecks), 0)`,

  'the reservation of an order is not the sum of its open tasks': `
    SELECT p.order_id, p.reserved_count, p.reserved_kopecks, count(f.*) AS open, coalesce(sum(f.charge_kopecks), 0) AS promised
    FROM order_progress p LEFT JOIN all_tasks f ON f.order_id = p.order_id AND f.state = 'shown'
    GROUP BY p.order_id
    HAVING p.reserved_count <> count(f.*) OR p.reserved_kopecks <> coalesce(sum(f.charge_kopecks), 0)`,

  'the reservation of a bot is not the number of its open tasks': `
    SELECT p.bot_id, p.reserved_count, count(f.*) AS open
    FROM bot_progress p LEFT JOIN all_tasks f ON f.bot_id = p.bot_id AND f.state = 'shown'
    GROUP BY p.bot_id HAVING p.reserved_count <> count(f.*)`,

  'a task is open and decided at once': `
    SELECT l.user_id, l.bot_id, o.order_id, o.state FROM task_lists l CROSS JOIN json_array_elements(l.tasks::json) t
    JOIN tasks o ON o.user_id = l.user_id AND o.bot_id = l.bot_id AND o.order_id = (t->>0)::bigint
    WHERE t->>4 IN ('shown', 'unreserved', 'expired')`,

  'a task list expires at another time than its first task': `
    SELECT l.user_id, l.bot_id, l.expires_at, first.ms FROM task_lists l
    CROSS JOIN LATERAL (SELECT min((t->>10)::bigint) AS ms FROM json_array_elements(l.tasks::json) t
                        WHERE t->>4 = 'shown') first
    WHERE floor(extract(epoch FROM l.expires_at) * 1000)::bigint IS DISTINCT FROM first.ms`,

  'a (user, resource) was credited more than once': `
    SELECT user_id, resource_id, count(*) FROM all_tasks
    WHERE state IN ('pending', 'held', 'paid', 'settled', 'reversed') OR ${REFUSED_LATER}
    GROUP BY user_id, resource_id HAVING count(*) > 1`,

  'a counted subscription and its credit do not agree': `
    WITH counted AS (
      SELECT user_id, bot_id, order_id, account_id, reward_kopecks FROM all_tasks
      WHERE state IN ('pending', 'held', 'paid', 'settled', 'reversed', 'rejected') OR ${REFUSED_LATER}
    ), credits AS (
      SELECT user_id, bot_id, order_id, to_owner_id AS account_id, sum(amount_kopecks) AS amount FROM ledger_transfers
      WHERE kind IN ('reward_held', 'reward_paid') GROUP BY 1, 2, 3, 4
    )
    SELECT user_id, bot_id, order_id, account_id, counted.reward_kopecks, credits.amount
    FROM counted FULL JOIN credits USING (user_id, bot_id, order_id, account_id)
    WHERE counted.reward_kopecks IS DISTINCT FROM credits.amount`,

  'a settled user had joined before the task was shown': `
    SELECT o.user_id, o.order_id, o.shown_at, m.joined_at
    FROM tasks o JOIN resources r ON r.id = o.resource_id
    JOIN sandbox.tg_members m ON m.chat_id = r.chat_id AND m.user_id = o.user_id
    WHERE o.state = 'settled' AND m.joined_at < o.shown_at - interval '1 s'
      AND o.kept_at IS NULL AND NOT EXISTS (SELECT FROM update_losses)`,

  'a reward was reversed although an administrator removed the user': `
    SELECT user_id, order_id FROM tasks WHERE kept_at IS NOT NULL AND state = 'reversed'`,

  'a user was counted who never joined': `
    SELECT c.user_id, c.order_id, r.chat_id FROM counted_subscriptions c JOIN resources r ON r.id = c.resource_id
    WHERE NOT EXISTS (SELECT FROM sandbox.tg_members m
                      WHERE m.chat_id = r.chat_id AND m.user_id = c.user_id AND m.joined_at IS NOT NULL)`,

  'a reversal and its money do not agree': `
    WITH reversed AS (
      SELECT user_id, bot_id, order_id, account_id, reward_kopecks FROM all_tasks
      WHERE state IN ('reversed', 'rejected') OR ${REFUSED_LATER}
    ), returned AS (
      SELECT user_id, bot_id, order_id, from_owner_id AS account_id, sum(amount_kopecks) AS amount FROM ledger_transfers
      WHERE kind = 'reward_reversed' GROUP BY 1, 2, 3, 4
    )
    SELECT user_id, bot_id, order_id, account_id, reversed.reward_kopecks, returned.amount
    FROM reversed FULL JOIN returned USING (user_id, bot_id, order_id, account_id)
    WHERE reversed.reward_kopecks IS DISTINCT FROM returned.amount`,

  'a hold balance is not the sum of the held rewards': `
    SELECT a.owner_id, a.balance_kopecks, coalesce(sum(f.reward_kopecks), 0) AS held
    FROM ledger_accounts a LEFT JOIN all_tasks f ON f.account_id = a.owner_id AND f.state IN ('pending', 'held')
    WHERE a.kind = 'hold' GROUP BY a.owner_id, a.balance_kopecks
    HAVING a.balance_kopecks <> coalesce(sum(f.reward_kopecks), 0)`,

  'unsettled money has left its account': `
    SELECT a.owner_id, a.balance_kopecks, coalesce(sum(f.reward_kopecks), 0) AS unsettled
    FROM ledger_accounts a LEFT JOIN all_tasks f ON f.account_id = a.owner_id AND f.state = 'paid'
    WHERE a.kind = 'available' GROUP BY a.owner_id, a.balance_kopecks
    HAVING a.balance_kopecks < coalesce(sum(f.reward_kopecks), 0)`,

  'a payout and the money set aside for it do not agree': `
    SELECT p.id, p.status, p.amount_kopecks, a.balance_kopecks
    FROM payouts p LEFT JOIN ledger_accounts a ON a.kind = 'payout' AND a.owner_id = p.id
    WHERE coalesce(a.balance_kopecks, 0)
      <> CASE WHEN p.status IN ('requested', 'approved', 'sending') THEN p.amount_kopecks ELSE 0 END`,

  'the money of an unsent payout has left, or that of a sent one has not': `
    SELECT p.id, p.status, coalesce(sum(t.amount_kopecks), 0) AS outside
    FROM payouts p
    LEFT JOIN ledger_transfers t ON t.from_kind = 'payout' AND t.from_owner_id = p.id AND t.to_kind = 'external'
    GROUP BY p.id HAVING coalesce(sum(t.amount_kopecks), 0) <> CASE WHEN p.status = 'sent' THEN p.amount_kopecks ELSE 0 END`,

  'a closed order keeps money that no open task needs': `
    SELECT o.id, o.status, a.balance_kopecks, coalesce(sum(f.charge_kopecks), 0) AS promised
    FROM orders o JOIN ledger_accounts a ON a.kind = 'escrow' AND a.owner_id = o.id
    LEFT JOIN all_tasks f ON f.order_id = o.id AND f.state = 'shown'
    WHERE o.status IN ('completed', 'cancelled', 'rejected')
    GROUP BY o.id, a.balance_kopecks HAVING a.balance_kopecks <> coalesce(sum(f.charge_kopecks), 0)`,

  'a fact has no event, or an event no fact': `
    WITH told AS (
      SELECT type, data->>'role' AS role, (data->>'user_id')::bigint AS user_id, (data->>'order_id')::bigint AS order_id,
             count(*) AS times
      FROM events WHERE type IN ('subscription.confirmed', 'subscription.reversed') GROUP BY 1, 2, 3, 4
    ), facts AS (
      SELECT t.type, r.role, f.user_id, f.order_id
      FROM all_tasks f JOIN orders o ON o.id = f.order_id
      CROSS JOIN (VALUES ('publisher'), ('advertiser')) AS r (role)
      CROSS JOIN (VALUES ('subscription.confirmed'), ('subscription.reversed')) AS t (type)
      WHERE (t.type = 'subscription.reversed' AND (f.state = 'reversed' OR ${REFUSED_LATER})
          OR t.type = 'subscription.confirmed' AND (f.state IN ('held', 'paid', 'settled', 'reversed') OR ${REFUSED_LATER}))
        AND EXISTS (SELECT FROM webhook_endpoints e
                    WHERE e.account_id = CASE r.role WHEN 'publisher' THEN f.account_id ELSE o.account_id END)
    )
    SELECT type, role, user_id, order_id, told.times FROM facts FULL JOIN told USING (type, role, user_id, order_id)
    WHERE told.times IS DISTINCT FROM 1 OR facts.user_id IS NULL`,

  'a sent payout has other than one event': `
    SELECT p.id, p.status, count(e.*) AS told
    FROM payouts p LEFT JOIN events e ON e.type = 'payout.sent' AND (e.data->>'payout_id')::bigint = p.id
    WHERE EXISTS (SELECT FROM webhook_endpoints w WHERE w.account_id = p.account_id)
    GROUP BY p.id HAVING count(e.*) <> CASE WHEN p.status = 'sent' THEN 1 ELSE 0 END`,

  'an event has no delivery': `
    SELECT v.id, v.type FROM events v
    WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = v.id)
      AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.account_id = v.account_id AND e.is_enabled)`,

  'the sequence numbers of an account’s events have gaps': `
    SELECT c.account_id, c.last_sequence, count(v.*) AS events FROM event_counters c
    LEFT JOIN events v ON v.account_id = c.account_id
    GROUP BY c.account_id HAVING count(v.*) <> c.last_sequence OR max(v.sequence) <> c.last_sequence`,
};

const SERVICE_NOW = "(clock_timestamp() + (SELECT clock_offset_ms FROM sandbox.state) * interval '1 millisecond')";

/** Work that is due: each statement returns the rows that are not done yet. They must be done within a minute. */
export const DUE: Readonly<Record<string, string>> = {
  'expired tasks still reserve money': `
    SELECT user_id, bot_id, order_id, expires_at FROM all_tasks WHERE state = 'shown' AND expires_at < ${SERVICE_NOW}`,
  // A reward without a dated join waits for the date beyond its hold, at most until the window ends.
  'rewards whose hold or window is over are not settled': `
    SELECT user_id, bot_id, order_id, state, release_at, window_ends_at, next_check_at FROM all_tasks
    WHERE (state = 'held' AND release_at < ${SERVICE_NOW} AND least(next_check_at, window_ends_at) < ${SERVICE_NOW})
       OR (state = 'paid' AND window_ends_at < ${SERVICE_NOW})
       OR (state = 'pending' AND next_check_at < ${SERVICE_NOW})`,
  'events are due to be delivered': `
    SELECT d.endpoint_id, d.event_id, d.state, d.next_attempt_at, d.lease_until, d.attempts, d.failures
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.is_enabled AND e.deleted_at IS NULL
    WHERE d.state = 'sending' OR (d.state = 'pending' AND d.next_attempt_at < ${SERVICE_NOW})`,
  'payouts are due to be sent': `
    SELECT id, status, attempts, unconfirmed_since, next_attempt_at, last_error FROM payouts
    WHERE method = 'crypto-pay' AND status IN ('approved', 'sending')
      AND coalesce(next_attempt_at, created_at) < ${SERVICE_NOW}`,
  'updates of Telegram are not handled': `
    SELECT u.bot_id, u.update_id FROM sandbox.tg_updates u JOIN sandbox.tg_bots b ON b.bot_id = u.bot_id
    WHERE b.is_registered AND u.update_id > b.confirmed_update_id`,
  'notices are due to be sent': `
    SELECT id, account_id, kind, due_at, attempts FROM notices WHERE due_at < ${SERVICE_NOW}`,
  'jobs are due and no process runs them': `
    SELECT name, due_at, leased_until, clock_timestamp() AS now FROM jobs
    WHERE greatest(due_at, leased_until) < clock_timestamp() - interval '30 seconds'`,
};
