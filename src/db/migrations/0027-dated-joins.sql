-- A reward settles only when the user joined after the task was shown.

-- A check at the showing said that the user was no member. Rows from before this rule count as dated.
ALTER TABLE offers ADD COLUMN was_outside boolean NOT NULL DEFAULT true;
ALTER TABLE offers ALTER COLUMN was_outside SET DEFAULT false;

ALTER TABLE memberships ADD COLUMN joined_at timestamptz; -- the latest join of which an update told
UPDATE memberships SET joined_at = first_member_at WHERE source = 'update';

-- When this service last heard from Telegram that no update waits, by its own clock and by the machine's: a sandbox moves
-- the first, and only the second says whether somebody still listens.
CREATE TABLE update_intake (
  only_row         boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  heard_at         timestamptz NOT NULL,
  heard_machine_at timestamptz NOT NULL
);

-- Times in which updates were lost: nobody fetched them for a day, another program took them, or one could not be handled.
CREATE TABLE update_losses (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at timestamptz NOT NULL,
  ended_at   timestamptz NOT NULL
);
CREATE INDEX update_losses_ended ON update_losses (ended_at);

-- A task in a list has its flags in one number: 1 is refund, 2 says that the user was outside at the showing.
CREATE OR REPLACE VIEW all_tasks AS
  SELECT l.user_id, l.bot_id, (t->>0)::bigint AS order_id, l.account_id, (t->>1)::bigint AS resource_id,
         (t->>2)::int AS round, (t->>3)::int AS position, t->>4 AS state, (t->>5)::bigint AS charge_kopecks,
         (t->>6)::bigint AS reward_kopecks, (t->>7)::int AS hold_seconds, (t->>8)::int & 1 = 1 AS refund,
         to_timestamp((t->>9)::float8 / 1000) AS offered_at, to_timestamp((t->>10)::float8 / 1000) AS expires_at,
         NULL::timestamptz AS confirmed_at, NULL::timestamptz AS release_at, NULL::timestamptz AS window_ends_at,
         NULL::timestamptz AS next_check_at, NULL::timestamptz AS settled_at, (t->>8)::int & 2 = 2 AS was_outside
  FROM task_lists l CROSS JOIN json_array_elements(l.tasks::json) t
  WHERE t->>4 IN ('offered', 'unreserved', 'expired')
  UNION ALL
  SELECT user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks, reward_kopecks,
         hold_seconds, refund, offered_at, expires_at, confirmed_at, release_at, window_ends_at, next_check_at, settled_at,
         was_outside
  FROM offers;
