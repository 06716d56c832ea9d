-- Two accounts were not connected when one wrote the same card with spaces and the other without, or the same bot as
-- telegram.me/name. Both sides of a comparison are now reduced to what they mean.

-- Digits that only spaces or dashes separate belong together. The first word with six digits or more is the number of a card,
-- a phone or a wallet; a Russian phone number starts with 7 or 8. The column is stored, because every process reads the view
-- twice a minute and a pattern costs as much as a hundred other functions.
ALTER TABLE payouts ADD COLUMN destination_key text GENERATED ALWAYS AS (
  CASE
    WHEN method = 'crypto-pay' THEN destination
    WHEN substring(regexp_replace(lower(destination), '([0-9])[^0-9a-z,;/]+(?=[0-9])', '\1', 'g')
                   FROM '[0-9a-z]*(?:[0-9][a-z]*){6}[0-9a-z]*') ~ '^[78][0-9]{10}$'
      THEN '7' || right(substring(regexp_replace(lower(destination), '([0-9])[^0-9a-z,;/]+(?=[0-9])', '\1', 'g')
                                  FROM '[0-9a-z]*(?:[0-9][a-z]*){6}[0-9a-z]*'), 10)
    ELSE coalesce(substring(regexp_replace(lower(destination), '([0-9])[^0-9a-z,;/]+(?=[0-9])', '\1', 'g')
                            FROM '[0-9a-z]*(?:[0-9][a-z]*){6}[0-9a-z]*'),
                  CASE WHEN length(destination) - length(translate(destination, '0123456789', '')) >= 6
                       THEN lower(destination) END)
  END) STORED;
COMMENT ON COLUMN payouts.destination_key IS
  'The same for all ways to write one destination; NULL: it has fewer than six digits and says nothing about its owner.';
CREATE INDEX payouts_destination_key ON payouts (method, destination_key); -- connected_accounts

DROP INDEX payouts_destination;
DROP INDEX orders_advertised_bot;
-- The orders that advertise a bot, by its name. Without it, the connections of one account read every order.
CREATE INDEX orders_advertised_bot
  ON orders (split_part(split_part(split_part(split_part(lower(link), '?', 1), '#', 1), '.me/', 2), '/', 1));

CREATE OR REPLACE VIEW connected_accounts AS
  SELECT account_id, other_id FROM (
  SELECT a.account_id, b.account_id AS other_id
  FROM orders a JOIN orders b USING (resource_id)
  WHERE a.account_id <> b.account_id
  UNION
  SELECT a.account_id, b.account_id
  FROM payouts a JOIN payouts b ON b.method = a.method AND b.destination_key = a.destination_key
  WHERE a.account_id <> b.account_id
  UNION
  SELECT o.account_id, b.account_id
  FROM orders o JOIN bots b
    ON lower(b.username) = split_part(split_part(split_part(split_part(lower(o.link), '?', 1), '#', 1), '.me/', 2), '/', 1)
  WHERE o.account_id <> b.account_id
  UNION
  SELECT b.account_id, o.account_id
  FROM orders o JOIN bots b
    ON lower(b.username) = split_part(split_part(split_part(split_part(lower(o.link), '?', 1), '#', 1), '.me/', 2), '/', 1)
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
