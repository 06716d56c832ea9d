-- Contests of publishers.

CREATE TABLE contests (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  create_key   text NOT NULL UNIQUE,
  name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  metric       text NOT NULL CHECK (metric IN ('settled_subscriptions', 'settled_revenue')),
  starts_at    timestamptz NOT NULL,
  ends_at      timestamptz NOT NULL CHECK (ends_at > starts_at),
  prizes       bigint[] NOT NULL CHECK (cardinality(prizes) BETWEEN 1 AND 100 AND 0 < ALL (prizes)),
  approved_at  timestamptz,
  created_at   timestamptz NOT NULL,
  finished_at  timestamptz,
  cancelled_at timestamptz,
  CHECK (finished_at IS NULL OR cancelled_at IS NULL)
);
COMMENT ON TABLE contests IS 'Contests of publishers, scored by settled revenue (decision 0071).';
COMMENT ON COLUMN contests.create_key IS 'Names the request, so that a repeated request creates one contest.';
COMMENT ON COLUMN contests.prizes IS 'Kopecks by rank, the first rank first.';
COMMENT ON COLUMN contests.approved_at IS 'Since when prizes may be paid. Set at creation when no approval is needed.';
COMMENT ON COLUMN contests.finished_at IS 'Ranks are frozen and prizes are paid.';
CREATE INDEX contests_open ON contests (ends_at) WHERE finished_at IS NULL AND cancelled_at IS NULL; -- the job
CREATE INDEX contests_by_end ON contests (ends_at DESC, id DESC); -- the list

CREATE TABLE contest_results (
  contest_id      bigint NOT NULL REFERENCES contests,
  rank            integer NOT NULL CHECK (rank > 0),
  account_id      bigint NOT NULL REFERENCES accounts,
  score           bigint NOT NULL CHECK (score > 0),
  revenue_kopecks bigint NOT NULL DEFAULT 0 CHECK (revenue_kopecks >= 0),
  reached_at      timestamptz NOT NULL,
  prize_kopecks   bigint NOT NULL CHECK (prize_kopecks >= 0),
  PRIMARY KEY (contest_id, rank),
  UNIQUE (contest_id, account_id)
);
COMMENT ON TABLE contest_results IS 'The frozen ranks of a contest. Append-only.';
COMMENT ON COLUMN contest_results.score IS 'The number of settled subscriptions.';
COMMENT ON COLUMN contest_results.reached_at IS 'When the score was reached. Of two equal scores the earlier one ranks higher.';
CREATE INDEX contest_results_account ON contest_results (account_id); -- the results of a publisher
CREATE TRIGGER contest_results_append_only BEFORE UPDATE OR DELETE ON contest_results
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
