-- Contests are scored by settled revenue, and an operator approves the standings before prizes are paid (decision 0071).

ALTER TABLE contests DROP CONSTRAINT contests_metric_check;
ALTER TABLE contests ADD CONSTRAINT contests_metric_check CHECK (metric IN ('settled_subscriptions', 'settled_revenue'));
ALTER TABLE contests ADD COLUMN approved_at timestamptz; -- since when prizes may be paid; with creation where no approval is needed
UPDATE contests SET approved_at = created_at;            -- those made before this rule go on as they were announced
UPDATE contests SET metric = 'settled_revenue' WHERE finished_at IS NULL AND cancelled_at IS NULL;

ALTER TABLE contest_results ADD COLUMN revenue_kopecks bigint NOT NULL DEFAULT 0 CHECK (revenue_kopecks >= 0);

-- What a count needs is in the index: the order, for its price and owner, and the reward. One entry per settlement, as before.
DROP INDEX offers_settled;
CREATE INDEX offers_settled ON offers (settled_at, account_id) INCLUDE (order_id, reward_kopecks)
  WHERE settled_at IS NOT NULL;
