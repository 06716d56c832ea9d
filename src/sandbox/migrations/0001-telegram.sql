-- The emulated Telegram and the webhook catcher. Nothing of the service's own lives here, and live mode never runs this.
CREATE SCHEMA IF NOT EXISTS sandbox;

-- Update ids must never go back, not even after a reset: a poller keeps its offset in memory and would confirm, unseen,
-- every new update below it. A reset raises this floor, new bots start from it.
CREATE SEQUENCE sandbox.tg_update_floor START 1000;
SELECT nextval('sandbox.tg_update_floor');

-- One name space for people, bots and chats, as in Telegram. Names are kept in lower case.
CREATE TABLE sandbox.tg_names (
  name text PRIMARY KEY,
  peer_id bigint NOT NULL UNIQUE
);

-- People and bots. `implicit` people were made on the fly and may still be described once.
CREATE TABLE sandbox.tg_users (
  user_id bigint PRIMARY KEY,
  is_bot boolean NOT NULL DEFAULT false,
  implicit boolean NOT NULL DEFAULT false,
  first_name text NOT NULL,
  username text,
  language_code text,
  is_premium boolean NOT NULL DEFAULT false,
  bio text,
  birthdate jsonb,
  photos integer NOT NULL DEFAULT 0,
  rating integer,
  gifts integer NOT NULL DEFAULT 0,
  audios integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL
);
CREATE INDEX tg_users_newest ON sandbox.tg_users (created_at DESC, user_id DESC);

-- `registered` bots belong to the service and outlive a reset. `alive_until` and `lease_until` are real time, by the
-- server's clock: the sandbox's movable clock must not make a consumer look dead.
CREATE TABLE sandbox.tg_bots (
  bot_id bigint PRIMARY KEY REFERENCES sandbox.tg_users (user_id) ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  registered boolean NOT NULL DEFAULT false,
  commands jsonb NOT NULL DEFAULT '[]',
  menu_button jsonb,
  allowed_updates text[],
  last_update_id bigint NOT NULL,
  confirmed_update_id bigint NOT NULL,
  last_message_id bigint NOT NULL DEFAULT 0,
  poll_id text,
  alive_until timestamptz,
  webhook_url text,
  webhook_secret text,
  webhook_error text,
  webhook_error_at timestamptz,
  lease_owner text,
  lease_until timestamptz
);

CREATE TABLE sandbox.tg_chats (
  chat_id bigint PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('channel', 'supergroup')),
  title text NOT NULL,
  username text,
  created_at timestamptz NOT NULL
);
CREATE INDEX tg_chats_newest ON sandbox.tg_chats (created_at DESC, chat_id);

-- Who is in which chat. For a bot `chat_id` is the bot's id: member = started it, kicked = blocked it.
CREATE TABLE sandbox.tg_members (
  chat_id bigint NOT NULL,
  user_id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('creator', 'administrator', 'member', 'restricted', 'left', 'kicked')),
  is_member boolean NOT NULL,
  joined_at timestamptz,
  PRIMARY KEY (chat_id, user_id)
);
CREATE INDEX tg_members_by_user ON sandbox.tg_members (user_id, chat_id);
CREATE INDEX tg_members_admins ON sandbox.tg_members (chat_id) WHERE status IN ('creator', 'administrator');

CREATE TABLE sandbox.tg_join_requests (
  chat_id bigint NOT NULL,
  user_id bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  PRIMARY KEY (chat_id, user_id)
);

CREATE TABLE sandbox.tg_invite_links (
  invite_link text PRIMARY KEY,
  chat_id bigint NOT NULL,
  body jsonb NOT NULL
);

CREATE TABLE sandbox.tg_updates (
  bot_id bigint NOT NULL,
  update_id bigint NOT NULL,
  body jsonb NOT NULL,
  PRIMARY KEY (bot_id, update_id)
);

-- `chat_id` is the person's id in a private chat. Message ids are counted per bot.
CREATE TABLE sandbox.tg_messages (
  bot_id bigint NOT NULL,
  message_id bigint NOT NULL,
  chat_id bigint NOT NULL,
  from_person boolean NOT NULL,
  text text NOT NULL,
  entities jsonb NOT NULL DEFAULT '[]',
  reply_markup jsonb,
  photo text,
  sent_at timestamptz NOT NULL,
  edited_at timestamptz,
  PRIMARY KEY (bot_id, message_id)
);
CREATE INDEX tg_messages_by_chat ON sandbox.tg_messages (bot_id, chat_id, message_id DESC);

CREATE TABLE sandbox.tg_callback_queries (
  query_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bot_id bigint NOT NULL,
  user_id bigint NOT NULL,
  asked_at timestamptz NOT NULL,
  answered_at timestamptz,
  answer text,
  show_alert boolean NOT NULL DEFAULT false
);
CREATE INDEX tg_callback_queries_by_person ON sandbox.tg_callback_queries (bot_id, user_id, query_id DESC);

CREATE TABLE sandbox.tg_faults (
  fault_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mode text NOT NULL CHECK (mode IN ('down', 'too_many_requests', 'slow', 'not_admin')),
  method text,
  chat_id text,
  remaining integer CHECK (remaining > 0),
  delay_ms integer NOT NULL,
  retry_after integer NOT NULL
);

CREATE TABLE sandbox.inbox (
  delivery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  received_at timestamptz NOT NULL
);
