-- Sampled checks after the window: did the user of a settled subscription stay?

CREATE TABLE stay_checks (
  user_id    bigint NOT NULL,
  bot_id     bigint NOT NULL,
  order_id   bigint NOT NULL,
  stayed     boolean NOT NULL,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, bot_id, order_id)
);
COMMENT ON TABLE stay_checks IS
  'Membership checks of settled subscriptions, made for a sample of the watched and low sources. They feed the figures of '
  'staying; they reverse nothing.';
CREATE INDEX stay_checks_age ON stay_checks (checked_at); -- retention
