-- Subscriptions that can no longer be reversed, and resources of which one answer said that our bot has no access.

ALTER TABLE offers ADD COLUMN kept_at timestamptz; -- since when the publisher keeps the reward, whatever the user does

-- One answer about a chat is often wrong. The job `verify-access` asks the same question again before anything follows.
CREATE TABLE access_doubts (
  resource_id bigint PRIMARY KEY REFERENCES resources,
  user_id     bigint NOT NULL, -- about whom Telegram was asked
  since       timestamptz NOT NULL
);
