-- Statistics of the whole platform, at a cost that does not grow with its history.
--
-- daily_totals has a row per (bot, order, day) for ever. A day that is over is summed up into one row of platform_days,
-- and the answer adds to those rows only what daily_totals and payouts say of the days after them. A day is closed when
-- platform_days has a row of that day or of a later one.
--
-- Lock order: counted_users and daily_totals come after everything that 0001 lists, then the tables below. Of the events
-- of 0004 only event_counters come later.

-- ── What is written with the facts ──────────────────────────────────────────────────────────────────────────────────

-- Everybody who was ever counted, and the business day of the last time. Users of a period are a range of the index; a
-- day and not a moment, so that a user's second subscription of a day writes nothing.
CREATE TABLE counted_users (
  user_id         bigint PRIMARY KEY,
  last_counted_on date NOT NULL
);
INSERT INTO counted_users
SELECT user_id, max((counted_at AT TIME ZONE 'UTC' + interval '3 hours')::date) FROM counted_subscriptions GROUP BY user_id;
CREATE INDEX counted_users_last ON counted_users (last_counted_on);

-- Users counted for the first time ever, each in the one row of the subscription that did it: their sum is everybody.
ALTER TABLE daily_totals ADD COLUMN new_users integer NOT NULL DEFAULT 0;
UPDATE daily_totals d SET new_users = n.users
FROM (SELECT bot_id, order_id, (counted_at AT TIME ZONE 'UTC' + interval '3 hours')::date AS day, count(*) AS users
      FROM (SELECT DISTINCT ON (user_id) * FROM counted_subscriptions ORDER BY user_id, counted_at, resource_id) f
      GROUP BY 1, 2, 3) n
WHERE (d.bot_id, d.order_id, d.day) = (n.bot_id, n.order_id, n.day);

-- The days that are still open, and a day that is being closed. The primary key cannot find a day (it begins with the
-- bot), and without this every answer would read all days there ever were. The column never changes, so the counters
-- beside it are still updated without touching an index.
CREATE INDEX daily_totals_day ON daily_totals (day);

CREATE INDEX payouts_sent ON payouts (closed_at) WHERE status = 'sent'; -- the same for payouts

-- ── Closed days ─────────────────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE platform_days (
  day              date PRIMARY KEY,
  subscriptions    bigint NOT NULL DEFAULT 0,
  reversals        bigint NOT NULL DEFAULT 0,
  revenue_kopecks  bigint NOT NULL DEFAULT 0, -- rewards, less those taken back
  turnover_kopecks bigint NOT NULL DEFAULT 0, -- charges, less those returned
  payouts_kopecks  bigint NOT NULL DEFAULT 0,
  new_users        bigint NOT NULL DEFAULT 0
);

-- Every bot and order with a counted subscription on a closed day, and the last such day.
CREATE TABLE platform_sources (
  kind            text NOT NULL CHECK (kind IN ('bot', 'order')),
  id              bigint NOT NULL,
  last_counted_on date NOT NULL,
  PRIMARY KEY (kind, id)
);

-- The business day of core/clock.ts (Moscow, UTC+3 the whole year), and the moment at which one begins.
CREATE FUNCTION business_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS
  $$ SELECT (moment AT TIME ZONE 'UTC' + interval '3 hours')::date $$;
CREATE FUNCTION business_day_start(day date) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
  $$ SELECT (day - interval '3 hours') AT TIME ZONE 'UTC' $$;

-- Writes the closed days of a range as their facts are now. Whoever comes second waits for the first and then sees what
-- the first has written: a function's statements each take a new look at what is committed.
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

-- ── Closing a day, and facts that come after it ─────────────────────────────────────────────────────────────────────
-- A fact carries the time at which it was decided, and is written a little later; in the sandbox the clock may jump by
-- years in between. So every transaction that adds to a day holds that day's lock, shared with the others, until it
-- commits; a day is closed under the same lock, alone; and who finds its day closed already sums it up again. No fact
-- can be missed or counted twice, whatever the clocks say. Triggers do this, because they cannot be forgotten by a new
-- writer, and because neither tasks nor payouts should know about statistics. A day's lock is contended only while the
-- day is being closed, and closing never waits for it.

CREATE FUNCTION platform_day_lock(day date) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT day - DATE '2000-01-01' $$;

CREATE FUNCTION enter_platform_day(entered date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7303008, platform_day_lock(entered));
  IF entered <= (SELECT max(day) FROM platform_days) THEN
    PERFORM sum_up_platform_days(entered, entered);
  END IF;
END $$;

-- Closes the days up to `last_day` that are not closed yet, oldest first and at most so many, and answers how many. It
-- stops before a day that somebody is still writing to, or that somebody else is closing.
CREATE FUNCTION close_platform_days(last_day date, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  first_day date := coalesce((SELECT max(day) + 1 FROM platform_days),
                             least((SELECT min(day) FROM daily_totals),
                                   (SELECT business_day(min(closed_at)) FROM payouts WHERE status = 'sent')));
  next_day  date := first_day;
BEGIN
  IF first_day IS NULL THEN RETURN 0; END IF; -- nothing has happened yet
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
-- Once a statement, however many rows it wrote.
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
