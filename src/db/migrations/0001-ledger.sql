-- The ledger: balances, transfers and folded transfers.
--
-- Conventions of all files:
--   * Money is whole kopecks (bigint).
--   * The service passes every time, so that the sandbox can move its clock. Leases use the database's clock, and a
--     comment says so.
--   * Closed sets are text with a CHECK.
--   * docs/architecture.md lists the order in which transactions lock rows.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: write a new row that corrects the old one', TG_TABLE_NAME;
END $$;

CREATE TABLE ledger_accounts (
  kind            text NOT NULL CHECK (kind IN ('available', 'hold', 'escrow', 'payout', 'platform', 'external')),
  owner_id        bigint NOT NULL,
  balance_kopecks bigint NOT NULL,
  PRIMARY KEY (kind, owner_id),
  -- Reserved money cannot be overdrawn. An available balance can: a reversal after a payout leaves a debt.
  CHECK (balance_kopecks >= 0 OR kind IN ('available', 'platform', 'external'))
) WITH (fillfactor = 50); -- free space lets frequent updates stay on the page and off the index
COMMENT ON TABLE ledger_accounts IS 'The balance of every ledger account. All balances add up to zero.';
COMMENT ON COLUMN ledger_accounts.owner_id IS
  'An account (available, hold, external), an order (escrow, platform) or a payout (payout). The platform has one row per '
  'order, because every confirm would have to update a single row.';

CREATE TABLE ledger_transfers (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind           text NOT NULL CHECK (kind IN (
    'deposit', 'order_funded', 'order_topped_up', 'order_refunded', 'reward_held', 'reward_paid', 'reward_released',
    'reward_reversed', 'payout_requested', 'payout_returned', 'contest_prize', 'debited', 'margin_charged',
    'margin_returned', 'payout_sent')),
  key            text NOT NULL UNIQUE,
  from_kind      text NOT NULL,
  from_owner_id  bigint NOT NULL,
  to_kind        text NOT NULL,
  to_owner_id    bigint NOT NULL,
  amount_kopecks bigint NOT NULL CHECK (amount_kopecks > 0),
  created_at     timestamptz NOT NULL,
  order_id       bigint, -- this and the next columns: the rows that the transfer was created for
  bot_id         bigint,
  user_id        bigint,
  payout_id      bigint,
  contest_id     bigint,
  place          integer,
  CHECK ((from_kind, from_owner_id) <> (to_kind, to_owner_id))
);
COMMENT ON TABLE ledger_transfers IS 'Money moved between two ledger accounts. Append-only; old rows are folded.';
COMMENT ON COLUMN ledger_transfers.kind IS 'Why the money moved. src/modules/ledger/transfer.ts creates every kind.';
COMMENT ON COLUMN ledger_transfers.user_id IS 'With bot_id and order_id: the task of a reward or a margin.';
COMMENT ON COLUMN ledger_transfers.place IS 'The place in the contest.';
COMMENT ON COLUMN ledger_transfers.key IS 'Names the business fact, so that a fact moves money once.';

-- The history of an owner, newest first. Both kinds belong to accounts, so one range of one index has them in order. A
-- transfer between an owner's two accounts (a release from hold) is in the second index only, so that it is read once.
-- Margins and transfers to payouts are in neither. A confirm, a release and a reversal add one entry each.
CREATE INDEX ledger_transfers_from_owner ON ledger_transfers (from_owner_id, id)
  WHERE from_kind IN ('available', 'hold')
    AND (to_kind NOT IN ('available', 'hold') OR to_owner_id <> from_owner_id);
CREATE INDEX ledger_transfers_to_owner ON ledger_transfers (to_owner_id, id)
  WHERE to_kind IN ('available', 'hold');

-- ── Folding (decision 0040) ─────────────────────────────────────────────────────────────────────────────────────────
-- Old transfers are deleted and added to one sum per ledger account. A balance is that sum plus the transfers that are left.

CREATE TABLE ledger_folded_sums (
  kind           text NOT NULL,
  owner_id       bigint NOT NULL,
  amount_kopecks bigint NOT NULL,
  transfers      bigint NOT NULL CHECK (transfers > 0),
  last_at        timestamptz NOT NULL,
  PRIMARY KEY (kind, owner_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE ledger_folded_sums IS 'The sum of the folded transfers of each ledger account.';
COMMENT ON COLUMN ledger_folded_sums.amount_kopecks IS 'Received minus sent.';
COMMENT ON COLUMN ledger_folded_sums.transfers IS 'The number of folded transfers.';
COMMENT ON COLUMN ledger_folded_sums.last_at IS 'The time of the latest folded transfer.';

CREATE TABLE ledger_fold_cursor (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_id  bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE ledger_fold_cursor IS
  'One row, inserted at the first use. Its lock lets one process fold at a time. Transfers up to last_id are folded.';

-- Both tables reject every change except that of fold_transfers, which sets the setting for its DELETE.
CREATE FUNCTION refuse_unless_folding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('sponsorgate.is_folding', true) = 'yes' AND (TG_OP = 'DELETE') = (TG_TABLE_NAME = 'ledger_transfers') THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only: write a new row that corrects the old one', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_folding();
CREATE TRIGGER ledger_folded_sums_append_only BEFORE UPDATE OR DELETE ON ledger_folded_sums
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_folding();

-- A trigger adds the deleted transfers to the sums, so that no DELETE can lose money.
CREATE FUNCTION add_to_folded_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_folded_sums AS s (kind, owner_id, amount_kopecks, transfers, last_at)
  SELECT kind, owner_id, sum(amount), count(*), max(created_at)
  FROM (SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount, created_at FROM folded
        UNION ALL
        SELECT to_kind, to_owner_id, amount_kopecks, created_at FROM folded) AS sides
  GROUP BY kind, owner_id ORDER BY kind, owner_id
  ON CONFLICT (kind, owner_id) DO UPDATE SET
    amount_kopecks = s.amount_kopecks + excluded.amount_kopecks,
    transfers = s.transfers + excluded.transfers,
    last_at = greatest(s.last_at, excluded.last_at);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transfers_folded AFTER DELETE ON ledger_transfers REFERENCING OLD TABLE AS folded
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_folded_sums();

-- Folds the old ones of the next `at_most` transfers and returns their number. Ids and times rise together except for
-- short moments, so the next call starts at the first transfer that is too young. A transfer that commits behind that id,
-- in a sandbox whose clock jumps, is never folded and still counts.
--
-- The setting is set inside the function and not in a SET clause: only a superuser may store a setting with an unknown
-- prefix in a function (decision 0046). A DELETE that fails rolls the setting back with its transaction or savepoint.
CREATE FUNCTION fold_transfers(older_than timestamptz, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  begin_id bigint;
  end_id   bigint;
  young_id bigint;
  folded   integer;
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_fold_cursor) THEN -- an INSERT would wait for the process that holds the row
    INSERT INTO ledger_fold_cursor DEFAULT VALUES ON CONFLICT DO NOTHING;
  END IF;
  SELECT last_id INTO begin_id FROM ledger_fold_cursor FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF; -- another process folds

  SELECT max(id), min(id) FILTER (WHERE created_at >= older_than) INTO end_id, young_id
  FROM (SELECT id, created_at FROM ledger_transfers WHERE id > begin_id ORDER BY id LIMIT at_most) AS next;
  IF end_id IS NULL THEN RETURN 0; END IF;

  PERFORM set_config('sponsorgate.is_folding', 'yes', true);
  DELETE FROM ledger_transfers WHERE id > begin_id AND id <= end_id AND created_at < older_than;
  GET DIAGNOSTICS folded = ROW_COUNT;
  PERFORM set_config('sponsorgate.is_folding', '', true);
  UPDATE ledger_fold_cursor SET last_id = coalesce(young_id - 1, end_id)
  WHERE last_id < coalesce(young_id - 1, end_id);
  RETURN folded;
END $$;
