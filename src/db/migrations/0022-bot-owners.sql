-- Accounts that have proved a bot to be theirs without its token: only they may order subscribers for it.

CREATE TABLE bot_owners (
  account_id bigint NOT NULL REFERENCES accounts,
  username   text NOT NULL, -- in lower case
  proved_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, username)
);
