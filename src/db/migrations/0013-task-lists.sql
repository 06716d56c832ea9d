-- What stands before a user in a bot is one row with the tasks inside it, instead of a row per task.
--
-- Most tasks are shown and never done, and a user's first call shows five of them: as rows with a key and an index entry
-- each they cost PostgreSQL six times as much to write as one row with a text does, and more to read on every later
-- message. `offers` keeps what a confirm has decided: everything that moves money, each with its row and its lock.
--
-- Lock order, the same in every transaction: task_lists, offers, order_progress, counted_subscriptions, ledger_accounts,
-- each level sorted by its key. A list that is new is inserted after them: whoever inserts it waits for nobody who could
-- be waiting for that transaction.

ALTER TABLE rounds RENAME TO task_lists;
ALTER INDEX rounds_pkey RENAME TO task_lists_pkey;
ALTER TABLE task_lists
  ADD COLUMN account_id bigint,          -- the publisher: owner of the bot
  ADD COLUMN tasks text NOT NULL DEFAULT '[]', -- see packTasks in src/modules/offers/task-list.ts; the view below reads it
  ADD COLUMN expires_at timestamptz,     -- when the first of its open tasks lapses; none when none is open
  ALTER COLUMN number SET DEFAULT 0,
  ALTER COLUMN requested SET DEFAULT 0;

UPDATE task_lists l SET tasks = t.tasks, expires_at = t.expires_at
FROM (
  SELECT o.user_id, o.bot_id, min(o.expires_at) FILTER (WHERE o.state = 'offered') AS expires_at,
         json_agg(json_build_array(o.order_id, o.resource_id, o.round, o.position, o.state, o.charge_kopecks, o.reward_kopecks,
                                   o.hold_seconds, o.refund::int, floor(extract(epoch FROM o.offered_at) * 1000)::bigint,
                                   floor(extract(epoch FROM o.expires_at) * 1000)::bigint) ORDER BY o.position)::text AS tasks
  FROM offers o JOIN task_lists r ON r.user_id = o.user_id AND r.bot_id = o.bot_id
  WHERE o.state = 'offered' OR o.round = r.number
  GROUP BY o.user_id, o.bot_id
) t
WHERE l.user_id = t.user_id AND l.bot_id = t.bot_id;
UPDATE task_lists l SET account_id = b.account_id FROM bots b WHERE b.id = l.bot_id;
ALTER TABLE task_lists ALTER COLUMN account_id SET NOT NULL;

-- The sweep that frees what lapsed tasks had reserved finds its lists here. One entry per list with an open task.
CREATE INDEX task_lists_to_expire ON task_lists (expires_at) WHERE expires_at IS NOT NULL;
-- Every request asks which orders our bot can no longer check; there are few, and all of them are here.
CREATE INDEX orders_access_lost ON orders (id) WHERE pause_reason = 'access_lost';

DROP TRIGGER offers_shown ON offers; -- what is shown is counted where it is shown
DROP FUNCTION count_shown();
DELETE FROM offers WHERE state IN ('offered', 'expired');
DROP INDEX offers_to_expire;
ALTER TABLE offers DROP CONSTRAINT offers_state_check;
ALTER TABLE offers ADD CONSTRAINT offers_state_check
  CHECK (state IN ('pending', 'held', 'paid', 'settled', 'reversed', 'notgetted'));

-- Every task wherever it is kept, for people, checks and tests. Nothing that serves requests reads it.
CREATE VIEW all_tasks AS
  SELECT l.user_id, l.bot_id, (t->>0)::bigint AS order_id, l.account_id, (t->>1)::bigint AS resource_id,
         (t->>2)::int AS round, (t->>3)::int AS position, t->>4 AS state, (t->>5)::bigint AS charge_kopecks,
         (t->>6)::bigint AS reward_kopecks, (t->>7)::int AS hold_seconds, t->>8 = '1' AS refund,
         to_timestamp((t->>9)::float8 / 1000) AS offered_at, to_timestamp((t->>10)::float8 / 1000) AS expires_at,
         NULL::timestamptz AS confirmed_at, NULL::timestamptz AS release_at, NULL::timestamptz AS window_ends_at,
         NULL::timestamptz AS next_check_at, NULL::timestamptz AS settled_at
  FROM task_lists l CROSS JOIN json_array_elements(l.tasks::json) t
  WHERE t->>4 IN ('offered', 'expired')
  UNION ALL
  SELECT user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks, reward_kopecks,
         hold_seconds, refund, offered_at, expires_at, confirmed_at, release_at, window_ends_at, next_check_at, settled_at
  FROM offers;
