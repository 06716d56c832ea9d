-- The management bot and the intake of Telegram's updates.

CREATE TABLE bot_dialogues (
  telegram_user_id       bigint PRIMARY KEY,
  menu_message_id        bigint,
  menu_is_photo          boolean NOT NULL DEFAULT false,
  expects                jsonb,
  drafts                 jsonb NOT NULL DEFAULT '{}',
  last_update_id         bigint,
  expected_before        jsonb,
  last_message_update_id bigint,
  updated_at             timestamptz NOT NULL
);
COMMENT ON TABLE bot_dialogues IS
  'The state of a person''s conversation with the management bot. In the database, so that any process continues it.';
COMMENT ON COLUMN bot_dialogues.menu_message_id IS 'The message that is edited from menu to menu.';
COMMENT ON COLUMN bot_dialogues.menu_is_photo IS 'Telegram cannot edit a photo into a text.';
COMMENT ON COLUMN bot_dialogues.expects IS 'The input that the person''s next message gives: {input, args}.';
COMMENT ON COLUMN bot_dialogues.drafts IS 'The inputs that each wizard has collected, by the name of the wizard.';
COMMENT ON COLUMN bot_dialogues.last_update_id IS 'The update that last changed this row.';
COMMENT ON COLUMN bot_dialogues.expected_before IS 'The value of expects before that update, for the case that it is delivered again.';
COMMENT ON COLUMN bot_dialogues.last_message_update_id IS
  'The last message that was handled. After a crash Telegram delivers older messages again; they must not be taken as the '
  'input for the current question.';

CREATE TABLE bot_chats (
  chat_id    bigint PRIMARY KEY,
  added_by   bigint NOT NULL,
  type       text NOT NULL CHECK (type IN ('channel', 'supergroup', 'group')),
  title      text NOT NULL,
  username   text,
  can_invite boolean NOT NULL,
  updated_at timestamptz NOT NULL
);
COMMENT ON TABLE bot_chats IS 'Chats in which the management bot is an administrator. Advertisers choose from them.';
COMMENT ON COLUMN bot_chats.added_by IS 'The Telegram user who made the bot an administrator.';
COMMENT ON COLUMN bot_chats.can_invite IS 'The right that is needed to create the link of a private channel.';
CREATE INDEX bot_chats_added_by ON bot_chats (added_by, updated_at DESC); -- the chats of one advertiser

-- Not logged: after a crash of the database no process handles an update.
CREATE UNLOGGED TABLE user_update_leases (
  telegram_user_id bigint PRIMARY KEY,
  holder           uuid NOT NULL,
  lease_until      timestamptz NOT NULL
);
COMMENT ON TABLE user_update_leases IS
  'The persons whose update a process handles now. With webhooks two updates of one person can reach two processes, which '
  'must not both read and write the person''s dialogue (decision 0044).';
COMMENT ON COLUMN user_update_leases.lease_until IS 'By the database''s clock. A killed process leaves its row until then.';

CREATE TABLE unfinished_updates (
  update_id bigint PRIMARY KEY,
  body      jsonb NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE unfinished_updates IS
  'Updates that take long to handle. A poller can acknowledge an update only together with all earlier ones, so a slow one '
  'is stored here and acknowledged. If its process is killed, the next poller handles it.';
