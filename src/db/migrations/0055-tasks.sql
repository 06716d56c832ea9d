-- A task has one name everywhere: the table `offers` becomes `tasks`, and a task that stands before a user is `shown`.
DROP VIEW all_tasks;
ALTER TABLE offers RENAME TO tasks;
ALTER TABLE tasks RENAME COLUMN offered_at TO shown_at;
ALTER INDEX offers_pkey RENAME TO tasks_pkey;
ALTER INDEX offers_to_check RENAME TO tasks_to_check;
ALTER INDEX offers_of_bot RENAME TO tasks_of_bot;
ALTER INDEX offers_of_order RENAME TO tasks_of_order;
ALTER INDEX offers_in_hold RENAME TO tasks_in_hold;
ALTER INDEX offers_unsettled RENAME TO tasks_unsettled;
ALTER INDEX offers_settled RENAME TO tasks_settled;
ALTER TABLE tasks RENAME CONSTRAINT offers_state_check TO tasks_state_check;
UPDATE task_lists SET tasks = replace(tasks, '"offered"', '"shown"') WHERE tasks LIKE '%"offered"%';

CREATE VIEW all_tasks AS
  SELECT l.user_id, l.bot_id, (t->>0)::bigint AS order_id, l.account_id, (t->>1)::bigint AS resource_id,
         (t->>2)::int AS round, (t->>3)::int AS position, t->>4 AS state, (t->>5)::bigint AS charge_kopecks,
         (t->>6)::bigint AS reward_kopecks, (t->>7)::int AS hold_seconds, (t->>8)::int & 1 = 1 AS refund,
         to_timestamp((t->>9)::float8 / 1000) AS shown_at, to_timestamp((t->>10)::float8 / 1000) AS expires_at,
         NULL::timestamptz AS confirmed_at, NULL::timestamptz AS release_at, NULL::timestamptz AS window_ends_at,
         NULL::timestamptz AS next_check_at, NULL::timestamptz AS settled_at, (t->>8)::int & 2 = 2 AS was_outside
  FROM task_lists l CROSS JOIN json_array_elements(l.tasks::json) t
  WHERE t->>4 IN ('shown', 'unreserved', 'expired')
  UNION ALL
  SELECT user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks, reward_kopecks,
         hold_seconds, refund, shown_at, expires_at, confirmed_at, release_at, window_ends_at, next_check_at, settled_at,
         was_outside
  FROM tasks;
