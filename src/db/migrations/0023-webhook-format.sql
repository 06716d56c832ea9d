ALTER TABLE webhook_endpoints ADD COLUMN format text NOT NULL DEFAULT 'sponsorgate'
  CHECK (format IN ('sponsorgate', 'subgram', 'flyer'));
COMMENT ON COLUMN webhook_endpoints.format IS 'The form of the messages: ours, or that of another network.';
