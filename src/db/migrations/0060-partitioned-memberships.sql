-- New installations have memberships in 16 partitions by the hash of user_id (decision 0225). A table with rows stays whole:
-- `sponsorgate partition-table memberships` splits it while the service works. Name, columns and key stay the same, so code
-- of the version before notices nothing.

DO $$
DECLARE
  meaning text := obj_description('memberships'::regclass, 'pg_class');
  part    text;
BEGIN
  LOCK TABLE memberships IN ACCESS EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM memberships) OR (SELECT relkind FROM pg_class WHERE oid = 'memberships'::regclass) = 'p' THEN
    RETURN;
  END IF;

  CREATE TABLE memberships_partitioned (LIKE memberships INCLUDING ALL) PARTITION BY HASH (user_id);
  DROP TABLE memberships;
  ALTER TABLE memberships_partitioned RENAME TO memberships;
  ALTER INDEX memberships_partitioned_pkey RENAME TO memberships_pkey;
  EXECUTE format('COMMENT ON TABLE memberships IS %L', meaning);
  FOR remainder IN 0..15 LOOP
    part := 'memberships_' || lpad(remainder::text, 2, '0');
    EXECUTE format('CREATE TABLE %I PARTITION OF memberships FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, remainder);
    EXECUTE format('COMMENT ON TABLE %I IS %L', part, 'A partition of memberships, by the hash of user_id.');
  END LOOP;
END $$;
