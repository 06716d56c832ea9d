-- Timed work. One row per job name; the row's lease says which process runs the job now.
-- All times here are the database server's own: leases must not follow the sandbox's movable clock.
CREATE TABLE jobs (
  name text PRIMARY KEY,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- Both are null while no process runs the job. A lease that has ended belongs to a process that died.
  lease_id uuid,
  leased_until timestamptz,
  CHECK ((lease_id IS NULL) = (leased_until IS NULL))
);
