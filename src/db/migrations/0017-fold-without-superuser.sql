-- fold_transfers carried its setting in a SET clause. Only a superuser may store a setting of an unknown prefix with a
-- function, so the role that owns the database could neither create the function nor restore it from a dump. Now the
-- function sets it itself, around its DELETE. A DELETE that fails rolls the setting back with the transaction or savepoint.
-- 0016 had this clause until now; migrate.ts accepts both versions of that file.

CREATE OR REPLACE FUNCTION fold_transfers(older_than timestamptz, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
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

  PERFORM set_config('sponsorgate.is_folding', 'yes', true);
  DELETE FROM ledger_transfers WHERE id > begin_id AND id <= last_id AND created_at < older_than;
  GET DIAGNOSTICS folded = ROW_COUNT;
  PERFORM set_config('sponsorgate.is_folding', '', true);
  UPDATE ledger_folding SET passed_id = coalesce(kept_id - 1, last_id)
  WHERE passed_id < coalesce(kept_id - 1, last_id);
  RETURN folded;
END $$;
