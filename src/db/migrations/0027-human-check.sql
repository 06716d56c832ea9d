-- The human check, and the confirms that were refused.

CREATE TABLE human_check_requests (
  user_id      bigint PRIMARY KEY,
  requested_at timestamptz NOT NULL
);
COMMENT ON TABLE human_check_requests IS
  'Suspicious users who were led to the human check. A reward confirmed after that waits until the user passes.';
CREATE INDEX human_check_requests_age ON human_check_requests (requested_at); -- retention

CREATE TABLE mini_app_openings (
  init_hash  bytea NOT NULL CHECK (length(init_hash) = 32),
  purpose    text NOT NULL CHECK (purpose IN ('mark', 'check')),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (init_hash, purpose)
);
COMMENT ON TABLE mini_app_openings IS
  'Init data that gave a device mark or passed a check. Telegram signs it once per opening, so a second use is a replay.';
CREATE INDEX mini_app_openings_expired ON mini_app_openings (expires_at); -- retention

CREATE TABLE confirm_refusals (
  user_id bigint NOT NULL,
  day     date NOT NULL,
  refused integer NOT NULL CHECK (refused > 0),
  PRIMARY KEY (user_id, day)
) WITH (fillfactor = 80);
COMMENT ON TABLE confirm_refusals IS
  'Confirms of a user per business day that were refused, because the user was no member or the task was not shown.';
CREATE INDEX confirm_refusals_age ON confirm_refusals (day); -- retention
