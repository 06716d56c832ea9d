-- Money that leaves and money that comes in: payouts, invoices of Crypto Pay, credits by an operator.
--
-- Lock order: a row of these tables comes before ledger_accounts.

-- A payout's money waits in an account of its own (`payout:<payout>`). The account cannot be negative, so the money of
-- one payout leaves it once, to the world outside or back to its owner, whatever the code above believes.
ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_kind_check;
ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_kind_check
  CHECK (kind IN ('available', 'hold', 'escrow', 'payout', 'platform', 'external'));

CREATE TABLE payouts (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id      bigint NOT NULL REFERENCES accounts,
  request_key     text NOT NULL, -- names the request, so that one sent twice asks once
  amount_kopecks  bigint NOT NULL CHECK (amount_kopecks > 0),
  method          text NOT NULL CHECK (method IN ('manual', 'crypto-pay')),
  destination     text NOT NULL CHECK (length(destination) BETWEEN 1 AND 256),
  status          text NOT NULL CHECK (status IN ('requested', 'approved', 'sending', 'sent', 'rejected', 'failed')),
  reason          text, -- why it was rejected or failed
  reference       text, -- what proves that it was sent
  -- How the provider tells a repeated transfer from a new one. Random, not the id: a spend id is spent for ever, and a
  -- database that is set up anew counts its ids from one.
  spend_id        text NOT NULL UNIQUE CHECK (length(spend_id) BETWEEN 16 AND 64),
  asset           text, -- what is sent, fixed before the provider is called and the same in every repeat
  asset_rate      text, -- rubles for one unit of it
  asset_amount    text,
  attempts        integer NOT NULL DEFAULT 0,
  -- Since when it is not known whether the provider has the money's order. While it is set the money stays.
  doubt_since     timestamptz,
  next_attempt_at timestamptz,
  last_error      text,
  decided_by      bigint, -- the operator's Telegram id
  created_at      timestamptz NOT NULL,
  decided_at      timestamptz,
  closed_at       timestamptz,
  UNIQUE (account_id, request_key),
  CHECK ((status = 'sending') = (doubt_since IS NOT NULL)),
  CHECK (status <> 'sending' OR (method = 'crypto-pay' AND asset_amount IS NOT NULL AND next_attempt_at IS NOT NULL)),
  CHECK ((status IN ('sent', 'rejected', 'failed')) = (closed_at IS NOT NULL)),
  CHECK ((status = 'sent') = (reference IS NOT NULL)),
  CHECK ((status IN ('rejected', 'failed')) = (reason IS NOT NULL))
);
CREATE INDEX payouts_account ON payouts (account_id, created_at DESC, id DESC); -- GET /payouts, page by page
CREATE INDEX payouts_to_send ON payouts (next_attempt_at, id) WHERE status IN ('approved', 'sending');
CREATE INDEX payouts_to_decide ON payouts (id) WHERE status = 'requested'; -- the operator's queue

CREATE TABLE deposit_invoices (
  invoice_id     bigint PRIMARY KEY, -- Crypto Pay's number
  account_id     bigint NOT NULL REFERENCES accounts,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  url            text NOT NULL,
  status         text NOT NULL CHECK (status IN ('pending', 'paid', 'expired')),
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  paid_at        timestamptz,
  CHECK ((status = 'paid') = (paid_at IS NOT NULL))
);
CREATE INDEX deposit_invoices_account ON deposit_invoices (account_id, invoice_id DESC);
CREATE INDEX deposit_invoices_pending ON deposit_invoices (invoice_id) WHERE status = 'pending'; -- to be asked about

CREATE TABLE operator_credits (
  key            text PRIMARY KEY, -- names the payment that the operator saw, so that it is credited once
  account_id     bigint NOT NULL REFERENCES accounts,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  note           text NOT NULL,
  operator_id    bigint, -- Telegram id; none when it came from the command line
  created_at     timestamptz NOT NULL
);
CREATE INDEX operator_credits_account ON operator_credits (account_id);
