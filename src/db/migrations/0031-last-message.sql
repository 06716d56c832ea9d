-- After a crash Telegram delivers again what was not acknowledged, also messages that were answered in full. One older than
-- the last that was handled must not answer the question that is asked now.
ALTER TABLE bot_dialogues ADD COLUMN last_message_update_id bigint;
