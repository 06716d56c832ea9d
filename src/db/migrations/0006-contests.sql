-- Contests of publishers, and the time of settlement by which they are scored.

ALTER TABLE offers ADD COLUMN settled_at timestamptz; -- when the reward became the publisher's for good
-- Subscriptions settled before this column existed: the end of their window is the earliest moment it can have been.
UPDATE offers SET settled_at = window_ends_at WHERE state = 'settled';

-- A contest counts the settlements of its period by publisher: one range of this index, without a look at the rows. It
-- grows with what was settled and not with what was offered, which is many times more.
CREATE INDEX offers_settled ON offers (settled_at, account_id) WHERE settled_at IS NOT NULL;

CREATE TABLE contests (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  create_key   text NOT NULL UNIQUE, -- names the request, so that one sent twice creates once
  name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  metric       text NOT NULL CHECK (metric IN ('settled_subscriptions')),
  starts_at    timestamptz NOT NULL,
  ends_at      timestamptz NOT NULL CHECK (ends_at > starts_at),
  prizes       bigint[] NOT NULL CHECK (cardinality(prizes) BETWEEN 1 AND 100 AND 0 < ALL (prizes)), -- kopecks by place
  created_at   timestamptz NOT NULL,
  finished_at  timestamptz, -- ranks are frozen and prizes paid
  cancelled_at timestamptz,
  CHECK (finished_at IS NULL OR cancelled_at IS NULL)
);
CREATE INDEX contests_open ON contests (ends_at) WHERE finished_at IS NULL AND cancelled_at IS NULL; -- the job's
CREATE INDEX contests_by_end ON contests (ends_at DESC, id DESC); -- the list

CREATE TABLE contest_results (
  contest_id    bigint NOT NULL REFERENCES contests,
  rank          integer NOT NULL CHECK (rank > 0),
  account_id    bigint NOT NULL REFERENCES accounts,
  score         bigint NOT NULL CHECK (score > 0),
  reached_at    timestamptz NOT NULL, -- when the score was reached: of two equal ones the earlier stands higher
  prize_kopecks bigint NOT NULL CHECK (prize_kopecks >= 0),
  PRIMARY KEY (contest_id, rank),
  UNIQUE (contest_id, account_id)
);
CREATE INDEX contest_results_account ON contest_results (account_id); -- "how did I do"
CREATE TRIGGER contest_results_append_only BEFORE UPDATE OR DELETE ON contest_results
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
