-- Bots that people create with BotFather, and the settings of bots in several languages.

ALTER TABLE sandbox.tg_bots ADD COLUMN owner_id bigint, DROP COLUMN commands;
COMMENT ON COLUMN sandbox.tg_bots.owner_id IS 'The person who created the bot. NULL: a control endpoint or the service created it.';
CREATE INDEX tg_bots_of_owner ON sandbox.tg_bots (owner_id) WHERE owner_id IS NOT NULL; -- BotFather's list

CREATE TABLE sandbox.tg_bot_settings (
  bot_id        bigint NOT NULL REFERENCES sandbox.tg_bots ON DELETE CASCADE,
  setting       text NOT NULL CHECK (setting IN ('commands', 'name', 'description', 'short_description')),
  scope         text NOT NULL DEFAULT '',
  language_code text NOT NULL DEFAULT '',
  value         jsonb NOT NULL,
  PRIMARY KEY (bot_id, setting, scope, language_code)
);
COMMENT ON TABLE sandbox.tg_bot_settings IS 'What setMyCommands, setMyName and the like stored.';
COMMENT ON COLUMN sandbox.tg_bot_settings.scope IS 'For commands: the type of the scope and its ids, such as `chat:-1001`.';
COMMENT ON COLUMN sandbox.tg_bot_settings.language_code IS 'Empty: for every language without a row of its own.';

CREATE TABLE sandbox.tg_bot_father_dialogues (
  user_id bigint PRIMARY KEY,
  command text NOT NULL,
  bot_id  bigint,
  name    text
);
COMMENT ON TABLE sandbox.tg_bot_father_dialogues IS 'The command for which BotFather waits for an answer.';
COMMENT ON COLUMN sandbox.tg_bot_father_dialogues.name IS 'For /newbot: the name of the bot, before its username is known.';
