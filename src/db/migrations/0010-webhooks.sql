-- Webhook endpoints, their deliveries and attempts. Lock order: webhook_endpoints before webhook_deliveries.

CREATE TABLE webhook_endpoints (
  id                        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id                bigint NOT NULL REFERENCES accounts,
  url                       text NOT NULL CHECK (length(url) <= 2048),
  events                    text[] NOT NULL CHECK (cardinality(events) > 0),
  secret_encrypted          bytea,
  previous_secret_encrypted bytea,
  previous_secret_until     timestamptz,
  is_enabled                boolean NOT NULL DEFAULT true,
  disabled_reason           text CHECK (disabled_reason IN ('gone', 'failing')),
  disabled_at               timestamptz,
  failing_since             timestamptz,
  notice_due_at             timestamptz,
  created_at                timestamptz NOT NULL,
  deleted_at                timestamptz,
  CHECK ((secret_encrypted IS NULL) = (deleted_at IS NOT NULL)),
  CHECK ((previous_secret_encrypted IS NULL) = (previous_secret_until IS NULL)),
  CHECK (is_enabled = (disabled_reason IS NULL))
);
COMMENT ON TABLE webhook_endpoints IS
  'URLs that receive events. A deleted endpoint keeps its row for deliveries in progress, but not its secrets.';
COMMENT ON COLUMN webhook_endpoints.previous_secret_until IS 'Until then both secrets sign.';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'The first failure after the last success.';
COMMENT ON COLUMN webhook_endpoints.notice_due_at IS
  'When the owner is told that the endpoint was disabled; by the database''s clock.';
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id) WHERE deleted_at IS NULL; -- GET /webhooks
CREATE INDEX webhook_endpoints_notice ON webhook_endpoints (notice_due_at) WHERE notice_due_at IS NOT NULL; -- the job

-- Without foreign keys: their checks would lock rows of endpoints in every confirm, and endpoints keep their rows.
CREATE TABLE webhook_deliveries (
  endpoint_id     bigint NOT NULL,
  event_id        uuid NOT NULL,
  state           text NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
  next_attempt_at timestamptz,
  lease_until     timestamptz,
  worker          uuid,
  attempts        integer NOT NULL DEFAULT 0,
  failures        integer NOT NULL DEFAULT 0,
  delivered_at    timestamptz,
  PRIMARY KEY (endpoint_id, event_id),
  CHECK ((state IN ('pending', 'sending')) = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'sending') = (lease_until IS NOT NULL))
) WITH (fillfactor = 70);
COMMENT ON TABLE webhook_deliveries IS 'One row for each endpoint that receives an event.';
COMMENT ON COLUMN webhook_deliveries.lease_until IS
  'By the database''s clock, which all workers share. All other times are the service''s.';
COMMENT ON COLUMN webhook_deliveries.worker IS 'The process that sends it, or sent it last.';
COMMENT ON COLUMN webhook_deliveries.attempts IS
  'The number of attempts. A worker that lost its lease has an old number, and its result is ignored.';
COMMENT ON COLUMN webhook_deliveries.failures IS 'Failed attempts in a row since the event or its replay.';
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id, next_attempt_at, event_id)
  WHERE state = 'pending'; -- the next delivery of an endpoint
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (endpoint_id)
  WHERE state = 'sending'; -- deliveries in progress, and those whose worker was killed

CREATE TABLE webhook_attempts (
  endpoint_id  bigint NOT NULL,
  event_id     uuid NOT NULL,
  number       integer NOT NULL,
  attempted_at timestamptz NOT NULL,
  duration_ms  integer NOT NULL,
  status_code  integer,
  error        text,
  response     text,
  PRIMARY KEY (endpoint_id, event_id, number)
);
COMMENT ON TABLE webhook_attempts IS 'The attempts of each delivery, for the log that owners read.';
COMMENT ON COLUMN webhook_attempts.response IS 'The beginning of the response body.';
