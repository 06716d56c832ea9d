-- Smart links and their clicks.

CREATE TABLE links (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES accounts,
  -- `o<number>` is reserved for the links of tasks, which have no row.
  code           text NOT NULL UNIQUE CHECK (code ~ '^[A-Za-z0-9-]{4,32}$' AND code !~ '^o[0-9]+$'),
  url            text NOT NULL CHECK (length(url) <= 2048 AND url !~ '[[:cntrl:][:space:]]'),
  name           text NOT NULL,
  rules          jsonb NOT NULL CHECK (jsonb_typeof(rules) = 'array'),
  earlier_clicks bigint NOT NULL DEFAULT 0,
  created_at     timestamptz NOT NULL,
  deleted_at     timestamptz
);
COMMENT ON TABLE links IS 'Smart links. Deleted links keep their row, so that a code is never used twice.';
COMMENT ON COLUMN links.rules IS 'Ordered: the first rule that matches applies.';
COMMENT ON COLUMN links.earlier_clicks IS 'Clicks of days whose rows were deleted.';
CREATE INDEX links_account ON links (account_id, id DESC) WHERE deleted_at IS NULL; -- GET /links, page by page

CREATE TABLE link_clicks (
  link_id     bigint NOT NULL REFERENCES links,
  day         date NOT NULL,
  country     text NOT NULL,
  device_type text NOT NULL CHECK (device_type IN ('', 'smartphone', 'desktop', 'tablet')),
  os          text NOT NULL CHECK (os IN ('', 'Android', 'iOS', 'Windows', 'macOS')),
  clicks      bigint NOT NULL CHECK (clicks > 0),
  PRIMARY KEY (link_id, day, country, device_type, os)
) WITH (fillfactor = 70);
COMMENT ON TABLE link_clicks IS
  'Clicks per business day. Each process adds its clicks in batches, so a popular link costs a few updates a second. An '
  'empty text means unknown. No address is stored.';
