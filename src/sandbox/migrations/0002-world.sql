-- The sandbox's clock, whether its demo data is complete, and the secret key where the settings give none, so that all
-- processes of the sandbox agree on it. One row.
CREATE TABLE sandbox.world (
  id              integer PRIMARY KEY CHECK (id = 1),
  clock_offset_ms bigint NOT NULL DEFAULT 0 CHECK (clock_offset_ms >= 0), -- the clock only goes forward
  is_seeded       boolean NOT NULL DEFAULT false,
  secret_key      text NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
INSERT INTO sandbox.world (id) VALUES (1);

-- Empties every table of the service, present and future ones, for POST /sandbox/reset. Numbers start again, so the
-- demo data has the same ids, and the same tokens, each time.
CREATE FUNCTION sandbox.empty_service_tables() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  names text;
BEGIN
  SELECT string_agg(format('public.%I', tablename), ', ') INTO names
  FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations';
  EXECUTE 'TRUNCATE ' || names || ' RESTART IDENTITY CASCADE';
END $$;
