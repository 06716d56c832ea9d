-- Events (the outbox), who is told about them, and the queue of what is still to be told.
--
-- Lock order: event_counters come after everything that 0001 lists, because an event is recorded last in the transaction
-- of its fact. The queue: webhook_endpoints before webhook_deliveries.

-- The number of an account's last event. Updated in place by every transaction that records one, and held until it
-- commits: so the numbers have no gap, and their order is the order of the commits.
CREATE TABLE event_counters (
  account_id    bigint PRIMARY KEY,
  last_sequence bigint NOT NULL CHECK (last_sequence > 0)
) WITH (fillfactor = 50);

-- A fact that somebody asked to be told about. No foreign keys here and in the queue: their checks would lock rows of
-- accounts and endpoints in every confirm, and neither is ever deleted.
CREATE TABLE events (
  id         uuid PRIMARY KEY, -- version 7: begins with the time, so that age and order can be read off the key
  account_id bigint NOT NULL,
  sequence   bigint NOT NULL,
  type       text NOT NULL,
  data       json NOT NULL,    -- json and not jsonb: it goes out byte by byte as it was written
  created_at timestamptz NOT NULL
);
CREATE INDEX events_of_account ON events (account_id, id); -- replay

CREATE TABLE webhook_endpoints (
  id                        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id                bigint NOT NULL REFERENCES accounts,
  url                       text NOT NULL CHECK (length(url) <= 2048),
  events                    text[] NOT NULL CHECK (cardinality(events) > 0),
  secret_encrypted          bytea,
  previous_secret_encrypted bytea,
  previous_secret_until     timestamptz, -- until then both secrets sign
  is_enabled                boolean NOT NULL DEFAULT true,
  disabled_reason           text CHECK (disabled_reason IN ('gone', 'failing')),
  disabled_at               timestamptz,
  failing_since             timestamptz, -- the first failure after the last success
  notice_due_at             timestamptz, -- the owner is to be told that it was disabled; by the database's clock, see below
  created_at                timestamptz NOT NULL,
  deleted_at                timestamptz, -- the row stays for what is in flight; the secrets do not
  CHECK ((secret_encrypted IS NULL) = (deleted_at IS NOT NULL)),
  CHECK ((previous_secret_encrypted IS NULL) = (previous_secret_until IS NULL)),
  CHECK (is_enabled = (disabled_reason IS NULL))
);
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id) WHERE deleted_at IS NULL;
CREATE INDEX webhook_endpoints_notice ON webhook_endpoints (notice_due_at) WHERE notice_due_at IS NOT NULL;

-- One row for each endpoint that is to hear of an event. A lease runs by the database's clock, the one that all workers
-- share and nobody moves; everything else is by the service's.
CREATE TABLE webhook_deliveries (
  endpoint_id     bigint NOT NULL,
  event_id        uuid NOT NULL,
  state           text NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
  next_attempt_at timestamptz,
  lease_until     timestamptz,
  worker          uuid, -- who sends it, or did
  claims          integer NOT NULL DEFAULT 0, -- numbers the attempts; a worker whose lease was lost holds an old number
  failures        integer NOT NULL DEFAULT 0, -- in a row, since the event or its replay
  delivered_at    timestamptz,
  PRIMARY KEY (endpoint_id, event_id),
  CHECK ((state IN ('pending', 'sending')) = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sending') = (lease_until IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id, next_attempt_at, event_id)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (endpoint_id) WHERE state = 'sending';

CREATE TABLE webhook_attempts (
  endpoint_id  bigint NOT NULL,
  event_id     uuid NOT NULL,
  number       integer NOT NULL,
  attempted_at timestamptz NOT NULL,
  duration_ms  integer NOT NULL,
  status_code  integer,
  error        text,
  response     text, -- the beginning of what the receiver answered
  PRIMARY KEY (endpoint_id, event_id, number)
);
