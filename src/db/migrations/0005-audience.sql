-- Users, facts about them, and their memberships.

CREATE TABLE audience_users (
  user_id            bigint PRIMARY KEY,
  first_seen_at      timestamptz NOT NULL,
  facts              jsonb NOT NULL,
  facts_at           timestamptz NOT NULL,
  profile_checked_at timestamptz
);
COMMENT ON TABLE audience_users IS 'Every user for whom a bot requested tasks.';
COMMENT ON COLUMN audience_users.facts IS 'The last data from bots, reduced to what filters use. No names are stored.';
COMMENT ON COLUMN audience_users.profile_checked_at IS 'When the service last read the user''s profile from the Bot API.';
CREATE INDEX audience_users_to_look_up ON audience_users (profile_checked_at NULLS FIRST); -- the profile job

CREATE TABLE audience_values (
  user_id    bigint NOT NULL,
  field      text NOT NULL,
  value      jsonb NOT NULL,
  source     text NOT NULL CHECK (source IN ('smart_link', 'mini_app', 'bot_api')),
  learned_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, field)
);
COMMENT ON TABLE audience_values IS 'Facts about a user from other sources than bots, one row per field.';
-- Values count for 90 days; the job that deletes old ones finds them here. Requests for tasks do not write this table.
CREATE INDEX audience_values_age ON audience_values (learned_at);

CREATE TABLE memberships (
  user_id         bigint NOT NULL,
  chat_id         bigint NOT NULL,
  is_member       boolean NOT NULL,
  first_member_at timestamptz,
  joined_at       timestamptz,
  source          text NOT NULL CHECK (source IN ('update', 'check')),
  observed_at     timestamptz NOT NULL,
  PRIMARY KEY (user_id, chat_id)
);
COMMENT ON TABLE memberships IS 'The last known membership of a user in a chat, from updates and membership checks.';
COMMENT ON COLUMN memberships.chat_id IS 'Telegram''s id; for a bot the id of the bot.';
COMMENT ON COLUMN memberships.first_member_at IS 'The earliest time at which the user is known to have been a member.';
COMMENT ON COLUMN memberships.joined_at IS 'The latest join that an update reported.';

CREATE TABLE banned_users (
  user_id   bigint PRIMARY KEY,
  reason    text NOT NULL,
  banned_at timestamptz NOT NULL
);
COMMENT ON TABLE banned_users IS 'Users who get no tasks.';

CREATE TABLE update_intake (
  only_row             boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  caught_up_at         timestamptz NOT NULL,
  caught_up_machine_at timestamptz NOT NULL
);
COMMENT ON TABLE update_intake IS
  'One row: when the service last knew that no update of Telegram was waiting, by its own clock and by the machine''s. A '
  'sandbox moves the first; only the second shows whether a process still receives updates.';

CREATE TABLE update_losses (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at timestamptz NOT NULL,
  ended_at   timestamptz NOT NULL
);
COMMENT ON TABLE update_losses IS
  'Periods in which updates were lost: not fetched for a day, taken by another program, or not handled after all attempts.';
CREATE INDEX update_losses_ended ON update_losses (ended_at); -- the losses since a task was shown
