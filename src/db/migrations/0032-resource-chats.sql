-- What Telegram last said of the chat behind a resource. Operators see it beside the order, and it is asked for again daily:
-- the id decides which chat is advertised, its name and its links may change hands.
CREATE TABLE resource_chats (
  resource_id bigint PRIMARY KEY REFERENCES resources,
  title       text,        -- NULL: Telegram did not let our bot see the chat
  username    text,
  members     integer,
  asked_at    timestamptz NOT NULL
);
