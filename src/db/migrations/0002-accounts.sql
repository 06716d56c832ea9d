-- Accounts of publishers, advertisers and operators.

CREATE TABLE accounts (
  id                    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  telegram_user_id      bigint NOT NULL UNIQUE,
  name                  text NOT NULL,
  language              text CHECK (language IN ('ru', 'en')),
  telegram_language     text CHECK (telegram_language IN ('ru', 'en')),
  muted_notices         text[] NOT NULL DEFAULT '{}',
  banned_at             timestamptz,
  ban_reason            text,
  withdrawals_frozen_at timestamptz,
  freeze_reason         text,
  created_at            timestamptz NOT NULL,
  CHECK ((banned_at IS NULL) = (ban_reason IS NULL)),
  CONSTRAINT accounts_freeze_check CHECK ((withdrawals_frozen_at IS NULL) = (freeze_reason IS NULL))
);
COMMENT ON TABLE accounts IS 'The account of a publisher, advertiser or operator.';
COMMENT ON COLUMN accounts.language IS 'The language that the owner chose. NULL: telegram_language applies.';
COMMENT ON COLUMN accounts.telegram_language IS 'The language of the owner''s Telegram at the last update.';
COMMENT ON COLUMN accounts.muted_notices IS 'The kinds of notices that the owner switched off.';
COMMENT ON COLUMN accounts.withdrawals_frozen_at IS 'While set, no payout is requested, approved or sent (decision 0072).';

CREATE TABLE idempotency_keys (
  account_id   bigint NOT NULL REFERENCES accounts,
  key          text NOT NULL,
  request_hash bytea NOT NULL,
  answer       jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
COMMENT ON TABLE idempotency_keys IS
  'Responses to requests with an Idempotency-Key, stored in the transaction of the request.';
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at); -- the job that deletes old keys
