-- What forgetting needs. What is forgotten when, and what never, stands in docs/retention.md.
--
-- Nothing here is written by a confirm or by get-sponsors, and neither pays for an index of ours. Old rows are found by
-- indexes that exist:
--   offers, daily_shown      order by order (offers_of_order, daily_shown_of_order): the old end of each order's range
--   link_clicks              link by link (its primary key)
--   idempotency_keys         by idempotency_keys_age
--   bot_dialogues            by its primary key, page by page: there are no more of them than people with an account
--   memberships, task_lists  by their primary keys, page by page and a stretch an hour (walks)
--   ledger_transfers         by its primary key, from the lowest number (ledger_folding)
-- A BRIN index on a time would be small, but the ranges of a table from which old rows go are filled again with new ones, and
-- keep their old beginnings: after some time it would name every range.

-- ── Transfers are folded ────────────────────────────────────────────────────────────────────────────────────────────
-- Decision 0040. What old transfers moved is carried as one sum an account: its balance is that and what the transfers
-- that are left add up to.

CREATE TABLE ledger_carried (
  kind           text NOT NULL,
  owner_id       bigint NOT NULL,
  amount_kopecks bigint NOT NULL,                       -- what came to the account, less what left it
  transfers      bigint NOT NULL CHECK (transfers > 0), -- how many touched it
  last_at        timestamptz NOT NULL,                  -- the time of the latest of them
  PRIMARY KEY (kind, owner_id)
) WITH (fillfactor = 70);

-- How far folding has come: no transfer up to this number is left. One row, made when it is first needed. Whoever holds it
-- folds; the others have nothing to do.
CREATE TABLE ledger_folding (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  passed_id bigint NOT NULL DEFAULT 0
);

-- Both tables refuse every change but that of fold_transfers, which sets the setting for its DELETE only.
CREATE FUNCTION refuse_unless_folding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('sponsorgate.is_folding', true) = 'yes' AND (TG_OP = 'DELETE') = (TG_TABLE_NAME = 'ledger_transfers') THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only: write a new row that corrects the old one', TG_TABLE_NAME;
END $$;
CREATE OR REPLACE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_folding();
CREATE TRIGGER ledger_carried_append_only BEFORE UPDATE OR DELETE ON ledger_carried
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unless_folding();

-- The deletion itself carries what it deletes, so that there is no way to do the one without the other.
CREATE FUNCTION carry_folded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_carried AS c (kind, owner_id, amount_kopecks, transfers, last_at)
  SELECT kind, owner_id, sum(amount), count(*), max(created_at)
  FROM (SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount, created_at FROM folded
        UNION ALL
        SELECT to_kind, to_owner_id, amount_kopecks, created_at FROM folded) AS legs
  GROUP BY kind, owner_id ORDER BY kind, owner_id
  ON CONFLICT (kind, owner_id) DO UPDATE SET
    amount_kopecks = c.amount_kopecks + excluded.amount_kopecks,
    transfers = c.transfers + excluded.transfers,
    last_at = greatest(c.last_at, excluded.last_at);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transfers_folded AFTER DELETE ON ledger_transfers REFERENCING OLD TABLE AS folded
  FOR EACH STATEMENT EXECUTE FUNCTION carry_folded();

-- Folds those of the next `at_most` transfers that are older; answers how many. Numbers and times rise together but for
-- moments, so the first transfer that is too young is about where the old ones end: it is where the next call begins. A transfer
-- that commits behind that place (in a sandbox whose clock jumps) is never folded, and counts where it is.
CREATE FUNCTION fold_transfers(older_than timestamptz, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  begin_id bigint;
  last_id  bigint;
  kept_id  bigint;
  folded   integer;
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_folding) THEN -- asked first: an insert would wait for whoever holds the row
    INSERT INTO ledger_folding DEFAULT VALUES ON CONFLICT DO NOTHING;
  END IF;
  SELECT passed_id INTO begin_id FROM ledger_folding FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF; -- somebody else folds

  SELECT max(id), min(id) FILTER (WHERE created_at >= older_than) INTO last_id, kept_id
  FROM (SELECT id, created_at FROM ledger_transfers WHERE id > begin_id ORDER BY id LIMIT at_most) AS next;
  IF last_id IS NULL THEN RETURN 0; END IF;

  DELETE FROM ledger_transfers WHERE id > begin_id AND id <= last_id AND created_at < older_than;
  GET DIAGNOSTICS folded = ROW_COUNT;
  UPDATE ledger_folding SET passed_id = coalesce(kept_id - 1, last_id)
  WHERE passed_id < coalesce(kept_id - 1, last_id);
  RETURN folded;
END $$;

-- ── Clicks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

ALTER TABLE links ADD COLUMN earlier_clicks bigint NOT NULL DEFAULT 0; -- of days whose rows are no longer kept

-- ── Audience ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- What was learned counts for 90 days. The one index of this file: values are written when a profile is looked up, a few
-- dozen a second at the very most and never by a request for tasks, and those of one look-up share one entry's key.
CREATE INDEX audience_values_age ON audience_values (learned_at);

-- ── Walks ───────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Memberships and task lists have no index by time: it would cost every joining and every first call. Old ones are found
-- by walking over the table in the order of its key, which begins with the user, a stretch an hour. One row a walk, made
-- when it is first needed; whoever holds it walks.

CREATE TABLE walks (
  name        text PRIMARY KEY,
  user_id     bigint NOT NULL DEFAULT 0, -- the last row that was looked at,
  other_id    bigint NOT NULL DEFAULT 0, -- and the second part of its key
  rests_until timestamptz                -- after the last row of all it begins anew, but not at once
);
