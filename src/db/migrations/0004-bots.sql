-- Bots of publishers and their API tokens.

CREATE TABLE bots (
  id                      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id              bigint NOT NULL REFERENCES accounts,
  username                text NOT NULL,
  is_active               boolean NOT NULL DEFAULT true,
  max_sponsors            integer NOT NULL DEFAULT 5 CHECK (max_sponsors BETWEEN 1 AND 50),
  round_seconds           integer NOT NULL DEFAULT 86400 CHECK (round_seconds BETWEEN 300 AND 259200),
  excluded_order_ids      bigint[] NOT NULL DEFAULT '{}',
  excluded_resource_types text[] NOT NULL DEFAULT '{}',
  collects_profiles       boolean NOT NULL DEFAULT false,
  created_at              timestamptz NOT NULL
);
COMMENT ON TABLE bots IS 'A publisher''s bot that shows tasks.';
COMMENT ON COLUMN bots.max_sponsors IS 'The number of tasks in a round, unless a request asks for another number.';
COMMENT ON COLUMN bots.collects_profiles IS 'One task of a user without a profile leads through a smart link of the service.';
CREATE UNIQUE INDEX bots_username ON bots (lower(username));
CREATE INDEX bots_account ON bots (account_id); -- all bots of the token's owner

CREATE TABLE api_tokens (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bot_id     bigint NOT NULL REFERENCES bots,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  scopes     text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
COMMENT ON TABLE api_tokens IS 'API tokens of bots.';
COMMENT ON COLUMN api_tokens.token_hash IS 'SHA-256. The token itself is not stored.';
CREATE INDEX api_tokens_bot ON api_tokens (bot_id); -- rotation and revocation
