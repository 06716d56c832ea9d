-- Events for webhooks: the outbox. A transaction records its events last, after all other locks.

CREATE TABLE event_counters (
  account_id    bigint PRIMARY KEY,
  last_sequence bigint NOT NULL CHECK (last_sequence > 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE event_counters IS
  'The number of an account''s last event. A transaction that records one holds this row until it commits, so the numbers '
  'have no gaps and follow the order of the commits.';

-- Without foreign keys: their checks would lock rows of accounts in every confirm, and accounts are never deleted.
CREATE TABLE events (
  id         uuid PRIMARY KEY,
  account_id bigint NOT NULL,
  sequence   bigint NOT NULL,
  type       text NOT NULL,
  data       json NOT NULL,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE events IS 'A fact that at least one webhook endpoint of the account subscribes to.';
COMMENT ON COLUMN events.id IS 'UUID version 7: its order is the order of creation.';
COMMENT ON COLUMN events.data IS 'json and not jsonb: deliveries send exactly these bytes.';
CREATE INDEX events_of_account ON events (account_id, id); -- replay
