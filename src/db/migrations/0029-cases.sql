-- Cases: what the rules need to know about advertisers, and connections by a shared device.

ALTER TABLE tasks ADD COLUMN kept_because text CHECK (kept_because IN ('removed', 'access_lost'));
COMMENT ON COLUMN tasks.kept_because IS
  'What the advertiser did so that the publisher keeps the reward: removed the user, or withdrew our bot''s access.';
-- Removals and lost access of the last weeks. Few tasks have an entry.
CREATE INDEX tasks_kept ON tasks (kept_at) WHERE kept_because IS NOT NULL;

CREATE TABLE moderated_resources (
  order_id      bigint PRIMARY KEY REFERENCES orders,
  title         text NOT NULL,
  link          text NOT NULL,
  chat_title    text,
  chat_username text,
  moderated_at  timestamptz NOT NULL
);
COMMENT ON TABLE moderated_resources IS
  'The resource as an operator saw it when approving the order. A job compares it with what Telegram returns now.';
COMMENT ON COLUMN moderated_resources.chat_title IS 'NULL: Telegram had not described the chat yet.';

ALTER TABLE cases ADD COLUMN froze_account boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cases.froze_account IS
  'Whether the freeze of the account''s withdrawals came from this case. The last decision lifts only such a freeze.';
CREATE INDEX cases_subject ON cases (subject_id, kind, subject_type, id DESC); -- the last case about a subject
CREATE INDEX cases_decided ON cases (decided_at) WHERE decided_at IS NOT NULL; -- retention

CREATE TABLE unconnected_accounts (
  account_id bigint NOT NULL REFERENCES accounts,
  other_id   bigint NOT NULL REFERENCES accounts,
  at         timestamptz NOT NULL,
  PRIMARY KEY (account_id, other_id)
);
COMMENT ON TABLE unconnected_accounts IS
  'Pairs, in both directions, of which an operator decided that they have different owners. They are not connected.';

-- Two people may both write "card" as their destination, so only one with six digits or more is evidence. A device mark
-- that many users share belongs to no person, such as a phone in a shop.
CREATE OR REPLACE VIEW connected_accounts AS
  SELECT account_id, other_id FROM (
  SELECT a.account_id, b.account_id AS other_id
  FROM orders a JOIN orders b USING (resource_id)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT a.account_id, b.account_id
  FROM payouts a JOIN payouts b ON b.method = a.method AND lower(b.destination) = lower(a.destination)
  WHERE a.account_id <> b.account_id AND length(regexp_replace(a.destination, '\D', '', 'g')) >= 6
  UNION
  SELECT o.account_id, b.account_id
  FROM orders o JOIN bots b ON lower(b.username) = substring(split_part(lower(o.link), '?', 1) FROM '^https://t\.me/(\w+)$')
  WHERE o.account_id <> b.account_id
  UNION
  SELECT b.account_id, o.account_id
  FROM orders o JOIN bots b ON lower(b.username) = substring(split_part(lower(o.link), '?', 1) FROM '^https://t\.me/(\w+)$')
  WHERE o.account_id <> b.account_id
  UNION
  SELECT a.id, b.id
  FROM accounts a
    JOIN device_marks mine ON mine.user_id = a.telegram_user_id AND mine.kind = 'device'
    JOIN device_marks theirs ON theirs.mark = mine.mark AND theirs.user_id <> mine.user_id
    JOIN accounts b ON b.telegram_user_id = theirs.user_id
  WHERE (SELECT count(*) FROM device_marks d WHERE d.mark = mine.mark) <= 10
  ) found
  WHERE NOT EXISTS (SELECT FROM unconnected_accounts u WHERE u.account_id = found.account_id AND u.other_id = found.other_id);
COMMENT ON VIEW connected_accounts IS
  'Pairs of accounts that appear to share an owner: both advertised the same resource, both requested payouts to the same '
  'destination, one advertised a bot of the other, or their owners used one device. Operators see them before they approve '
  'a payout; subscriptions between them are neither paid nor counted in contests.';
