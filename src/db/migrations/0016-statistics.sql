-- Statistics. The task flow writes the daily counters in the transaction of each fact, so they always agree with the
-- ledger. Lock order: these tables after ledger_accounts; only event_counters come later.

CREATE TABLE daily_totals (
  day                     date NOT NULL,
  bot_id                  bigint NOT NULL,
  order_id                bigint NOT NULL,
  counted                 integer NOT NULL DEFAULT 0,
  charge_kopecks          bigint NOT NULL DEFAULT 0,
  reward_kopecks          bigint NOT NULL DEFAULT 0,
  reversed                integer NOT NULL DEFAULT 0,
  returned_charge_kopecks bigint NOT NULL DEFAULT 0,
  reversed_reward_kopecks bigint NOT NULL DEFAULT 0,
  new_users               integer NOT NULL DEFAULT 0,
  PRIMARY KEY (bot_id, order_id, day)
) WITH (fillfactor = 70);
COMMENT ON TABLE daily_totals IS 'Subscriptions and reversals by business day, bot and order.';
COMMENT ON COLUMN daily_totals.new_users IS 'Users whose first subscription ever is counted in this row.';
-- The day never changes, so updates of the counters do not touch these indexes.
CREATE INDEX daily_totals_day ON daily_totals (day);                  -- days that are open or being closed
CREATE INDEX daily_totals_of_bot ON daily_totals (bot_id, day);       -- charts of a publisher
CREATE INDEX daily_totals_of_order ON daily_totals (order_id, day);   -- charts of an advertiser

-- Apart from daily_totals, whose triggers stand for facts of money.
CREATE TABLE daily_shown (
  day      date NOT NULL,
  bot_id   bigint NOT NULL,
  order_id bigint NOT NULL,
  shown    integer NOT NULL,
  PRIMARY KEY (bot_id, order_id, day)
) WITH (fillfactor = 70);
COMMENT ON TABLE daily_shown IS 'Tasks shown for the first time, by business day, bot and order.';
CREATE INDEX daily_shown_of_bot ON daily_shown (bot_id, day);     -- charts of a publisher
CREATE INDEX daily_shown_of_order ON daily_shown (order_id, day); -- charts of an advertiser

CREATE TABLE counted_users (
  user_id         bigint PRIMARY KEY,
  last_counted_on date NOT NULL
);
COMMENT ON TABLE counted_users IS
  'Every user with a subscription and the business day of the last one. A day and not a time, so that a second subscription '
  'on one day writes nothing.';
CREATE INDEX counted_users_last ON counted_users (last_counted_on); -- the users of a period

-- ── Statistics of the whole platform ────────────────────────────────────────────────────────────────────────────────
-- A day that is over is summed up into one row of platform_days. A query adds only the open days from daily_totals and
-- payouts, so its cost does not grow with the history. A day is closed when platform_days has a row of it or of a later day.

CREATE TABLE platform_days (
  day              date PRIMARY KEY,
  subscriptions    bigint NOT NULL DEFAULT 0,
  reversals        bigint NOT NULL DEFAULT 0,
  revenue_kopecks  bigint NOT NULL DEFAULT 0,
  turnover_kopecks bigint NOT NULL DEFAULT 0,
  payouts_kopecks  bigint NOT NULL DEFAULT 0,
  new_users        bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE platform_days IS 'The totals of closed business days.';
COMMENT ON COLUMN platform_days.revenue_kopecks IS 'Rewards minus reversed rewards.';
COMMENT ON COLUMN platform_days.turnover_kopecks IS 'Charges minus returned charges.';

CREATE TABLE platform_sources (
  kind            text NOT NULL CHECK (kind IN ('bot', 'order')),
  id              bigint NOT NULL,
  last_counted_on date NOT NULL,
  PRIMARY KEY (kind, id)
);
COMMENT ON TABLE platform_sources IS 'Bots and orders with a subscription on a closed day, and the last such day.';

-- The business day of core/clock.ts (Moscow, UTC+3 all year), and its first moment.
CREATE FUNCTION business_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS
  $$ SELECT (moment AT TIME ZONE 'UTC' + interval '3 hours')::date $$;
CREATE FUNCTION business_day_start(day date) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
  $$ SELECT (day - interval '3 hours') AT TIME ZONE 'UTC' $$;

-- Writes the totals of a range of days. A second caller waits for the first one and then sees its rows, because each
-- statement of a plpgsql function takes a new snapshot.
CREATE FUNCTION sum_up_platform_days(first_day date, last_day date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO platform_days (day) SELECT first_day + n FROM generate_series(0, last_day - first_day) AS n
  ON CONFLICT DO NOTHING;
  PERFORM 1 FROM platform_days WHERE day BETWEEN first_day AND last_day ORDER BY day FOR UPDATE;

  UPDATE platform_days p SET subscriptions = t.counted, reversals = t.reversed, revenue_kopecks = t.revenue,
                             turnover_kopecks = t.turnover, new_users = t.new_users
  FROM (SELECT day, sum(counted) AS counted, sum(reversed) AS reversed, sum(new_users) AS new_users,
               sum(reward_kopecks - reversed_reward_kopecks) AS revenue,
               sum(charge_kopecks - returned_charge_kopecks) AS turnover
        FROM daily_totals WHERE day BETWEEN first_day AND last_day GROUP BY day) t
  WHERE p.day = t.day;

  UPDATE platform_days p SET payouts_kopecks = s.amount
  FROM (SELECT business_day(closed_at) AS day, sum(amount_kopecks) AS amount FROM payouts
        WHERE status = 'sent' AND closed_at >= business_day_start(first_day)
                              AND closed_at < business_day_start(last_day + 1)
        GROUP BY 1) s
  WHERE p.day = s.day;

  INSERT INTO platform_sources AS s (kind, id, last_counted_on)
  SELECT source.kind, source.id, max(day)
  FROM daily_totals CROSS JOIN LATERAL (VALUES ('bot', bot_id), ('order', order_id)) AS source (kind, id)
  WHERE day BETWEEN first_day AND last_day AND counted > 0
  GROUP BY source.kind, source.id ORDER BY source.kind, source.id
  ON CONFLICT (kind, id) DO UPDATE SET last_counted_on = excluded.last_counted_on
    WHERE s.last_counted_on < excluded.last_counted_on;
END $$;

-- A fact carries the time of its decision and is written a little later; in the sandbox the clock can jump by years in
-- between. Therefore every transaction that adds to a day holds a shared advisory lock of that day until it commits, and
-- closing a day takes the same lock exclusively. A transaction that finds its day closed sums it up again. So no fact is
-- missed or counted twice. Triggers do this, so that no writer can forget it and tasks and payouts need not know statistics.
-- Closing a day never waits for the lock.

CREATE FUNCTION platform_day_lock(day date) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT day - DATE '2000-01-01' $$;

CREATE FUNCTION enter_platform_day(entered date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7303008, platform_day_lock(entered));
  IF entered <= (SELECT max(day) FROM platform_days) THEN
    PERFORM sum_up_platform_days(entered, entered);
  END IF;
END $$;

-- Closes open days up to `last_day`, oldest first and at most `at_most`, and returns their number. Stops before a day that
-- another transaction writes to or closes.
CREATE FUNCTION close_platform_days(last_day date, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  first_day date := coalesce((SELECT max(day) + 1 FROM platform_days),
                             least((SELECT min(day) FROM daily_totals),
                                   (SELECT business_day(min(closed_at)) FROM payouts WHERE status = 'sent')));
  next_day  date := first_day;
BEGIN
  IF first_day IS NULL THEN RETURN 0; END IF; -- there are no facts yet
  WHILE next_day <= last_day AND next_day < first_day + at_most
        AND pg_try_advisory_xact_lock(7303008, platform_day_lock(next_day)) LOOP
    next_day := next_day + 1;
  END LOOP;
  IF next_day > first_day THEN PERFORM sum_up_platform_days(first_day, next_day - 1); END IF;
  RETURN next_day - first_day;
END $$;

CREATE FUNCTION enter_days_of_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_platform_day(day) FROM (SELECT DISTINCT day FROM changed ORDER BY day) AS days;
  RETURN NULL;
END $$;
-- Once per statement, however many rows it wrote.
CREATE TRIGGER daily_totals_inserted AFTER INSERT ON daily_totals REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION enter_days_of_totals();
CREATE TRIGGER daily_totals_updated AFTER UPDATE ON daily_totals REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION enter_days_of_totals();

CREATE FUNCTION enter_day_of_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM enter_platform_day(business_day(NEW.closed_at));
  RETURN NULL;
END $$;
CREATE TRIGGER payouts_sent AFTER UPDATE ON payouts
  FOR EACH ROW WHEN (NEW.status = 'sent' AND OLD.status <> 'sent') EXECUTE FUNCTION enter_day_of_payout();
