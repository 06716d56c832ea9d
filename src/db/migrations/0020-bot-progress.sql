-- How many tasks each bot has reserved, and how well it converts: what one bot may reserve at a time depends on it.
--
-- Lock order: after counted_subscriptions, before ledger_accounts.

CREATE TABLE bot_progress (
  bot_id          bigint PRIMARY KEY,
  reserved_count  integer NOT NULL DEFAULT 0 CHECK (reserved_count >= 0), -- open tasks with a slot of their order
  shown_total     bigint NOT NULL DEFAULT 0,
  confirmed_total bigint NOT NULL DEFAULT 0,
  reversed_total  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

INSERT INTO bot_progress (bot_id, reserved_count, shown_total, confirmed_total, reversed_total)
SELECT b.id,
       (SELECT count(*) FROM all_tasks t WHERE t.bot_id = b.id AND t.state = 'offered'),
       coalesce((SELECT sum(shown) FROM daily_shown s WHERE s.bot_id = b.id), 0),
       coalesce((SELECT sum(counted) FROM daily_totals d WHERE d.bot_id = b.id), 0),
       coalesce((SELECT sum(reversed) FROM daily_totals d WHERE d.bot_id = b.id), 0)
FROM bots b;

-- The same view with tasks that are shown without a reservation.
CREATE OR REPLACE VIEW all_tasks AS
  SELECT l.user_id, l.bot_id, (t->>0)::bigint AS order_id, l.account_id, (t->>1)::bigint AS resource_id,
         (t->>2)::int AS round, (t->>3)::int AS position, t->>4 AS state, (t->>5)::bigint AS charge_kopecks,
         (t->>6)::bigint AS reward_kopecks, (t->>7)::int AS hold_seconds, t->>8 = '1' AS refund,
         to_timestamp((t->>9)::float8 / 1000) AS offered_at, to_timestamp((t->>10)::float8 / 1000) AS expires_at,
         NULL::timestamptz AS confirmed_at, NULL::timestamptz AS release_at, NULL::timestamptz AS window_ends_at,
         NULL::timestamptz AS next_check_at, NULL::timestamptz AS settled_at
  FROM task_lists l CROSS JOIN json_array_elements(l.tasks::json) t
  WHERE t->>4 IN ('offered', 'unreserved', 'expired')
  UNION ALL
  SELECT user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks, reward_kopecks,
         hold_seconds, refund, offered_at, expires_at, confirmed_at, release_at, window_ends_at, next_check_at, settled_at
  FROM offers;
