ALTER TABLE webhook_attempts ADD COLUMN response_headers text;
COMMENT ON COLUMN webhook_attempts.response_headers IS
  'The first headers of the response, one "name: value" per line, without cookies.';
