-- Jobs: timed background work.

CREATE TABLE jobs (
  name         text PRIMARY KEY,
  due_at       timestamptz NOT NULL DEFAULT now(),
  lease_id     uuid,
  leased_until timestamptz,
  CHECK ((lease_id IS NULL) = (leased_until IS NULL))
);
COMMENT ON TABLE jobs IS
  'One row per job. Its lease names the process that runs the job now. All times are the database''s: a lease must not '
  'follow the sandbox''s clock. An expired lease belongs to a process that was killed.';

CREATE TABLE job_cursors (
  job          text PRIMARY KEY,
  user_id      bigint NOT NULL DEFAULT 0,
  second_id    bigint NOT NULL DEFAULT 0,
  paused_until timestamptz
);
COMMENT ON TABLE job_cursors IS
  'The position of a job that scans a large table in the order of its key, a part per hour. memberships and task_lists have '
  'no index by time, because it would cost every join and every first call. Inserted at the first use; the lock of the row '
  'grants the scan.';
COMMENT ON COLUMN job_cursors.user_id IS 'The first part of the key of the last row that was read.';
COMMENT ON COLUMN job_cursors.second_id IS 'The second part of that key.';
COMMENT ON COLUMN job_cursors.paused_until IS 'After the last row the scan starts again at this time.';
