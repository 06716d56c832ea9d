-- Tasks: open ones in the task lists of users, decided ones in rows of their own.
--
-- user_id leads every key, so that these tables can be partitioned by user.

CREATE TABLE task_lists (
  user_id    bigint NOT NULL,
  bot_id     bigint NOT NULL,
  account_id bigint NOT NULL,
  number     integer NOT NULL DEFAULT 0,
  requested  integer NOT NULL DEFAULT 0,
  ends_at    timestamptz NOT NULL,
  tasks      text NOT NULL DEFAULT '[]',
  expires_at timestamptz,
  PRIMARY KEY (user_id, bot_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE task_lists IS
  'The current round of one user in one bot, with all open tasks inside the row (decision 0042). Most tasks are shown and '
  'never confirmed; one row per task would cost six times as much to write.';
COMMENT ON COLUMN task_lists.account_id IS 'The publisher: the owner of the bot.';
COMMENT ON COLUMN task_lists.number IS 'The number of the round.';
COMMENT ON COLUMN task_lists.requested IS 'The largest max_sponsors that was requested in this round.';
COMMENT ON COLUMN task_lists.ends_at IS 'The end of the round.';
COMMENT ON COLUMN task_lists.tasks IS 'JSON, written by packTasks in src/modules/tasks; the view all_tasks reads it.';
COMMENT ON COLUMN task_lists.expires_at IS 'When the first open task expires. NULL: no task is open.';
-- The job that frees the reservations of expired tasks. One entry per list with an open task.
CREATE INDEX task_lists_to_expire ON task_lists (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE tasks (
  user_id        bigint NOT NULL,
  bot_id         bigint NOT NULL,
  order_id       bigint NOT NULL,
  account_id     bigint NOT NULL,
  resource_id    bigint NOT NULL,
  round          integer NOT NULL,
  position       integer NOT NULL,
  state          text NOT NULL
                 CHECK (state IN ('pending', 'held', 'paid', 'settled', 'reversed', 'rejected', 'notgetted')),
  charge_kopecks bigint NOT NULL,
  reward_kopecks bigint NOT NULL,
  hold_seconds   integer NOT NULL,
  refund         boolean NOT NULL,
  was_outside    boolean NOT NULL DEFAULT false,
  shown_at       timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  confirmed_at   timestamptz,
  release_at     timestamptz,
  window_ends_at timestamptz,
  next_check_at  timestamptz,
  settled_at     timestamptz,
  kept_at        timestamptz,
  PRIMARY KEY (user_id, bot_id, order_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE tasks IS 'Tasks that a confirm decided, each with its own row and lock. docs/glossary.md explains the states.';
COMMENT ON COLUMN tasks.account_id IS 'The publisher: the owner of the bot.';
COMMENT ON COLUMN tasks.round IS '0: an extra task outside the rounds.';
COMMENT ON COLUMN tasks.was_outside IS 'A membership check found no membership when the task was shown (decision 0058).';
COMMENT ON COLUMN tasks.confirmed_at IS 'When a confirm decided the task.';
COMMENT ON COLUMN tasks.release_at IS 'When the reward leaves hold.';
COMMENT ON COLUMN tasks.window_ends_at IS 'Until then a leave reverses the reward.';
COMMENT ON COLUMN tasks.next_check_at IS 'When the worker handles the task next.';
COMMENT ON COLUMN tasks.settled_at IS 'When the reward became final.';
COMMENT ON COLUMN tasks.kept_at IS 'Since when the publisher keeps the reward even if the user leaves (decisions 0056, 0057).';
CREATE INDEX tasks_to_check ON tasks (next_check_at) WHERE state IN ('pending', 'held', 'paid');    -- the settlement job
CREATE INDEX tasks_of_bot ON tasks (bot_id, confirmed_at DESC) WHERE confirmed_at IS NOT NULL;     -- /statistic of a bot
CREATE INDEX tasks_of_order ON tasks (order_id, confirmed_at DESC) WHERE confirmed_at IS NOT NULL; -- /statistic of an order
-- The next releases from hold. Only held tasks have an entry, so the index does not grow with the history. A confirm with
-- hold adds one entry; both updates of a held task change another index too, so no update loses its HOT path for this one.
CREATE INDEX tasks_in_hold ON tasks (account_id, release_at) WHERE state = 'held';
-- Rewards that can still be reversed: an account can withdraw its balance minus their sum (decision 0070). With the default
-- hold, which is as long as the window, a subscription never has an entry.
CREATE INDEX tasks_unsettled ON tasks (account_id) INCLUDE (reward_kopecks) WHERE state = 'paid';
-- The score of a contest: an index-only scan over the settlements of its period.
CREATE INDEX tasks_settled ON tasks (settled_at, account_id) INCLUDE (order_id, reward_kopecks)
  WHERE settled_at IS NOT NULL;

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
COMMENT ON VIEW all_tasks IS 'Open and decided tasks together, for people, checks and tests. No request reads it.';

CREATE TABLE counted_subscriptions (
  user_id     bigint NOT NULL,
  resource_id bigint NOT NULL,
  bot_id      bigint NOT NULL,
  order_id    bigint NOT NULL,
  counted_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, resource_id)
);
COMMENT ON TABLE counted_subscriptions IS
  'One subscription per user and resource for ever. The primary key decides every race between two confirms.';

CREATE TABLE bot_progress (
  bot_id          bigint PRIMARY KEY,
  reserved_count  integer NOT NULL DEFAULT 0 CHECK (reserved_count >= 0),
  shown_total     bigint NOT NULL DEFAULT 0,
  confirmed_total bigint NOT NULL DEFAULT 0,
  reversed_total  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE bot_progress IS
  'Reservations and conversion of a bot. They limit how many tasks the bot may reserve at a time (decision 0053).';

CREATE TABLE access_rechecks (
  resource_id bigint PRIMARY KEY REFERENCES resources,
  user_id     bigint NOT NULL,
  since       timestamptz NOT NULL
);
COMMENT ON TABLE access_rechecks IS
  'Resources for which one membership check said that the bot has no access. A single response is often wrong, so the job '
  'verify-access repeats the check before orders are paused.';
COMMENT ON COLUMN access_rechecks.user_id IS 'The user of that membership check.';

CREATE TABLE operator_reversals (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key            text NOT NULL UNIQUE,
  bot_id         bigint,
  order_id       bigint,
  from_at        timestamptz NOT NULL,
  until_at       timestamptz NOT NULL,
  reason         text NOT NULL,
  operator_id    bigint NOT NULL,
  count          integer NOT NULL,
  reward_kopecks bigint NOT NULL,
  created_at     timestamptz NOT NULL,
  CHECK (bot_id IS NOT NULL OR order_id IS NOT NULL)
);
COMMENT ON TABLE operator_reversals IS
  'Reversals by an operator: all subscriptions of a bot or an order that were counted from from_at until before until_at.';
COMMENT ON COLUMN operator_reversals.key IS 'Names the request, so that a repeated request reverses once.';
COMMENT ON COLUMN operator_reversals.operator_id IS 'The operator''s Telegram id.';
