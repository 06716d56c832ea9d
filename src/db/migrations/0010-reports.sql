-- What owners are shown of their own: days, sources, the next releases from hold, and the history of their money.
--
-- Nothing here is written by the task flow; these are ways to find rows that are written anyway. Each says what it adds
-- to a confirm, the one thing that must stay cheap.

-- ── Days ────────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Without the day in the key a chart of seven days would read every day there ever was. One entry each per (bot, order,
-- day), made when that row is; the counters in it are then updated without touching an index, so a confirm pays nothing.

CREATE INDEX daily_totals_of_bot ON daily_totals (bot_id, day);
CREATE INDEX daily_totals_of_order ON daily_totals (order_id, day);
DROP INDEX daily_totals_order; -- the same beginning, without the day

-- ── What leaves hold next ───────────────────────────────────────────────────────────────────────────────────────────
-- Only what is in hold has an entry: with the default hold that is a day's subscriptions, however many there were before.
-- It costs one entry per confirm with hold, and one when the worker takes the offer in hand. Both updates move the row
-- out of its page's chain already (offers_to_check and the indexes by confirmed_at), so no update becomes dearer in kind,
-- and the state that ends a hold leaves no entry.

CREATE INDEX offers_in_hold ON offers (account_id, release_at) WHERE state = 'held';

-- ── History ─────────────────────────────────────────────────────────────────────────────────────────────────────────
-- Transfers of an owner by their number, newest first. The kinds are only in the conditions: both kinds belong to
-- accounts, so one range of one index has them in order. What moves between an owner's own two (a release from hold) has
-- its entry in the second index alone; nothing is read or kept twice. Margins, which are half of all transfers, and
-- payouts on their way out are in neither.
-- It costs one entry per confirm, one per release and one per reversal, each at the end of its owner's range.

CREATE INDEX ledger_transfers_from_owner ON ledger_transfers (from_owner_id, id)
  WHERE from_kind IN ('available', 'hold')
    AND (to_kind NOT IN ('available', 'hold') OR to_owner_id <> from_owner_id);
CREATE INDEX ledger_transfers_to_owner ON ledger_transfers (to_owner_id, id)
  WHERE to_kind IN ('available', 'hold');
