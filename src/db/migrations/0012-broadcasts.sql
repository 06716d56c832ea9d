-- Messages of operators to all accounts.

CREATE TABLE broadcasts (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  create_key      text NOT NULL UNIQUE,
  text_ru         text NOT NULL CHECK (length(text_ru) BETWEEN 1 AND 3000),
  text_en         text NOT NULL CHECK (length(text_en) BETWEEN 1 AND 3000),
  created_by      bigint NOT NULL,
  created_at      timestamptz NOT NULL,
  last_account_id bigint NOT NULL DEFAULT 0,
  total           integer NOT NULL,
  sent            integer NOT NULL DEFAULT 0,
  failed          integer NOT NULL DEFAULT 0,
  sender          text,
  lease_until     timestamptz,
  not_before      timestamptz,
  attempts        integer NOT NULL DEFAULT 0,
  finished_at     timestamptz,
  cancelled_at    timestamptz
);
COMMENT ON TABLE broadcasts IS
  'One sender at a time holds the lease. Each message moves last_account_id and the lease, so another process continues '
  'after a crash and repeats at most one message.';
COMMENT ON COLUMN broadcasts.create_key IS 'Names the request, so that a repeated request creates one broadcast.';
COMMENT ON COLUMN broadcasts.created_by IS 'The operator''s Telegram id.';
COMMENT ON COLUMN broadcasts.last_account_id IS 'Accounts up to this id have got the message.';
COMMENT ON COLUMN broadcasts.failed IS 'Accounts that blocked the bot.';
COMMENT ON COLUMN broadcasts.sender IS 'The process that holds the lease.';
COMMENT ON COLUMN broadcasts.not_before IS 'Telegram asked to wait, or was unavailable.';
COMMENT ON COLUMN broadcasts.attempts IS 'Failed attempts for the account after last_account_id.';
CREATE INDEX broadcasts_open ON broadcasts (id) WHERE finished_at IS NULL AND cancelled_at IS NULL; -- the job
