import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Contest, NewContest, ScoringRules, Standing } from './contest.ts';

const COLUMNS = `id::float8 AS id, name, starts_at AS "startsAt", ends_at AS "endsAt", prizes AS "prizesKopecks",
  approved_at AS "approvedAt", finished_at AS "finishedAt", cancelled_at AS "cancelledAt"`;

/** Stores a contest, unless one with its key exists. Returns the stored one. */
export async function insertContest(
  tx: Transaction,
  contest: NewContest & { readonly at: Date; readonly needsApproval: boolean },
): Promise<{ readonly contest: Contest; readonly isNew: boolean }> {
  const inserted = await tx.query(
    `INSERT INTO contests (create_key, name, metric, starts_at, ends_at, prizes, created_at, approved_at)
     VALUES ($1, $2, 'settled_revenue', $3, $4, $5::bigint[], $6, $7) ON CONFLICT (create_key) DO NOTHING RETURNING id`,
    [
      contest.key,
      contest.name,
      contest.startsAt,
      contest.endsAt,
      contest.prizesKopecks,
      contest.at,
      contest.needsApproval ? null : contest.at,
    ],
  );
  const [row] = await tx.query<Contest>(`SELECT ${COLUMNS} FROM contests WHERE create_key = $1`, [contest.key]);
  if (row === undefined) throw new Error('a contest disappeared while it was being created');
  return { contest: row, isNew: inserted.length > 0 };
}

export async function findContest(db: Queryable, contestId: number): Promise<Contest | undefined> {
  const [row] = await db.query<Contest>(`SELECT ${COLUMNS} FROM contests WHERE id = $1`, [contestId]);
  return row;
}

export async function lockContest(tx: Transaction, contestId: number): Promise<Contest | undefined> {
  const [row] = await tx.query<Contest>(`SELECT ${COLUMNS} FROM contests WHERE id = $1 FOR UPDATE`, [contestId]);
  return row;
}

/** Locks and returns an approved, unfinished contest that ended by `endedBefore`; concurrent workers skip it. */
export async function lockEndedContest(tx: Transaction, endedBefore: Date): Promise<Contest | undefined> {
  const [row] = await tx.query<Contest>(
    `SELECT ${COLUMNS} FROM contests
     WHERE finished_at IS NULL AND cancelled_at IS NULL AND approved_at IS NOT NULL AND ends_at <= $1
     ORDER BY ends_at, contests.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [endedBefore],
  );
  return row;
}

/** Returns the earliest start among contests whose ranks are not frozen: they need the settlements since then. */
export async function findEarliestOpenStart(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ start: Date | null }>(
    'SELECT min(starts_at) AS start FROM contests WHERE finished_at IS NULL AND cancelled_at IS NULL',
  );
  return row?.start ?? null;
}

/** Lists contests, the latest end first. */
export async function listContests(db: Queryable, limit: number): Promise<Contest[]> {
  return db.query<Contest>(`SELECT ${COLUMNS} FROM contests ORDER BY ends_at DESC, contests.id DESC LIMIT $1`, [limit]);
}

export async function saveFinished(tx: Transaction, contestId: number, at: Date): Promise<void> {
  await tx.query('UPDATE contests SET finished_at = $2 WHERE id = $1', [contestId, at]);
}

export async function saveApproved(tx: Transaction, contestId: number, at: Date): Promise<void> {
  await tx.query('UPDATE contests SET approved_at = $2 WHERE id = $1', [contestId, at]);
}

/** Counts the contests that are over and wait for an operator's approval. */
export async function countWaitingContests(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM contests
     WHERE finished_at IS NULL AND cancelled_at IS NULL AND approved_at IS NULL AND ends_at <= $1`,
    [now],
  );
  return Number(row?.count ?? 0);
}

export async function saveCancelled(tx: Transaction, contestId: number, at: Date): Promise<void> {
  await tx.query('UPDATE contests SET cancelled_at = $2 WHERE id = $1', [contestId, at]);
}

/**
 * Ranks publishers by their settled revenue of the period, best first. Of two with the same revenue, the one who reached it
 * first ranks higher. These do not count: orders below the minimum price; orders that the advertiser's side confirms, since
 * the service cannot check those subscriptions; orders of the publisher's own or a connected account; banned accounts.
 */
export async function rankPublishers(
  db: Queryable,
  { from, until, minimumPriceKopecks }: { from: Date; until: Date } & ScoringRules,
): Promise<Standing[]> {
  const rows = await db.query<Omit<Standing, 'rank'>>(
    `WITH settled AS (
       SELECT account_id, order_id, count(*) AS score, sum(reward_kopecks) AS revenue, max(settled_at) AS reached_at
       FROM tasks WHERE settled_at >= $1 AND settled_at < $2
       GROUP BY account_id, order_id
     ), dealings AS (
       SELECT s.account_id, o.account_id AS advertiser_id, sum(s.score) AS score, sum(s.revenue) AS revenue,
              max(s.reached_at) AS reached_at
       FROM settled s
       JOIN orders o ON o.id = s.order_id
       JOIN resources r ON r.id = o.resource_id
       JOIN accounts a ON a.id = s.account_id
       WHERE o.price_kopecks >= $3 AND o.account_id <> s.account_id AND a.banned_at IS NULL
         AND NOT (r.type = 'bot' AND r.bot_token_encrypted IS NULL)
       GROUP BY s.account_id, o.account_id
     )
     SELECT d.account_id::float8 AS "accountId", sum(d.score)::float8 AS score,
            sum(d.revenue)::bigint AS "revenueKopecks", max(d.reached_at) AS "reachedAt"
     FROM dealings d
     WHERE NOT EXISTS (SELECT FROM connected_accounts c
                       WHERE c.account_id = d.account_id AND c.other_id = d.advertiser_id)
     GROUP BY d.account_id HAVING sum(d.revenue) > 0 ORDER BY "revenueKopecks" DESC, "reachedAt", d.account_id`,
    [from, until, minimumPriceKopecks],
  );
  return rows.map((row, index) => ({ rank: index + 1, ...row }));
}

export interface Result extends Standing {
  readonly prizeKopecks: Kopecks;
}

export async function insertResults(tx: Transaction, contestId: number, results: readonly Result[]): Promise<void> {
  if (results.length === 0) return;
  await tx.query(
    `INSERT INTO contest_results (contest_id, rank, account_id, score, reached_at, prize_kopecks, revenue_kopecks)
     SELECT $1, * FROM unnest($2::integer[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::bigint[], $7::bigint[])`,
    [
      contestId,
      results.map((result) => result.rank),
      results.map((result) => result.accountId),
      results.map((result) => result.score),
      results.map((result) => result.reachedAt),
      results.map((result) => result.prizeKopecks),
      results.map((result) => result.revenueKopecks),
    ],
  );
}

/** Returns the frozen ranks, best first. */
export async function readResults(db: Queryable, contestId: number, limit: number): Promise<Result[]> {
  return db.query<Result>(
    `SELECT rank, account_id::float8 AS "accountId", score::float8 AS score, revenue_kopecks AS "revenueKopecks",
       reached_at AS "reachedAt", prize_kopecks AS "prizeKopecks"
     FROM contest_results WHERE contest_id = $1 ORDER BY rank LIMIT $2`,
    [contestId, limit],
  );
}

export interface OwnResult {
  readonly rank: number | null;
  readonly score: number;
  readonly revenueKopecks: Kopecks;
  readonly prizeKopecks: Kopecks;
  readonly participants: number;
}

/** Returns the account's result in each of these finished contests, and the number of participants. */
export async function readOwnResults(
  db: Queryable,
  accountId: number,
  contestIds: readonly number[],
): Promise<Map<number, OwnResult>> {
  const rows = await db.query<OwnResult & { readonly contestId: number }>(
    `SELECT c.id::float8 AS "contestId", r.rank, coalesce(r.score, 0)::float8 AS score,
       coalesce(r.revenue_kopecks, 0) AS "revenueKopecks", coalesce(r.prize_kopecks, 0) AS "prizeKopecks",
       -- Ranks have no gaps, so the last rank is the number of participants.
       coalesce((SELECT max(rank) FROM contest_results WHERE contest_id = c.id), 0) AS participants
     FROM unnest($2::bigint[]) AS c (id)
     LEFT JOIN contest_results r ON r.contest_id = c.id AND r.account_id = $1`,
    [accountId, contestIds],
  );
  return new Map(rows.map(({ contestId, ...result }) => [contestId, result]));
}
