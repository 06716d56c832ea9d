import { query } from './books.ts';
import type { Sandbox } from './sandbox.ts';

export interface PeriodFigures {
  readonly subscriptions: number;
  readonly reversals: number;
  readonly revenue: number;
  readonly payouts: number;
  readonly active_bots: number;
  readonly active_orders: number;
  readonly unique_users: number;
  readonly turnover: number;
  readonly platform_revenue: number;
}

export interface PlatformAnswer {
  readonly last_7_days: PeriodFigures;
  readonly last_30_days: PeriodFigures;
  readonly all_time: PeriodFigures;
}

export const NOTHING: PeriodFigures = {
  subscriptions: 0,
  reversals: 0,
  revenue: 0,
  payouts: 0,
  active_bots: 0,
  active_orders: 0,
  unique_users: 0,
  turnover: 0,
  platform_revenue: 0,
};

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Returns the start of the business day of `now`: midnight in Moscow, three hours before midnight in UTC. */
export function midnight(now: Date): number {
  return Math.floor((now.getTime() + 3 * HOUR) / DAY) * DAY - 3 * HOUR;
}

/** Keeps transfers that the service folds. `audit.transfers` then lists all transfers, so a test can audit years. */
export async function keepFoldedTransfers(url: string): Promise<void> {
  await query(url, 'CREATE SCHEMA audit');
  await query(url, 'CREATE TABLE audit.folded (LIKE ledger_transfers)');
  await query(
    url,
    `CREATE FUNCTION audit.keep() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN INSERT INTO audit.folded SELECT * FROM gone; RETURN NULL; END $$`,
  );
  await query(
    url,
    `CREATE TRIGGER keep AFTER DELETE ON ledger_transfers REFERENCING OLD TABLE AS gone
     FOR EACH STATEMENT EXECUTE FUNCTION audit.keep()`,
  );
  await query(url, 'CREATE VIEW audit.transfers AS TABLE ledger_transfers UNION ALL TABLE audit.folded');
}

/** Computes the figures from the kinds and times of the transfers, without the stored totals. */
const ledgerSql = (transfers: string): string => `
  WITH moved AS (
    SELECT *, kind IN ('reward_held', 'reward_paid', 'margin_charged') AS is_counted,
           kind IN ('reward_reversed', 'margin_returned') AS is_reversed, amount_kopecks AS amount
    FROM ${transfers}
    WHERE created_at >= $1 AND kind IN ('reward_held', 'reward_paid', 'margin_charged', 'reward_reversed',
                                        'margin_returned', 'payout_sent')
  )
  SELECT count(DISTINCT (user_id, bot_id, order_id)) FILTER (WHERE is_counted)::float8 AS subscriptions,
    count(DISTINCT (user_id, bot_id, order_id)) FILTER (WHERE is_reversed)::float8 AS reversals,
    (coalesce(sum(amount) FILTER (WHERE kind IN ('reward_held', 'reward_paid')), 0)
      - coalesce(sum(amount) FILTER (WHERE kind = 'reward_reversed'), 0))::float8 / 100 AS revenue,
    coalesce(sum(amount) FILTER (WHERE kind = 'payout_sent'), 0)::float8 / 100 AS payouts,
    (SELECT count(DISTINCT bot_id) FROM counted_subscriptions WHERE counted_at >= $1)::float8 AS active_bots,
    count(DISTINCT order_id) FILTER (WHERE is_counted)::float8 AS active_orders,
    count(DISTINCT user_id) FILTER (WHERE is_counted)::float8 AS unique_users,
    (coalesce(sum(amount) FILTER (WHERE is_counted AND from_kind = 'escrow'), 0)
      - coalesce(sum(amount) FILTER (WHERE is_reversed AND to_kind = 'escrow'), 0))::float8 / 100 AS turnover,
    (coalesce(sum(amount) FILTER (WHERE kind <> 'payout_sent' AND to_kind = 'platform'), 0)
      - coalesce(sum(amount) FILTER (WHERE kind <> 'payout_sent' AND from_kind = 'platform'), 0))::float8 / 100 AS platform_revenue
  FROM moved`;

/**
 * Returns the platform's figures, computed from the ledger alone and without regard to the cost. For tests that span
 * years it reads `audit.transfers`: see `keepFoldedTransfers`.
 */
export async function auditedFigures(
  url: string,
  now: Date,
  transfers: 'ledger_transfers' | 'audit.transfers' = 'ledger_transfers',
): Promise<PlatformAnswer> {
  const since = async (moment: number): Promise<PeriodFigures> => {
    const [row] = await query<PeriodFigures>(url, ledgerSql(transfers), [new Date(moment)]);
    return row ?? NOTHING;
  };
  return {
    last_7_days: await since(midnight(now) - 6 * DAY),
    last_30_days: await since(midnight(now) - 29 * DAY),
    all_time: await since(0),
  };
}

export async function platformStats(sandbox: Sandbox, token: string): Promise<PlatformAnswer> {
  const answer = await sandbox.call('GET', '/api/v1/platform-stats', undefined, { auth: token });
  if (answer.status !== 200)
    throw new Error(`platform-stats answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns the time of the sandbox's clock. */
export async function sandboxTime(sandbox: Sandbox): Promise<Date> {
  return new Date((await sandbox.control('GET', '/state')).now);
}
