-- The orders that advertise a bot, by its name. Without it, the connections of one account read every order.
CREATE INDEX orders_advertised_bot
  ON orders (substring(split_part(lower(link), '?', 1) FROM '^https://t\.me/(\w+)$'));
