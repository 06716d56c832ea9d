-- What the compatible APIs (/compat) need beyond the task flow.

CREATE TABLE bot_telegram_tokens (
  bot_id          bigint PRIMARY KEY REFERENCES bots,
  token_encrypted bytea NOT NULL,
  created_at      timestamptz NOT NULL
);
COMMENT ON TABLE bot_telegram_tokens IS
  'Telegram tokens of publishers'' bots, given by their owners. The service sends gate messages with them.';
COMMENT ON COLUMN bot_telegram_tokens.token_encrypted IS 'Encrypted with a key that is derived from SECRET_KEY.';
