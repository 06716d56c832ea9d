-- Smart links and how often they were followed.

CREATE TABLE links (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  -- `o<number>` is reserved: it stands for the link of that order's task and is in no row.
  code       text NOT NULL UNIQUE CHECK (code ~ '^[A-Za-z0-9-]{4,32}$' AND code !~ '^o[0-9]+$'),
  url        text NOT NULL CHECK (length(url) <= 2048 AND url !~ '[[:cntrl:][:space:]]'),
  name       text NOT NULL,
  rules      jsonb NOT NULL CHECK (jsonb_typeof(rules) = 'array'), -- ordered: the first that matches wins
  created_at timestamptz NOT NULL,
  deleted_at timestamptz -- the row stays, so that a code is never given out twice
);
CREATE INDEX links_account ON links (account_id, id DESC) WHERE deleted_at IS NULL;

-- Clicks of a business day. Each process adds what it gathered over a moment, so a popular link costs its row a few
-- updates a second and not one per click. An empty text stands for "unknown"; no address is stored anywhere.
CREATE TABLE link_clicks (
  link_id     bigint NOT NULL REFERENCES links,
  day         date NOT NULL,
  country     text NOT NULL,
  device_type text NOT NULL CHECK (device_type IN ('', 'smartphone', 'desktop', 'tablet')),
  os          text NOT NULL CHECK (os IN ('', 'Android', 'iOS', 'Windows', 'macOS')),
  clicks      bigint NOT NULL CHECK (clicks > 0),
  PRIMARY KEY (link_id, day, country, device_type, os)
) WITH (fillfactor = 70);
