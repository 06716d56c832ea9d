-- Payouts, deposits, and credits and debits by operators. Lock order: a row of these tables before ledger_accounts.

CREATE TABLE payouts (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id        bigint NOT NULL REFERENCES accounts,
  request_key       text NOT NULL,
  amount_kopecks    bigint NOT NULL CHECK (amount_kopecks > 0),
  method            text NOT NULL CHECK (method IN ('manual', 'crypto-pay')),
  destination       text NOT NULL CHECK (length(destination) BETWEEN 1 AND 256),
  status            text NOT NULL CHECK (status IN ('requested', 'approved', 'sending', 'sent', 'rejected', 'failed')),
  reason            text,
  reference         text,
  spend_id          text NOT NULL UNIQUE CHECK (length(spend_id) BETWEEN 16 AND 64),
  asset             text,
  asset_rate        text,
  asset_amount      text,
  attempts          integer NOT NULL DEFAULT 0,
  unconfirmed_since timestamptz,
  next_attempt_at   timestamptz,
  last_error        text,
  decided_by        bigint,
  frozen_at         timestamptz,
  freeze_reason     text,
  created_at        timestamptz NOT NULL,
  decided_at        timestamptz,
  closed_at         timestamptz,
  UNIQUE (account_id, request_key),
  CHECK ((status = 'sending') = (unconfirmed_since IS NOT NULL)),
  CHECK (status <> 'sending' OR (method = 'crypto-pay' AND asset_amount IS NOT NULL AND next_attempt_at IS NOT NULL)),
  CHECK ((status IN ('sent', 'rejected', 'failed')) = (closed_at IS NOT NULL)),
  CHECK ((status = 'sent') = (reference IS NOT NULL)),
  CHECK ((status IN ('rejected', 'failed')) = (reason IS NOT NULL)),
  CONSTRAINT payouts_freeze_check CHECK ((frozen_at IS NULL) = (freeze_reason IS NULL))
);
COMMENT ON TABLE payouts IS
  'Money that leaves the service. It waits in the ledger account payout:<id>, which cannot be negative, so it leaves once.';
COMMENT ON COLUMN payouts.request_key IS 'Names the request, so that a repeated request creates one payout.';
COMMENT ON COLUMN payouts.reason IS 'Why it was rejected or failed.';
COMMENT ON COLUMN payouts.reference IS 'Proves that it was sent.';
COMMENT ON COLUMN payouts.spend_id IS
  'The provider recognises a repeated transfer by it. Random and not the id: the provider stores spend ids for ever, and a '
  'new database starts its ids at one again.';
COMMENT ON COLUMN payouts.asset IS 'The currency that is sent. Fixed before the first call of the provider, with rate and amount.';
COMMENT ON COLUMN payouts.asset_rate IS 'Rubles for one unit of the asset.';
COMMENT ON COLUMN payouts.unconfirmed_since IS
  'Since when it is unknown whether the provider accepted the transfer. While set, the money stays reserved.';
COMMENT ON COLUMN payouts.decided_by IS 'The operator''s Telegram id.';
COMMENT ON COLUMN payouts.frozen_at IS 'While set, the payout is neither approved nor sent; it can be rejected.';
CREATE INDEX payouts_account ON payouts (account_id, created_at DESC, id DESC); -- GET /payouts, page by page
CREATE INDEX payouts_to_send ON payouts (next_attempt_at, id) WHERE status IN ('approved', 'sending'); -- the job
CREATE INDEX payouts_to_decide ON payouts (id) WHERE status = 'requested';      -- the operators' queue
CREATE INDEX payouts_sent ON payouts (closed_at) WHERE status = 'sent';         -- platform statistics of a day
CREATE INDEX payouts_destination ON payouts (method, lower(destination));       -- connected_accounts

CREATE TABLE deposit_invoices (
  invoice_id     bigint PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  url            text NOT NULL,
  status         text NOT NULL CHECK (status IN ('pending', 'paid', 'expired')),
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  paid_at        timestamptz,
  CHECK ((status = 'paid') = (paid_at IS NOT NULL))
);
COMMENT ON TABLE deposit_invoices IS 'Invoices of Crypto Pay.';
COMMENT ON COLUMN deposit_invoices.invoice_id IS 'The number of the invoice at Crypto Pay.';
CREATE INDEX deposit_invoices_account ON deposit_invoices (account_id, invoice_id DESC); -- the list of an owner
CREATE INDEX deposit_invoices_pending ON deposit_invoices (invoice_id) WHERE status = 'pending'; -- the job that checks them

CREATE TABLE deposit_requests (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  request_key    text NOT NULL,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  status         text NOT NULL CHECK (status IN ('open', 'credited', 'declined')),
  created_at     timestamptz NOT NULL,
  closed_at      timestamptz,
  UNIQUE (account_id, request_key),
  CHECK ((status = 'open') = (closed_at IS NULL))
);
COMMENT ON TABLE deposit_requests IS 'Deposits through an operator, where no payment provider is set up.';
COMMENT ON COLUMN deposit_requests.request_key IS 'Names the request, so that a repeated request creates one row.';
CREATE INDEX deposit_requests_open ON deposit_requests (id) WHERE status = 'open';            -- the operators' queue
CREATE INDEX deposit_requests_open_of ON deposit_requests (account_id) WHERE status = 'open'; -- the limit per account

CREATE TABLE operator_credits (
  key            text PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  note           text NOT NULL,
  operator_id    bigint,
  created_at     timestamptz NOT NULL
);
COMMENT ON TABLE operator_credits IS 'Money that an operator credited to an account.';
COMMENT ON COLUMN operator_credits.key IS 'Names the payment that the operator received, so that it is credited once.';
COMMENT ON COLUMN operator_credits.operator_id IS 'The operator''s Telegram id. NULL: the command line.';
CREATE INDEX operator_credits_account ON operator_credits (account_id); -- the history of an account

CREATE TABLE operator_debits (
  key            text PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  reason         text NOT NULL,
  operator_id    bigint NOT NULL,
  created_at     timestamptz NOT NULL
);
COMMENT ON TABLE operator_debits IS 'Money that an operator took from an account (decision 0072).';
COMMENT ON COLUMN operator_debits.key IS 'Names the request, so that a repeated request debits once.';

CREATE VIEW connected_accounts AS
  SELECT a.account_id, b.account_id AS other_id
  FROM orders a JOIN orders b USING (resource_id)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT a.account_id, b.account_id
  FROM payouts a JOIN payouts b ON b.method = a.method AND lower(b.destination) = lower(a.destination)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT o.account_id, b.account_id
  FROM orders o JOIN bots b ON lower(b.username) = substring(split_part(lower(o.link), '?', 1) FROM '^https://t\.me/(\w+)$')
  WHERE o.account_id <> b.account_id
  UNION
  SELECT b.account_id, o.account_id
  FROM orders o JOIN bots b ON lower(b.username) = substring(split_part(lower(o.link), '?', 1) FROM '^https://t\.me/(\w+)$')
  WHERE o.account_id <> b.account_id;
COMMENT ON VIEW connected_accounts IS
  'Pairs of accounts that appear to share an owner: both advertised the same resource, both requested payouts to the same '
  'destination, or one advertised a bot of the other. Operators see them before they approve a payout, and contests do not '
  'count subscriptions between them.';
