-- Notices to owners in the management bot: an outbox (decision 0035).

CREATE TABLE notices (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  kind       text NOT NULL,
  data       jsonb NOT NULL,
  due_at     timestamptz NOT NULL,
  attempts   integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE notices IS 'Notices that are not sent yet. Inserted in the transaction of the fact, deleted when sent.';
CREATE INDEX notices_due ON notices (due_at, id); -- the job
-- Reversals come in large numbers: one notice per account and hour counts them.
CREATE UNIQUE INDEX notices_digest ON notices (account_id, due_at) WHERE kind = 'subscriptions_reversed' AND attempts = 0;
