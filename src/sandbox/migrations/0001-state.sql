-- The sandbox. Live mode never applies these files.
CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE sandbox.state (
  id              integer PRIMARY KEY CHECK (id = 1),
  clock_offset_ms bigint NOT NULL DEFAULT 0 CHECK (clock_offset_ms >= 0), -- the clock moves forward only
  is_seeded       boolean NOT NULL DEFAULT false,
  secret_key      text NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
COMMENT ON TABLE sandbox.state IS 'One row that all processes of the sandbox share.';
COMMENT ON COLUMN sandbox.state.clock_offset_ms IS 'How far the sandbox''s clock is ahead of the machine''s.';
COMMENT ON COLUMN sandbox.state.is_seeded IS 'Whether the demo data is complete.';
COMMENT ON COLUMN sandbox.state.secret_key IS 'Used when the settings have no SECRET_KEY.';
INSERT INTO sandbox.state (id) VALUES (1);

-- Empties all tables of the service, also those of later migrations, for POST /sandbox/reset. Ids restart, so the demo data
-- has the same ids and tokens after every reset.
CREATE FUNCTION sandbox.empty_service_tables() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  names text;
BEGIN
  SELECT string_agg(format('public.%I', tablename), ', ') INTO names
  FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations';
  EXECUTE 'TRUNCATE ' || names || ' RESTART IDENTITY CASCADE';
END $$;

CREATE TABLE sandbox.inbox (
  delivery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL,
  headers     jsonb NOT NULL,
  body        text NOT NULL,
  received_at timestamptz NOT NULL
);
COMMENT ON TABLE sandbox.inbox IS 'Requests that the webhook catcher received, the newest only.';
