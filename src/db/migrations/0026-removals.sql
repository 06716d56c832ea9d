-- Advertisers who remove counted users from their chats within the window.

ALTER TABLE order_progress ADD COLUMN removed_count integer NOT NULL DEFAULT 0; -- since the order last paused for it

ALTER TABLE orders DROP CONSTRAINT orders_pause_reason_check;
ALTER TABLE orders ADD CONSTRAINT orders_pause_reason_check CHECK (pause_reason IN ('owner', 'access_lost', 'removals'));
