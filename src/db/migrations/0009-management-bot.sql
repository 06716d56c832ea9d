-- What the management bot keeps: how a person wants to be spoken to, where a conversation stands, and what is still to
-- be told.

ALTER TABLE accounts
  ADD COLUMN language      text CHECK (language IN ('ru', 'en')), -- chosen by hand; NULL = that of their Telegram
  ADD COLUMN seen_language text CHECK (seen_language IN ('ru', 'en')), -- as their Telegram last had it
  ADD COLUMN muted_notices text[] NOT NULL DEFAULT '{}',
  ADD COLUMN banned_at     timestamptz,
  ADD COLUMN ban_reason    text,
  ADD CHECK ((banned_at IS NULL) = (ban_reason IS NULL));

-- Where a person stands in the bot. In the database and not in memory, so that a restart, or another process that gets
-- the next update, goes on where the person was.
CREATE TABLE bot_dialogues (
  telegram_user_id bigint PRIMARY KEY,
  menu_message_id  bigint,        -- the one message that is edited from menu to menu
  menu_is_photo    boolean NOT NULL DEFAULT false, -- a picture cannot be edited into a text
  expects          jsonb,         -- what the person's next message answers: {input, args}
  drafts           jsonb NOT NULL DEFAULT '{}', -- what each wizard has gathered so far, by its name
  last_update_id   bigint,        -- the update that this row was last changed by
  expected_before  jsonb,         -- what was expected when that update came, for when it comes again
  updated_at       timestamptz NOT NULL
);

-- Chats in which our bot is an administrator, by whom it was made one: an advertiser picks from these.
CREATE TABLE bot_chats (
  chat_id    bigint PRIMARY KEY,
  added_by   bigint NOT NULL,      -- Telegram user id
  type       text NOT NULL CHECK (type IN ('channel', 'supergroup', 'group')),
  title      text NOT NULL,
  username   text,
  can_invite boolean NOT NULL,     -- a private channel's link is made with this right
  updated_at timestamptz NOT NULL
);
CREATE INDEX bot_chats_added_by ON bot_chats (added_by, updated_at DESC);

-- What is to be told to owners in the bot. Written in the transaction of the fact, deleted when told.
CREATE TABLE notices (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  kind       text NOT NULL,
  data       jsonb NOT NULL,
  due_at     timestamptz NOT NULL,
  attempts   integer NOT NULL DEFAULT 0
);
CREATE INDEX notices_due ON notices (due_at, id);
-- Reversals come by the dozen: one row an account and hour counts them until it is told.
CREATE UNIQUE INDEX notices_digest ON notices (account_id, due_at) WHERE kind = 'subscriptions_reversed' AND attempts = 0;

-- A text that an operator sends to everybody, and how far it has come: accounts up to `last_account_id` have got it.
CREATE TABLE broadcasts (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  create_key      text NOT NULL UNIQUE, -- names the request, so that one sent twice is sent once
  text_ru         text NOT NULL CHECK (length(text_ru) BETWEEN 1 AND 3000),
  text_en         text NOT NULL CHECK (length(text_en) BETWEEN 1 AND 3000),
  created_by      bigint NOT NULL, -- the operator's Telegram id
  created_at      timestamptz NOT NULL,
  last_account_id bigint NOT NULL DEFAULT 0,
  total           integer NOT NULL,
  sent            integer NOT NULL DEFAULT 0,
  failed          integer NOT NULL DEFAULT 0, -- those who blocked the bot
  finished_at     timestamptz,
  cancelled_at    timestamptz
);
CREATE INDEX broadcasts_open ON broadcasts (id) WHERE finished_at IS NULL AND cancelled_at IS NULL;
