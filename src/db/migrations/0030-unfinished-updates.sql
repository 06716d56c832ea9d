-- Updates of Telegram that take long to handle. By polling an update can be acknowledged only together with all before it,
-- so one that Telegram is slow to take the answer to would hold up the rest. Kept here it may be acknowledged; a process
-- that dies over it leaves it to the next.
CREATE TABLE unfinished_updates (
  update_id bigint PRIMARY KEY,
  body      jsonb NOT NULL,
  kept_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
