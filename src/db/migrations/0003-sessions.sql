-- Sign-in and sessions of the web console. All times here are the machine's, not the sandbox's (decision 0033).

CREATE TABLE console_codes (
  account_id bigint PRIMARY KEY REFERENCES accounts,
  code_hash  bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE console_codes IS
  'One-time sign-in links of the management bot, one per account: a new one replaces the old one, its use deletes it.';
COMMENT ON COLUMN console_codes.code_hash IS 'SHA-256. The code itself is not stored.';

CREATE TABLE console_used_init_data (
  init_hash  bytea PRIMARY KEY CHECK (length(init_hash) = 32),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE console_used_init_data IS
  'Init data that opened a session of the Mini App. Telegram signs it once per opening, so a second use is a replay.';
COMMENT ON COLUMN console_used_init_data.expires_at IS 'From this time on the service rejects the init data by its age.';
CREATE INDEX console_used_init_data_expired ON console_used_init_data (expires_at); -- the job that deletes old rows

CREATE TABLE console_sessions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  account_id  bigint NOT NULL REFERENCES accounts,
  kind        text NOT NULL CHECK (kind IN ('browser', 'app')),
  is_operator boolean NOT NULL,
  device      text NOT NULL,
  theme       text CHECK (theme IN ('light', 'dark')),
  created_at  timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  flash_path  text,
  flash       bytea,
  CHECK ((flash_path IS NULL) = (flash IS NULL))
);
COMMENT ON COLUMN console_sessions.token_hash IS 'SHA-256 of the cookie.';
COMMENT ON TABLE console_sessions IS 'Sessions of the web console.';
COMMENT ON COLUMN console_sessions.is_operator IS 'Opened by an operator: ends when the owner is no operator any more.';
COMMENT ON COLUMN console_sessions.device IS 'Such as "Chrome, Windows". Neither an address nor the full user agent is stored.';
COMMENT ON COLUMN console_sessions.theme IS 'The theme of Telegram around the Mini App.';
COMMENT ON COLUMN console_sessions.expires_at IS 'The latest end. Without use a session ends earlier.';
COMMENT ON COLUMN console_sessions.flash IS 'A message that the page flash_path shows once. Encrypted: it can be a secret.';
CREATE INDEX console_sessions_account ON console_sessions (account_id, id); -- the list, and "sign out everywhere"
CREATE INDEX console_sessions_expired ON console_sessions (expires_at);     -- the job that deletes old rows

-- A ban ends all sessions, so that an old cookie does not work again after the ban is lifted. A trigger does it, so that no
-- code path can forget it.
CREATE FUNCTION end_console_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM console_codes WHERE account_id = NEW.id;
  DELETE FROM console_sessions WHERE account_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_banned AFTER UPDATE OF banned_at ON accounts
  FOR EACH ROW WHEN (NEW.banned_at IS NOT NULL) EXECUTE FUNCTION end_console_sessions();
