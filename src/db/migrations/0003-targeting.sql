-- Targeting: what orders ask of users, when they may be shown, who may not show them; and who the users are.

ALTER TABLE orders
  ADD COLUMN filters          jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN active_hours     integer[],                      -- hours of the business day; NULL = all
  ADD COLUMN pace_evenly      boolean NOT NULL DEFAULT false, -- spread the daily limit over the day
  ADD COLUMN excluded_bot_ids bigint[] NOT NULL DEFAULT '{}'; -- sources the advertiser does not want

ALTER TABLE bots
  ADD COLUMN excluded_order_ids      bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN excluded_resource_types text[] NOT NULL DEFAULT '{}',
  ADD COLUMN collects_profiles       boolean NOT NULL DEFAULT false; -- one task of an unknown user goes through a link of ours

-- Everybody the service has met. The facts are what bots last sent, reduced to what filters use: no names are kept.
CREATE TABLE audience_users (
  user_id            bigint PRIMARY KEY,
  first_seen_at      timestamptz NOT NULL,
  facts              jsonb NOT NULL,
  facts_at           timestamptz NOT NULL,
  profile_checked_at timestamptz -- when the Bot API was last asked about the user
);
CREATE INDEX audience_users_to_look_up ON audience_users (profile_checked_at NULLS FIRST); -- the profile job
