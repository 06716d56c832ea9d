-- Checker bots: further bots that check members beside the management bot (decision 0195).

CREATE TABLE checkers (
  bot_id          bigint PRIMARY KEY,
  username        text NOT NULL,
  token_encrypted bytea NOT NULL,
  added_at        timestamptz NOT NULL,
  conflict_at     timestamptz,
  stopped_at      timestamptz,
  stop_reason     text CHECK (stop_reason IN ('removed', 'revoked')),
  CHECK ((stopped_at IS NULL) = (stop_reason IS NULL))
);
COMMENT ON TABLE checkers IS 'Bots of the operators that check members and receive joins and leaves.';
COMMENT ON COLUMN checkers.bot_id IS 'Telegram''s id of the bot.';
COMMENT ON COLUMN checkers.conflict_at IS 'When another program last received the updates of the bot. NULL: none does.';
COMMENT ON COLUMN checkers.stop_reason IS
  'removed by an operator, or Telegram no longer accepts the token. A job hands its channels over, then deletes a removed row.';

ALTER TABLE resources ADD COLUMN checker_id bigint REFERENCES checkers;
COMMENT ON COLUMN resources.checker_id IS 'The checker bot that checks the members of a channel. NULL: the management bot.';
CREATE INDEX resources_checker ON resources (checker_id) WHERE checker_id IS NOT NULL; -- the channels of one checker

CREATE TABLE checker_chats (
  chat_id    bigint NOT NULL,
  bot_id     bigint NOT NULL REFERENCES checkers ON DELETE CASCADE,
  added_by   bigint NOT NULL,
  type       text NOT NULL CHECK (type IN ('channel', 'supergroup', 'group')),
  title      text NOT NULL,
  username   text,
  can_invite boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (chat_id, bot_id)
);
COMMENT ON TABLE checker_chats IS 'Chats in which a checker bot is an administrator. The columns are those of bot_chats.';
CREATE INDEX checker_chats_added_by ON checker_chats (added_by, updated_at DESC); -- the chats of one advertiser

CREATE TABLE checker_intake (
  bot_id               bigint PRIMARY KEY,
  caught_up_at         timestamptz NOT NULL,
  caught_up_machine_at timestamptz NOT NULL
);
COMMENT ON TABLE checker_intake IS
  'When the service last knew that no update of a checker bot was waiting. update_intake has the same for the management bot.';

ALTER TABLE update_losses ADD COLUMN bot_id bigint;
COMMENT ON COLUMN update_losses.bot_id IS 'The checker bot whose updates were lost. NULL: the management bot.';

CREATE TABLE unfinished_checker_updates (
  bot_id    bigint NOT NULL,
  update_id bigint NOT NULL,
  body      jsonb NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (bot_id, update_id)
);
COMMENT ON TABLE unfinished_checker_updates IS
  'The same as unfinished_updates for checker bots. Each bot counts its updates by itself.';

-- Not logged: after a crash of the database the processes agree anew within a second.
CREATE UNLOGGED TABLE check_shares (
  bot_id     bigint NOT NULL,
  process_id uuid NOT NULL,
  wanted     integer NOT NULL,
  share      integer NOT NULL,
  held       integer NOT NULL,
  held_until timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL,
  PRIMARY KEY (bot_id, process_id)
);
COMMENT ON TABLE check_shares IS
  'How the processes divide the calls that Telegram allows a bot per second (decision 0196). Used unless REDIS_URL is set.';
COMMENT ON COLUMN check_shares.wanted IS 'Calls that the process wanted in the last second, at most the whole budget.';
COMMENT ON COLUMN check_shares.share IS 'Calls per second that the process may make.';
COMMENT ON COLUMN check_shares.held IS
  'The share before it became smaller. Until held_until it still counts, because its calls are in the last second.';
