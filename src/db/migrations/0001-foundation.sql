-- Accounts, bots and their tokens, the ledger, orders, and the task flow.
--
-- Conventions: money is whole kopecks (bigint); every time is handed in by the service's clock, never now(), so that the
-- sandbox can move time; closed sets are text with a CHECK, so a new value is a migration and nothing else.
--
-- Lock order, the same in every transaction that writes several of them, each level sorted by its key:
--   rounds, offers, order_progress, counted_subscriptions, ledger_accounts.

-- ── People and bots ─────────────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE accounts (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  telegram_user_id bigint NOT NULL UNIQUE,
  name             text NOT NULL,
  created_at       timestamptz NOT NULL
);

CREATE TABLE bots (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id    bigint NOT NULL REFERENCES accounts,
  username      text NOT NULL,
  is_active     boolean NOT NULL DEFAULT true,
  max_sponsors  integer NOT NULL DEFAULT 5 CHECK (max_sponsors BETWEEN 1 AND 50),
  round_seconds integer NOT NULL DEFAULT 86400 CHECK (round_seconds BETWEEN 300 AND 259200),
  created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX bots_username ON bots (lower(username));
CREATE INDEX bots_account ON bots (account_id); -- "all bots of the token's owner"

CREATE TABLE api_tokens (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bot_id     bigint NOT NULL REFERENCES bots,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32), -- SHA-256; the token itself is nowhere
  scopes     text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX api_tokens_bot ON api_tokens (bot_id);

-- ── Ledger ──────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Owners are numbers without meaning here. What would be one hot "platform" row is one row per order (owner = order),
-- so that no row exists which every confirm must update.

CREATE TABLE ledger_accounts (
  kind            text NOT NULL CHECK (kind IN ('available', 'hold', 'escrow', 'platform', 'external')),
  owner_id        bigint NOT NULL,
  balance_kopecks bigint NOT NULL,
  PRIMARY KEY (kind, owner_id),
  -- Money set aside cannot be overdrawn. An available balance can: a reversal after a payout leaves a debt.
  CHECK (balance_kopecks >= 0 OR kind IN ('available', 'platform', 'external'))
) WITH (fillfactor = 50); -- rows are updated in place all day; free space keeps those updates off the index

CREATE TABLE ledger_transfers (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key             text NOT NULL UNIQUE, -- the natural key: what happened, so that it cannot happen twice
  from_kind       text NOT NULL,
  from_owner_id   bigint NOT NULL,
  to_kind         text NOT NULL,
  to_owner_id     bigint NOT NULL,
  amount_kopecks  bigint NOT NULL CHECK (amount_kopecks > 0),
  created_at      timestamptz NOT NULL,
  CHECK ((from_kind, from_owner_id) <> (to_kind, to_owner_id))
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: write a new row that corrects the old one', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- ── Orders ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- What users subscribe to. A user is counted once per resource, whoever advertises it and however often.
CREATE TABLE resources (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type                text NOT NULL CHECK (type IN ('channel', 'bot')),
  chat_id             bigint NOT NULL UNIQUE,
  bot_token_encrypted bytea, -- for a bot whose subscribers we check with its own token
  created_at          timestamptz NOT NULL
);

CREATE TABLE orders (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  resource_id    bigint NOT NULL REFERENCES resources,
  name           text NOT NULL,
  title          text NOT NULL,
  link           text NOT NULL,
  status         text NOT NULL CHECK (status IN ('moderation', 'active', 'paused', 'completed', 'cancelled', 'rejected')),
  pause_reason   text CHECK (pause_reason IN ('owner', 'access_lost')),
  price_kopecks  bigint NOT NULL CHECK (price_kopecks > 0),
  charge_kopecks bigint NOT NULL CHECK (charge_kopecks >= price_kopecks), -- price × coefficients of the filters
  reward_kopecks bigint NOT NULL CHECK (reward_kopecks BETWEEN 0 AND price_kopecks),
  quantity       integer NOT NULL CHECK (quantity > 0),
  hold_seconds   integer NOT NULL CHECK (hold_seconds >= 0),
  refund         boolean NOT NULL,
  daily_limit    integer CHECK (daily_limit > 0),
  created_at     timestamptz NOT NULL,
  closed_at      timestamptz,
  CHECK ((status = 'paused') = (pause_reason IS NOT NULL))
);
CREATE INDEX orders_account ON orders (account_id);
CREATE INDEX orders_resource ON orders (resource_id);
CREATE INDEX orders_active ON orders (id) WHERE status = 'active'; -- the order book loads these at start

-- The hot counters of an order, apart from its wide row. Reserved = promised to open offers and not spent otherwise.
CREATE TABLE order_progress (
  order_id         bigint PRIMARY KEY REFERENCES orders,
  reserved_count   integer NOT NULL DEFAULT 0 CHECK (reserved_count >= 0),
  reserved_kopecks bigint NOT NULL DEFAULT 0 CHECK (reserved_kopecks >= 0),
  counted_count    integer NOT NULL DEFAULT 0 CHECK (counted_count >= 0),     -- counted and not reversed with refund
  unsettled_count  integer NOT NULL DEFAULT 0 CHECK (unsettled_count >= 0),   -- of those, still reversible
  shown_total      integer NOT NULL DEFAULT 0,
  confirmed_total  integer NOT NULL DEFAULT 0,
  counted_day      date,                                                      -- the business day of counted_today
  counted_today    integer NOT NULL DEFAULT 0,
  refunds          integer NOT NULL DEFAULT 0                                 -- numbers the refunds of a closed order
) WITH (fillfactor = 50);

-- ── Task flow ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- user_id leads every key: it is the key by which these tables are partitioned when they outgrow one machine.

CREATE TABLE rounds (
  user_id   bigint NOT NULL,
  bot_id    bigint NOT NULL,
  number    integer NOT NULL,
  requested integer NOT NULL, -- the largest max_sponsors asked for in this round
  ends_at   timestamptz NOT NULL,
  PRIMARY KEY (user_id, bot_id)
) WITH (fillfactor = 80);

CREATE TABLE offers (
  user_id        bigint NOT NULL,
  bot_id         bigint NOT NULL,
  order_id       bigint NOT NULL,
  account_id     bigint NOT NULL, -- the publisher: owner of the bot
  resource_id    bigint NOT NULL,
  round          integer NOT NULL, -- 0 = an extra task beyond the rounds
  position       integer NOT NULL,
  state          text NOT NULL CHECK (state IN ('offered', 'expired', 'held', 'paid', 'settled', 'reversed', 'notgetted')),
  charge_kopecks bigint NOT NULL,
  reward_kopecks bigint NOT NULL,
  hold_seconds   integer NOT NULL,
  refund         boolean NOT NULL,
  offered_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  confirmed_at   timestamptz, -- when a confirm decided: counted or notgetted
  release_at     timestamptz, -- when the reward leaves hold
  window_ends_at timestamptz, -- until when leaving takes the reward back
  next_check_at  timestamptz, -- when the worker looks at it next
  PRIMARY KEY (user_id, bot_id, order_id)
) WITH (fillfactor = 70);
CREATE INDEX offers_to_expire ON offers (expires_at) WHERE state = 'offered';
CREATE INDEX offers_to_check ON offers (next_check_at) WHERE state IN ('held', 'paid');
CREATE INDEX offers_of_bot ON offers (bot_id, confirmed_at DESC) WHERE confirmed_at IS NOT NULL;    -- /statistic bots
CREATE INDEX offers_of_order ON offers (order_id, confirmed_at DESC) WHERE confirmed_at IS NOT NULL; -- /statistic ads

-- One credit per (user, resource) for ever: the row that decides every race between two confirms.
CREATE TABLE counted_subscriptions (
  user_id     bigint NOT NULL,
  resource_id bigint NOT NULL,
  bot_id      bigint NOT NULL,
  order_id    bigint NOT NULL,
  counted_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, resource_id)
);

-- What statistics read, written with the facts themselves so that it always agrees with the ledger.
CREATE TABLE daily_totals (
  day                      date NOT NULL,
  bot_id                   bigint NOT NULL,
  order_id                 bigint NOT NULL,
  counted                  integer NOT NULL DEFAULT 0,
  charge_kopecks           bigint NOT NULL DEFAULT 0,
  reward_kopecks           bigint NOT NULL DEFAULT 0,
  reversed                 integer NOT NULL DEFAULT 0,
  returned_charge_kopecks  bigint NOT NULL DEFAULT 0,
  reversed_reward_kopecks  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (bot_id, order_id, day)
) WITH (fillfactor = 70);
CREATE INDEX daily_totals_order ON daily_totals (order_id);

-- ── Audience ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- What Telegram told us about who belongs where. The chat is Telegram's id, for a bot the bot's own id.
CREATE TABLE memberships (
  user_id         bigint NOT NULL,
  chat_id         bigint NOT NULL,
  is_member       boolean NOT NULL,
  first_member_at timestamptz, -- the earliest time at which the user is known to have been a member
  source          text NOT NULL CHECK (source IN ('update', 'check')),
  observed_at     timestamptz NOT NULL,
  PRIMARY KEY (user_id, chat_id)
);

CREATE TABLE banned_users (
  user_id   bigint PRIMARY KEY,
  reason    text NOT NULL,
  banned_at timestamptz NOT NULL
);

-- What was learned about a user beyond what bots send, one row a field, each with its source and time.
CREATE TABLE audience_values (
  user_id    bigint NOT NULL,
  field      text NOT NULL,
  value      jsonb NOT NULL,
  source     text NOT NULL CHECK (source IN ('smart_link', 'mini_app', 'bot_api')),
  learned_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, field)
);
