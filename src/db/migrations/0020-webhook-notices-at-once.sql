-- The notice of a disabled endpoint is written in the transaction that disables it, so nothing waits here any more.
ALTER TABLE webhook_endpoints DROP COLUMN notice_due_at;
