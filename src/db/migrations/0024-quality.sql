-- Quality of sources: what is known about users and devices, the scores of bots, and the cases of operators.

CREATE TABLE device_marks (
  mark    bytea NOT NULL CHECK (length(mark) = 16),
  user_id bigint NOT NULL,
  kind    text NOT NULL CHECK (kind IN ('address', 'device')),
  source  text NOT NULL CHECK (source IN ('smart_link', 'mini_app')),
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (mark, user_id)
);
COMMENT ON TABLE device_marks IS
  'Which users were seen behind one device or address. The address itself is never stored.';
COMMENT ON COLUMN device_marks.mark IS
  'A keyed hash of the device or address. The key changes every month, so marks of two months cannot be compared.';
CREATE INDEX device_marks_user ON device_marks (user_id); -- the devices of one user
CREATE INDEX device_marks_age ON device_marks (seen_at);  -- retention

CREATE TABLE human_checks (
  user_id   bigint PRIMARY KEY,
  passed_at timestamptz NOT NULL
);
COMMENT ON TABLE human_checks IS 'Users who passed the human check of the Mini App.';

CREATE TABLE user_signals (
  user_id     bigint NOT NULL,
  signal      text NOT NULL,
  strength    smallint NOT NULL CHECK (strength BETWEEN 1 AND 100),
  figures     jsonb NOT NULL,
  source      text NOT NULL,
  observed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, signal)
);
COMMENT ON TABLE user_signals IS 'What makes a user suspicious, one row per signal. docs/fraud.md explains each signal.';
COMMENT ON COLUMN user_signals.strength IS 'How much the signal says against the user, from 1 to 100.';
COMMENT ON COLUMN user_signals.figures IS 'The figures of the sentence that explains the signal.';
COMMENT ON COLUMN user_signals.source IS 'Where the signal comes from, such as tasks or smart_link.';
CREATE INDEX user_signals_age ON user_signals (observed_at); -- retention

CREATE TABLE bot_quality (
  bot_id          bigint PRIMARY KEY REFERENCES bots,
  score           smallint CHECK (score BETWEEN 0 AND 100),
  level           text NOT NULL CHECK (level IN ('new', 'good', 'watched', 'low')),
  reasons         jsonb NOT NULL,
  figures         jsonb NOT NULL,
  computed_at     timestamptz NOT NULL,
  override_level  text CHECK (override_level IN ('good', 'watched', 'low')),
  override_reason text,
  CHECK ((override_level IS NULL) = (override_reason IS NULL))
);
COMMENT ON TABLE bot_quality IS 'The quality of each bot as a source of subscribers, computed every hour.';
COMMENT ON COLUMN bot_quality.score IS 'NULL: too few subscriptions for a score.';
COMMENT ON COLUMN bot_quality.reasons IS 'The reasons that cost the most points, strongest first.';
COMMENT ON COLUMN bot_quality.override_level IS 'Set by an operator; it replaces level.';

CREATE TABLE cases (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            text NOT NULL,
  subject_type    text NOT NULL CHECK (subject_type IN ('bot', 'order', 'account')),
  subject_id      bigint NOT NULL,
  account_id      bigint NOT NULL REFERENCES accounts,
  status          text NOT NULL CHECK (status IN ('open', 'held', 'cleared', 'reversed', 'banned')),
  risk_kopecks    bigint NOT NULL CHECK (risk_kopecks >= 0),
  evidence        jsonb NOT NULL,
  opened_at       timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  decided_at      timestamptz,
  decided_by      bigint,
  decision_reason text,
  answer          text CHECK (length(answer) <= 2000),
  answered_at     timestamptz,
  CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CHECK ((status IN ('open', 'held')) = (decided_at IS NULL))
);
COMMENT ON TABLE cases IS 'Suspected fraud that waits for the decision of an operator, or was decided.';
COMMENT ON COLUMN cases.account_id IS 'The publisher or advertiser whom the case concerns.';
COMMENT ON COLUMN cases.risk_kopecks IS 'The money that the subject can still gain. The queue is sorted by it.';
COMMENT ON COLUMN cases.answer IS 'The only answer of the account''s owner.';
-- A subject has one undecided case of a kind.
CREATE UNIQUE INDEX cases_undecided ON cases (kind, subject_type, subject_id) WHERE decided_at IS NULL;
CREATE INDEX cases_queue ON cases (risk_kopecks DESC, id) WHERE decided_at IS NULL; -- the operators' queue
CREATE INDEX cases_account ON cases (account_id, id DESC);                          -- the cases of an account
