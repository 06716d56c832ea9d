-- Whose update is being handled now, when updates come by webhook to several processes: two of one person must not both
-- read where the person stands and both write it. A row lives as long as the handling of one update. Not logged: after a
-- crash of the database nobody is handling anything.
CREATE UNLOGGED TABLE bot_turns (
  telegram_user_id bigint PRIMARY KEY,
  holder           uuid NOT NULL,
  lease_until      timestamptz NOT NULL -- by the database's clock; a process that died leaves the row until then
);
