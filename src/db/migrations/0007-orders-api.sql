-- What the order endpoints need: figures of an order in its own row, and answers kept for repeated requests.

ALTER TABLE order_progress
  ADD COLUMN reversed_total integer NOT NULL DEFAULT 0,
  ADD COLUMN spent_kopecks  bigint NOT NULL DEFAULT 0; -- charged, less what reversals gave back

-- The answer to a request that carried an Idempotency-Key, written in the transaction of what the request did.
CREATE TABLE idempotency_keys (
  account_id   bigint NOT NULL REFERENCES accounts,
  key          text NOT NULL,
  request_hash bytea NOT NULL,
  answer       jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at); -- old ones are pruned

-- Bots whose subscribers only their advertiser can see: a task waits in `pending` until the advertiser's side answers.
ALTER TABLE offers DROP CONSTRAINT offers_state_check;
ALTER TABLE offers ADD CONSTRAINT offers_state_check
  CHECK (state IN ('offered', 'expired', 'pending', 'held', 'paid', 'settled', 'reversed', 'notgetted'));
DROP INDEX offers_to_check;
CREATE INDEX offers_to_check ON offers (next_check_at) WHERE state IN ('pending', 'held', 'paid');

-- Telegram does not tell us the id of a bot without its token. Such a resource is known by its name, and gets an id far
-- outside the range that Telegram uses.
ALTER TABLE resources ADD COLUMN external_username text UNIQUE;
CREATE SEQUENCE external_chat_ids AS bigint INCREMENT -1 START -9000000000000001 MINVALUE -9007199254740991 MAXVALUE -9000000000000000;
