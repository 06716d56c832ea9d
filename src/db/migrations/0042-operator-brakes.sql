-- What operators do when something looks wrong: freeze, debit, stop an order, take subscriptions back (decision 0072).

ALTER TABLE accounts
  ADD COLUMN withdrawals_frozen_at timestamptz, -- no payout is requested, approved or sent while it is set
  ADD COLUMN freeze_reason         text,
  ADD CONSTRAINT accounts_freeze_check CHECK ((withdrawals_frozen_at IS NULL) = (freeze_reason IS NULL));
ALTER TABLE payouts
  ADD COLUMN frozen_at     timestamptz, -- neither approved nor sent while it is set; it can be rejected
  ADD COLUMN freeze_reason text,
  ADD CONSTRAINT payouts_freeze_check CHECK ((frozen_at IS NULL) = (freeze_reason IS NULL));

-- An operator's stop lies over the order's own status: its owner cannot resume it, whatever the reason of the pause is.
ALTER TABLE orders
  ADD COLUMN stopped_at  timestamptz,
  ADD COLUMN stop_reason text,
  ADD COLUMN was_active  boolean NOT NULL DEFAULT false, -- when it was stopped: lifting the stop makes it active again
  ADD CONSTRAINT orders_stop_check CHECK ((stopped_at IS NULL) = (stop_reason IS NULL));

CREATE TABLE operator_debits (
  key            text PRIMARY KEY, -- names the request, so that one sent twice debits once
  account_id     bigint NOT NULL REFERENCES accounts,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  reason         text NOT NULL,
  operator_id    bigint NOT NULL,
  created_at     timestamptz NOT NULL
);

CREATE TABLE operator_reversals (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key            text NOT NULL UNIQUE, -- names the request, so that one sent twice reverses once
  bot_id         bigint,
  order_id       bigint,
  from_at        timestamptz NOT NULL, -- subscriptions counted from then on
  until_at       timestamptz NOT NULL, -- and before then
  reason         text NOT NULL,
  operator_id    bigint NOT NULL,
  count          integer NOT NULL,
  reward_kopecks bigint NOT NULL,
  created_at     timestamptz NOT NULL,
  CHECK (bot_id IS NOT NULL OR order_id IS NOT NULL)
);
