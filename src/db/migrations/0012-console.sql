-- The web console: how people sign in and stay signed in, and one figure that its charts need.
--
-- Times of sessions and codes are the machine's, not the sandbox's movable ones: see decision 0033.

-- ── Signing in ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- A one-time link of the management bot. One an account: asking for a new one ends the one before, and using one deletes
-- it. Expired ones stay until then; there are never more than accounts.
CREATE TABLE console_codes (
  account_id bigint PRIMARY KEY REFERENCES accounts,
  code_hash  bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32), -- SHA-256; the code itself is nowhere
  expires_at timestamptz NOT NULL
);

-- Init data of the Mini App that opened a session: Telegram signs it once per opening, so a second use is a copy.
CREATE TABLE console_openings (
  init_hash  bytea PRIMARY KEY CHECK (length(init_hash) = 32),
  expires_at timestamptz NOT NULL -- from then on its age refuses it
);
CREATE INDEX console_openings_expired ON console_openings (expires_at);

CREATE TABLE console_sessions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash  bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32), -- SHA-256 of the cookie
  account_id  bigint NOT NULL REFERENCES accounts,
  kind        text NOT NULL CHECK (kind IN ('browser', 'app')),
  is_operator boolean NOT NULL, -- opened by an operator: ends when its owner is none any more
  device      text NOT NULL,    -- "Chrome, Windows": for its owner to know it by; no address, no full user agent
  theme       text CHECK (theme IN ('light', 'dark')), -- what Telegram looks like around the Mini App
  created_at  timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL, -- the latest end; without use it ends sooner
  flash_path  text,  -- which page is to say
  flash       bytea, -- this, once; sealed, since it may be a secret
  CHECK ((flash_path IS NULL) = (flash IS NULL))
);
CREATE INDEX console_sessions_account ON console_sessions (account_id, id); -- the list, and "sign out everywhere"
CREATE INDEX console_sessions_expired ON console_sessions (expires_at);     -- what may be forgotten

-- A ban ends them for good: lifting it is no reason for an old cookie to work again. Here, so that no ban can forget it.
CREATE FUNCTION end_console_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM console_codes WHERE account_id = NEW.id;
  DELETE FROM console_sessions WHERE account_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_banned AFTER UPDATE OF banned_at ON accounts
  FOR EACH ROW WHEN (NEW.banned_at IS NOT NULL) EXECUTE FUNCTION end_console_sessions();

-- ── Conversion by day ───────────────────────────────────────────────────────────────────────────────────────────────
-- How many tasks were shown for the first time, by bot, order and business day; daily_totals has what became of them.
-- Apart from daily_totals, whose triggers say "a fact of money".
--
-- A trigger writes it, since the task flow need not know about statistics. It runs once per batch of placements, at which
-- time that transaction holds the lock of every order concerned (order_progress), so these rows are never waited for.

CREATE TABLE daily_shown (
  day      date NOT NULL,
  bot_id   bigint NOT NULL,
  order_id bigint NOT NULL,
  shown    integer NOT NULL,
  PRIMARY KEY (bot_id, order_id, day)
) WITH (fillfactor = 70);
CREATE INDEX daily_shown_of_bot ON daily_shown (bot_id, day);     -- charts of a publisher
CREATE INDEX daily_shown_of_order ON daily_shown (order_id, day); -- charts of an advertiser

INSERT INTO daily_shown SELECT business_day(offered_at), bot_id, order_id, count(*) FROM offers GROUP BY 1, 2, 3;

CREATE FUNCTION count_shown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO daily_shown AS d (day, bot_id, order_id, shown)
  SELECT business_day(offered_at), bot_id, order_id, count(*) FROM placed GROUP BY 1, 2, 3 ORDER BY 2, 3, 1
  ON CONFLICT (bot_id, order_id, day) DO UPDATE SET shown = d.shown + excluded.shown;
  RETURN NULL;
END $$;
CREATE TRIGGER offers_shown AFTER INSERT ON offers REFERENCING NEW TABLE AS placed
  FOR EACH STATEMENT EXECUTE FUNCTION count_shown();
