-- Resources and orders.

CREATE TABLE resources (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type                text NOT NULL CHECK (type IN ('channel', 'bot')),
  chat_id             bigint NOT NULL UNIQUE,
  bot_token_encrypted bytea,
  external_username   text UNIQUE,
  created_at          timestamptz NOT NULL
);
COMMENT ON TABLE resources IS
  'The channel, group or bot behind orders. A user is counted once per resource, whatever order advertises it.';
COMMENT ON COLUMN resources.bot_token_encrypted IS 'The token with which the service checks the subscribers of a bot.';
COMMENT ON COLUMN resources.external_username IS
  'The name of a bot whose token the service does not have. Telegram does not tell its id, so chat_id comes from external_chat_ids.';

-- Far outside the range of Telegram's ids.
CREATE SEQUENCE external_chat_ids AS bigint INCREMENT -1 START -9000000000000001 MINVALUE -9007199254740991 MAXVALUE -9000000000000000;

CREATE TABLE resource_chats (
  resource_id bigint PRIMARY KEY REFERENCES resources,
  title       text,
  username    text,
  members     integer,
  checked_at  timestamptz NOT NULL
);
COMMENT ON TABLE resource_chats IS
  'The chat behind a resource as Telegram last described it. A job reads it daily, because names and links can change '
  'hands; operators see it beside the order.';
COMMENT ON COLUMN resource_chats.title IS 'NULL: Telegram did not let the bot read the chat.';

CREATE TABLE bot_owners (
  account_id bigint NOT NULL REFERENCES accounts,
  username   text NOT NULL,
  proved_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, username)
);
COMMENT ON TABLE bot_owners IS
  'Accounts that proved to own a bot without giving its token (decision 0054). Only they may order subscribers for it.';
COMMENT ON COLUMN bot_owners.username IS 'In lower case.';

CREATE TABLE orders (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id       bigint NOT NULL REFERENCES accounts,
  resource_id      bigint NOT NULL REFERENCES resources,
  name             text NOT NULL,
  title            text NOT NULL,
  link             text NOT NULL,
  status           text NOT NULL
                   CHECK (status IN ('moderation', 'active', 'paused', 'completed', 'cancelled', 'rejected')),
  pause_reason     text CHECK (pause_reason IN ('owner', 'access_lost', 'removals', 'low_approval')),
  reject_reason    text,
  stopped_at       timestamptz,
  stop_reason      text,
  was_active       boolean NOT NULL DEFAULT false,
  price_kopecks    bigint NOT NULL CHECK (price_kopecks > 0),
  charge_kopecks   bigint NOT NULL CHECK (charge_kopecks >= price_kopecks),
  reward_kopecks   bigint NOT NULL CHECK (reward_kopecks BETWEEN 0 AND price_kopecks),
  quantity         integer NOT NULL CHECK (quantity > 0),
  hold_seconds     integer NOT NULL CHECK (hold_seconds >= 0),
  refund           boolean NOT NULL,
  daily_limit      integer CHECK (daily_limit > 0),
  filters          jsonb NOT NULL DEFAULT '{}',
  active_hours     integer[],
  pace_evenly      boolean NOT NULL DEFAULT false,
  excluded_bot_ids bigint[] NOT NULL DEFAULT '{}',
  created_at       timestamptz NOT NULL,
  closed_at        timestamptz,
  CHECK ((status = 'paused') = (pause_reason IS NOT NULL)),
  CHECK (reject_reason IS NULL OR status = 'rejected'),
  CONSTRAINT orders_stop_check CHECK ((stopped_at IS NULL) = (stop_reason IS NULL))
);
COMMENT ON TABLE orders IS 'A number of subscribers for one resource, bought by an advertiser.';
COMMENT ON COLUMN orders.name IS 'For the owner; users see title.';
COMMENT ON COLUMN orders.stopped_at IS
  'An operator''s stop (decision 0072). It applies on top of the status, so the owner cannot resume the order.';
COMMENT ON COLUMN orders.was_active IS 'Whether the order was active when it was stopped: lifting the stop activates it again.';
COMMENT ON COLUMN orders.charge_kopecks IS 'What the advertiser pays for one subscription: the price times the coefficients of the filters.';
COMMENT ON COLUMN orders.reward_kopecks IS 'What the publisher earns for one subscription.';
COMMENT ON COLUMN orders.refund IS 'Whether a reversal returns the charge to the escrow of the order.';
COMMENT ON COLUMN orders.active_hours IS 'Hours of the business day. NULL: all.';
COMMENT ON COLUMN orders.pace_evenly IS 'Spreads the daily limit over the day.';
CREATE INDEX orders_account ON orders (account_id);                                -- the orders of an owner
CREATE INDEX orders_resource ON orders (resource_id);                              -- all orders for one resource
CREATE INDEX orders_active ON orders (id) WHERE status = 'active';                 -- the order book
CREATE INDEX orders_in_moderation ON orders (id) WHERE status = 'moderation';      -- the operators' queue
CREATE INDEX orders_access_lost ON orders (id) WHERE pause_reason = 'access_lost'; -- every get-sponsors reads these few

CREATE TABLE order_progress (
  order_id         bigint PRIMARY KEY REFERENCES orders,
  reserved_count   integer NOT NULL DEFAULT 0 CHECK (reserved_count >= 0),
  reserved_kopecks bigint NOT NULL DEFAULT 0 CHECK (reserved_kopecks >= 0),
  counted_count    integer NOT NULL DEFAULT 0 CHECK (counted_count >= 0),
  unsettled_count  integer NOT NULL DEFAULT 0 CHECK (unsettled_count >= 0),
  removed_count    integer NOT NULL DEFAULT 0,
  shown_total      integer NOT NULL DEFAULT 0,
  confirmed_total  integer NOT NULL DEFAULT 0,
  reversed_total   integer NOT NULL DEFAULT 0,
  approved_total   integer NOT NULL DEFAULT 0,
  declined_total   integer NOT NULL DEFAULT 0,
  spent_kopecks    bigint NOT NULL DEFAULT 0,
  counted_day      date,
  counted_today    integer NOT NULL DEFAULT 0,
  refunds          integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE order_progress IS
  'The counters of an order, apart from its wide row. The lock of this row is the lock of the order: its holder alone '
  'changes slots, status and escrow.';
COMMENT ON COLUMN order_progress.reserved_count IS 'Slots that open tasks keep.';
COMMENT ON COLUMN order_progress.counted_count IS 'Counted and not reversed with refund.';
COMMENT ON COLUMN order_progress.unsettled_count IS 'The part of counted_count that can still be reversed.';
COMMENT ON COLUMN order_progress.removed_count IS
  'Counted users whom the advertiser removed within the window, since the order last paused for it.';
COMMENT ON COLUMN order_progress.declined_total IS 'Refused by the advertiser''s side, or not answered within 72 hours.';
COMMENT ON COLUMN order_progress.spent_kopecks IS 'Charges minus refunds of reversals.';
COMMENT ON COLUMN order_progress.counted_day IS 'The business day of counted_today.';
COMMENT ON COLUMN order_progress.refunds IS 'The number of refunds of a closed order; part of the key of their transfers.';
