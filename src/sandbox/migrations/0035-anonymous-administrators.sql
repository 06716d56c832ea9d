-- An anonymous administrator acts in a group as @GroupAnonymousBot.
ALTER TABLE sandbox.tg_members ADD COLUMN is_anonymous boolean NOT NULL DEFAULT false;
-- Telegram's own limits, per token and per chat.
ALTER TABLE sandbox.tg_faults DROP CONSTRAINT tg_faults_mode_check;
ALTER TABLE sandbox.tg_faults ADD CONSTRAINT tg_faults_mode_check
  CHECK (mode IN ('down', 'too_many_requests', 'slow', 'garbage', 'not_admin', 'flood_limits'));
