-- Why gate messages of /compat were not sent, so that the owner of the bot can read it in the bot and the console.

CREATE TABLE gate_message_failures (
  bot_id    bigint PRIMARY KEY REFERENCES bots,
  reason    text NOT NULL CHECK (reason IN
    ('no_token', 'token_unreadable', 'token_refused', 'user_refused', 'message_refused', 'unreachable')),
  failed_at timestamptz NOT NULL
);
COMMENT ON TABLE gate_message_failures IS 'The last gate message of a bot that was not sent.';
COMMENT ON COLUMN gate_message_failures.failed_at IS
  'Written at most once a minute for the same reason: bots ask for every message of a user.';
