import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

export interface ReleaseGroup {
  readonly releaseAt: Date;
  readonly untilAt: Date;
  readonly amountKopecks: Kopecks;
  readonly count: number;
}

export interface HoldAhead {
  readonly holdKopecks: Kopecks;
  /** How many rewards in hold were read. At the limit there may be more. */
  readonly read: number;
  readonly groups: readonly ReleaseGroup[];
}

/**
 * Returns the next releases of an account and one more group. Reads them with the balance in one query, so that both
 * agree.
 */
export async function readReleases(
  db: Queryable,
  { accountId, now, groups, sample }: { accountId: number; now: Date; groups: number; sample: number },
): Promise<HoldAhead> {
  const rows = await db.query<{
    balance: bigint;
    read: bigint;
    release_at: Date | null;
    until_at: Date;
    amount: bigint;
    count: bigint;
  }>(RELEASES_SQL, [accountId, now, sample, groups]);
  return {
    holdKopecks: rows[0]?.balance ?? 0n,
    read: Number(rows[0]?.read ?? 0n),
    groups: rows.flatMap((row) =>
      row.release_at === null
        ? []
        : { releaseAt: row.release_at, untilAt: row.until_at, amountKopecks: row.amount, count: Number(row.count) },
    ),
  };
}

// An overdue release is due now. Hours are UTC hours, which start at the same time as Moscow's.
const RELEASES_SQL = `
  WITH held AS MATERIALIZED (
    SELECT greatest(release_at, $2::timestamptz) AS at, reward_kopecks FROM tasks
    WHERE account_id = $1 AND state = 'held' ORDER BY release_at LIMIT $3
  ), times AS MATERIALIZED (
    SELECT at, sum(reward_kopecks) AS amount, count(*) AS count FROM held GROUP BY at
  ), few AS (
    SELECT count(*) <= $4 AS is_few FROM times
  ), next AS (
    SELECT min(at) AS release_at, max(at) AS until_at, sum(amount)::bigint AS amount, sum(count)::bigint AS count
    FROM times, few GROUP BY CASE WHEN is_few THEN at ELSE date_trunc('hour', at, 'UTC') END
    ORDER BY 1 LIMIT $4 + 1
  )
  SELECT coalesce((SELECT balance_kopecks FROM ledger_accounts WHERE kind = 'hold' AND owner_id = $1), 0) AS balance,
         (SELECT count(*) FROM held) AS read, next.*
  FROM (VALUES (1)) AS one LEFT JOIN next ON true
  ORDER BY release_at`;
