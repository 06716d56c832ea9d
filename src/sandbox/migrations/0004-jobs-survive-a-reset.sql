-- A reset keeps the table of jobs. A running process adds its jobs only when it starts, so after a reset that emptied the
-- table no job ran until the next start.
CREATE OR REPLACE FUNCTION sandbox.empty_service_tables() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  names text;
BEGIN
  SELECT string_agg(format('public.%I', tablename), ', ') INTO names
  FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'jobs');
  EXECUTE 'TRUNCATE ' || names || ' RESTART IDENTITY CASCADE';
END $$;
