-- What operators see and decide, and the record of what they decided.

-- ── Orders ──────────────────────────────────────────────────────────────────────────────────────────────────────────

ALTER TABLE orders
  ADD COLUMN reject_reason text, -- why an operator refused it, for its owner
  ADD CHECK (reject_reason IS NULL OR status = 'rejected');
CREATE INDEX orders_in_moderation ON orders (id) WHERE status = 'moderation'; -- the queue, and how long it is

-- ── Deposits ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Where no payment provider is set up, people ask an operator to take their money. Lock order: before ledger_accounts.

CREATE TABLE deposit_requests (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  request_key    text NOT NULL, -- names the request, so that one sent twice asks once
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  status         text NOT NULL CHECK (status IN ('open', 'credited', 'declined')),
  created_at     timestamptz NOT NULL,
  closed_at      timestamptz,
  UNIQUE (account_id, request_key),
  CHECK ((status = 'open') = (closed_at IS NULL))
);
CREATE INDEX deposit_requests_open ON deposit_requests (id) WHERE status = 'open';                -- the queue
CREATE INDEX deposit_requests_open_of ON deposit_requests (account_id) WHERE status = 'open';     -- how many one has

-- ── Broadcasts ──────────────────────────────────────────────────────────────────────────────────────────────────────
-- One sender at a time: whoever holds the lease. Each message sent moves `last_account_id` and the lease on, so a sender
-- that dies is followed by another, which repeats at most the one message whose sending was not written down.

ALTER TABLE broadcasts
  ADD COLUMN sender      text,                       -- who holds the lease
  ADD COLUMN lease_until timestamptz,
  ADD COLUMN not_before  timestamptz,                -- Telegram asked for patience, or was away
  ADD COLUMN attempts    integer NOT NULL DEFAULT 0; -- in vain, for the account after `last_account_id`

-- ── The record ──────────────────────────────────────────────────────────────────────────────────────────────────────
-- Every decision of an operator, written in the transaction of what it decided.

CREATE TABLE operator_actions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id bigint NOT NULL, -- Telegram id
  action      text NOT NULL,   -- order.approved
  subject     text NOT NULL,   -- order:7
  details     jsonb NOT NULL,
  at          timestamptz NOT NULL
);
CREATE INDEX operator_actions_subject ON operator_actions (subject, id DESC); -- what was decided about one thing
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE ON operator_actions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
