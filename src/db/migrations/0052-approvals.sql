-- How the advertiser's side answered for the users of an order that only it can check.

ALTER TABLE order_progress
  ADD COLUMN approved_total integer NOT NULL DEFAULT 0,
  ADD COLUMN declined_total integer NOT NULL DEFAULT 0; -- refused, or not answered within 72 hours

ALTER TABLE orders DROP CONSTRAINT orders_pause_reason_check;
ALTER TABLE orders ADD CONSTRAINT orders_pause_reason_check
  CHECK (pause_reason IN ('owner', 'access_lost', 'removals', 'low_approval'));
