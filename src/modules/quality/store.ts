import type { Queryable, Transaction } from '../../core/database.ts';
import type { SourceFigures } from './figures.ts';
import type { QualityLevel, QualityReason, SourceQuality } from './quality.ts';

/** Reasons shown with a score. */
const MOST_REASONS = 3;

const SELECT_QUALITY = `SELECT bot_id::float8 AS "botId", score, coalesce(override_level, level) AS level, reasons,
  override_reason AS "overrideReason" FROM bot_quality`;

/** Returns the quality of these bots. A bot that was never scored is left out. */
export async function findQuality(db: Queryable, botIds: readonly number[]): Promise<Map<number, SourceQuality>> {
  if (botIds.length === 0) return new Map();
  const rows = await db.query<SourceQuality>(`${SELECT_QUALITY} WHERE bot_id = ANY($1::bigint[])`, [botIds]);
  return new Map(rows.map((quality) => [quality.botId, quality]));
}

/** Returns the quality of all bots that have a score or an operator's level. */
export async function listQuality(db: Queryable): Promise<SourceQuality[]> {
  return db.query<SourceQuality>(`${SELECT_QUALITY} WHERE level <> 'new' OR override_level IS NOT NULL`);
}

export interface ScoredSource {
  readonly botId: number;
  readonly score: number | null;
  readonly level: QualityLevel;
  readonly reasons: readonly QualityReason[];
  readonly figures: SourceFigures;
}

/**
 * Stores the scores of a run. Bots without a task in the last days become `new` again. Returns the scored bots with an
 * operator's level, also one that was stored for a new bot since the levels were locked.
 */
export async function storeScores(
  tx: Transaction,
  sources: readonly ScoredSource[],
  now: Date,
): Promise<ReadonlySet<number>> {
  await tx.query(
    `UPDATE bot_quality SET score = NULL, level = 'new', reasons = '[]', computed_at = $2
     WHERE level <> 'new' AND NOT bot_id = ANY($1::bigint[])`,
    [sources.map(({ botId }) => botId), now],
  );
  if (sources.length === 0) return new Set();
  const rows = await tx.query<{ bot_id: bigint; is_overridden: boolean }>(
    `INSERT INTO bot_quality (bot_id, score, level, reasons, figures, computed_at)
     SELECT bot_id, score, level, reasons::jsonb, figures::jsonb, $6
     FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::text[], $5::text[]) AS t (bot_id, score, level, reasons, figures)
     ORDER BY bot_id
     ON CONFLICT (bot_id) DO UPDATE SET score = excluded.score, level = excluded.level, reasons = excluded.reasons,
       figures = excluded.figures, computed_at = excluded.computed_at
     RETURNING bot_id, override_level IS NOT NULL AS is_overridden`,
    [
      sources.map(({ botId }) => botId),
      sources.map(({ score }) => score),
      sources.map(({ level }) => level),
      sources.map(({ reasons }) => JSON.stringify(reasons.slice(0, MOST_REASONS))),
      sources.map(({ figures }) => JSON.stringify(figures)),
      now,
    ],
  );
  return new Set(rows.filter((row) => row.is_overridden).map((row) => Number(row.bot_id)));
}

/** Returns whether any bot ever had this many subscriptions. */
export async function hasScorableSource(db: Queryable, minSubscriptions: number): Promise<boolean> {
  const rows = await db.query('SELECT FROM bot_progress WHERE confirmed_total >= $1 LIMIT 1', [minSubscriptions]);
  return rows.length > 0;
}

/**
 * Returns the computed level of each bot and whether an operator's level replaces it, before a run overwrites it. The
 * lock makes an operator's decision wait: otherwise the owner would get a notice of a level that does not apply.
 */
export async function lockLevels(
  tx: Transaction,
): Promise<ReadonlyMap<number, { readonly level: QualityLevel; readonly isOverridden: boolean }>> {
  const rows = await tx.query<{ botId: number; level: QualityLevel; isOverridden: boolean }>(
    `SELECT bot_id::float8 AS "botId", level, override_level IS NOT NULL AS "isOverridden" FROM bot_quality
     ORDER BY bot_id FOR UPDATE`,
  );
  return new Map(rows.map(({ botId, ...level }) => [botId, level]));
}

/** Locks the level of one bot, so that no run of scoring changes it before the caller's decision is stored. */
export async function lockLevel(tx: Transaction, botId: number): Promise<void> {
  await tx.query('SELECT FROM bot_quality WHERE bot_id = $1 FOR UPDATE', [botId]);
}

/** Returns the owners and names of bots. */
export async function findOwners(
  tx: Queryable,
  botIds: readonly number[],
): Promise<{ readonly botId: number; readonly accountId: number; readonly username: string }[]> {
  return tx.query(
    `SELECT id::float8 AS "botId", account_id::float8 AS "accountId", username FROM bots
     WHERE id = ANY($1::bigint[]) ORDER BY id`,
    [botIds],
  );
}
