-- The same view without patterns. Every process reads it all twice a minute, and a pattern costs as much as a hundred other
-- functions: at 100,000 orders and 50,000 payouts they took nearly all of the time.
DROP INDEX orders_advertised_bot;
-- The orders that advertise a bot, by its name. Without it, the connections of one account read every order.
CREATE INDEX orders_advertised_bot ON orders (split_part(split_part(lower(link), '?', 1), 'https://t.me/', 2));

CREATE OR REPLACE VIEW connected_accounts AS
  SELECT account_id, other_id FROM (
  SELECT a.account_id, b.account_id AS other_id
  FROM orders a JOIN orders b USING (resource_id)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT a.account_id, b.account_id
  FROM payouts a JOIN payouts b ON b.method = a.method AND lower(b.destination) = lower(a.destination)
  WHERE a.account_id <> b.account_id AND length(a.destination) - length(translate(a.destination, '0123456789', '')) >= 6
  UNION
  SELECT o.account_id, b.account_id
  FROM orders o JOIN bots b ON lower(b.username) = split_part(split_part(lower(o.link), '?', 1), 'https://t.me/', 2)
  WHERE o.account_id <> b.account_id
  UNION
  SELECT b.account_id, o.account_id
  FROM orders o JOIN bots b ON lower(b.username) = split_part(split_part(lower(o.link), '?', 1), 'https://t.me/', 2)
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
