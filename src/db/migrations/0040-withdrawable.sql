-- Only settled money can leave an account (decision 0070).
--
-- `paid` is the state of a reward that is in its publisher's balance while its window still runs. What an account can
-- withdraw is its balance less the sum of these rewards, read from this index alone. It costs one entry per subscription
-- without hold, or with a hold shorter than the window, until that subscription is settled or reversed. The default hold
-- is as long as the window, so most subscriptions never have an entry.

CREATE INDEX offers_unsettled ON offers (account_id) INCLUDE (reward_kopecks) WHERE state = 'paid';

-- ── Who deals with whom ─────────────────────────────────────────────────────────────────────────────────────────────
-- Pairs of accounts that share an owner, as far as the service can see it: both advertised the same resource, both asked
-- for payouts to the same destination, or one advertised a bot that belongs to the other. Operators see it before they
-- approve a payout, and contests do not count what such a pair does for each other.

CREATE INDEX payouts_destination ON payouts (method, lower(destination));

CREATE VIEW connected_accounts AS
  SELECT a.account_id, b.account_id AS other_id
  FROM orders a JOIN orders b USING (resource_id)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT a.account_id, b.account_id
  FROM payouts a JOIN payouts b ON b.method = a.method AND lower(b.destination) = lower(a.destination)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT o.account_id, b.account_id
  FROM orders o JOIN bots b ON lower(b.username) = substring(split_part(lower(o.link), '?', 1) FROM '^https://t\.me/(\w+)$')
  WHERE o.account_id <> b.account_id
  UNION
  SELECT b.account_id, o.account_id
  FROM orders o JOIN bots b ON lower(b.username) = substring(split_part(lower(o.link), '?', 1) FROM '^https://t\.me/(\w+)$')
  WHERE o.account_id <> b.account_id;
