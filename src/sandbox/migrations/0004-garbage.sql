-- Telegram can also answer with something that is no answer.
ALTER TABLE sandbox.tg_faults DROP CONSTRAINT tg_faults_mode_check;
ALTER TABLE sandbox.tg_faults ADD CONSTRAINT tg_faults_mode_check
  CHECK (mode IN ('down', 'too_many_requests', 'slow', 'garbage', 'not_admin'));
