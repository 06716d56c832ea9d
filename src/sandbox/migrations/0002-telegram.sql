-- The emulated Telegram.

-- Update ids must never decrease, even after a reset: a poller keeps its offset and would confirm every lower id unseen. A
-- reset raises this value, and new bots start from it.
CREATE SEQUENCE sandbox.tg_update_floor START 1000;
SELECT nextval('sandbox.tg_update_floor');

CREATE TABLE sandbox.tg_names (
  name    text PRIMARY KEY,
  peer_id bigint NOT NULL UNIQUE
);
COMMENT ON TABLE sandbox.tg_names IS 'Usernames of people, bots and chats, which share one name space. In lower case.';

CREATE TABLE sandbox.tg_users (
  user_id       bigint PRIMARY KEY,
  is_bot        boolean NOT NULL DEFAULT false,
  is_implicit   boolean NOT NULL DEFAULT false,
  first_name    text NOT NULL,
  username      text,
  language_code text,
  is_premium    boolean NOT NULL DEFAULT false,
  bio           text,
  birthdate     jsonb,
  photos        integer NOT NULL DEFAULT 0,
  rating        integer,
  gifts         integer NOT NULL DEFAULT 0,
  audios        integer NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL
);
COMMENT ON TABLE sandbox.tg_users IS 'People and bots.';
COMMENT ON COLUMN sandbox.tg_users.is_implicit IS 'Made by the first use of the id. POST /sandbox/users can fill it in once.';
CREATE INDEX tg_users_newest ON sandbox.tg_users (created_at DESC, user_id DESC); -- the page and /sandbox/state

CREATE TABLE sandbox.tg_bots (
  bot_id              bigint PRIMARY KEY REFERENCES sandbox.tg_users (user_id) ON DELETE CASCADE,
  token               text NOT NULL UNIQUE,
  is_registered       boolean NOT NULL DEFAULT false,
  commands            jsonb NOT NULL DEFAULT '[]',
  menu_button         jsonb,
  allowed_updates     text[],
  last_update_id      bigint NOT NULL,
  confirmed_update_id bigint NOT NULL,
  last_message_id     bigint NOT NULL DEFAULT 0,
  poll_id             text,
  alive_until         timestamptz,
  webhook_url         text,
  webhook_secret      text,
  webhook_error       text,
  webhook_error_at    timestamptz,
  lease_owner         text,
  lease_until         timestamptz
);
COMMENT ON TABLE sandbox.tg_bots IS
  'Bots. alive_until and lease_until are real time by the database''s clock: the movable clock must not end them.';
COMMENT ON COLUMN sandbox.tg_bots.is_registered IS 'Belongs to the service and survives a reset.';
COMMENT ON COLUMN sandbox.tg_bots.poll_id IS 'The getUpdates call that waits now.';
COMMENT ON COLUMN sandbox.tg_bots.alive_until IS 'Until then the emulator waits for the bot to handle updates.';
COMMENT ON COLUMN sandbox.tg_bots.lease_owner IS 'The process that posts the bot''s updates to its webhook.';

CREATE TABLE sandbox.tg_chats (
  chat_id     bigint PRIMARY KEY,
  type        text NOT NULL CHECK (type IN ('channel', 'supergroup', 'group')),
  title       text NOT NULL,
  username    text,
  invite_link text,
  migrated_to bigint,
  created_at  timestamptz NOT NULL
);
COMMENT ON TABLE sandbox.tg_chats IS 'Channels and groups.';
COMMENT ON COLUMN sandbox.tg_chats.invite_link IS 'The link into a chat without a username.';
COMMENT ON COLUMN sandbox.tg_chats.migrated_to IS 'The supergroup to which a basic group was upgraded.';
CREATE INDEX tg_chats_newest ON sandbox.tg_chats (created_at DESC, chat_id); -- the page and /sandbox/state

CREATE TABLE sandbox.tg_members (
  chat_id      bigint NOT NULL,
  user_id      bigint NOT NULL,
  status       text NOT NULL CHECK (status IN ('creator', 'administrator', 'member', 'restricted', 'left', 'kicked')),
  is_member    boolean NOT NULL,
  is_anonymous boolean NOT NULL DEFAULT false,
  joined_at    timestamptz,
  PRIMARY KEY (chat_id, user_id)
);
COMMENT ON TABLE sandbox.tg_members IS
  'Memberships. For a bot chat_id is the id of the bot: member means started, kicked means blocked.';
COMMENT ON COLUMN sandbox.tg_members.is_anonymous IS 'The administrator acts in a group as @GroupAnonymousBot.';
CREATE INDEX tg_members_by_user ON sandbox.tg_members (user_id, chat_id); -- whether a bot has met a person
CREATE INDEX tg_members_admins ON sandbox.tg_members (chat_id) WHERE status IN ('creator', 'administrator'); -- receivers of updates

CREATE TABLE sandbox.tg_join_requests (
  chat_id      bigint NOT NULL,
  user_id      bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  PRIMARY KEY (chat_id, user_id)
);
COMMENT ON TABLE sandbox.tg_join_requests IS 'Join requests that no administrator has decided.';

CREATE TABLE sandbox.tg_invite_links (
  invite_link text PRIMARY KEY,
  chat_id     bigint NOT NULL,
  body        jsonb NOT NULL
);
COMMENT ON TABLE sandbox.tg_invite_links IS 'Invite links that bots made; body is Telegram''s ChatInviteLink.';

CREATE TABLE sandbox.tg_updates (
  bot_id    bigint NOT NULL,
  update_id bigint NOT NULL,
  body      jsonb NOT NULL,
  PRIMARY KEY (bot_id, update_id)
);
COMMENT ON TABLE sandbox.tg_updates IS 'Updates that a bot has not confirmed.';

CREATE TABLE sandbox.tg_messages (
  bot_id       bigint NOT NULL,
  message_id   bigint NOT NULL,
  chat_id      bigint NOT NULL,
  from_person  boolean NOT NULL,
  text         text NOT NULL,
  entities     jsonb NOT NULL DEFAULT '[]',
  reply_markup jsonb,
  photo        text,
  sent_at      timestamptz NOT NULL,
  edited_at    timestamptz,
  PRIMARY KEY (bot_id, message_id)
);
COMMENT ON TABLE sandbox.tg_messages IS 'Messages between a bot and a chat. Message ids are counted per bot.';
COMMENT ON COLUMN sandbox.tg_messages.chat_id IS 'In a private chat the id of the person.';
COMMENT ON COLUMN sandbox.tg_messages.photo IS '`file:7` is a row of tg_files; any other text is the address or id that the bot sent.';
CREATE INDEX tg_messages_by_chat ON sandbox.tg_messages (bot_id, chat_id, message_id DESC); -- a conversation

CREATE TABLE sandbox.tg_files (
  file_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type        text NOT NULL,
  bytes       bytea NOT NULL
);
COMMENT ON TABLE sandbox.tg_files IS 'Pictures that bots sent, the newest only, for the sandbox page.';

CREATE TABLE sandbox.tg_callback_queries (
  query_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bot_id      bigint NOT NULL,
  user_id     bigint NOT NULL,
  pressed_at  timestamptz NOT NULL,
  answered_at timestamptz,
  answer      text,
  show_alert  boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE sandbox.tg_callback_queries IS 'Presses of inline buttons and the bots'' answers.';
CREATE INDEX tg_callback_queries_by_person ON sandbox.tg_callback_queries (bot_id, user_id, query_id DESC); -- the last notice

CREATE TABLE sandbox.tg_faults (
  fault_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mode        text NOT NULL CHECK (mode IN ('down', 'too_many_requests', 'slow', 'garbage', 'not_admin', 'flood_limits')),
  method      text,
  chat_id     text,
  remaining   integer CHECK (remaining > 0),
  delay_ms    integer NOT NULL,
  retry_after integer NOT NULL
);
COMMENT ON TABLE sandbox.tg_faults IS 'Faults of the emulated Telegram that POST /sandbox/faults set.';
COMMENT ON COLUMN sandbox.tg_faults.remaining IS 'The number of calls that still fail. NULL: unlimited.';
