import type { Queryable, Transaction } from '../../core/database.ts';

export type OverrideLevel = 'good' | 'watched' | 'low';

/**
 * Sets or removes an operator's level of a bot. Returns false when nothing changed. A bot without a score gets a row, which
 * the next scoring fills.
 */
export async function saveOverride(
  tx: Transaction,
  { botId, level, reason, at }: { botId: number; level: OverrideLevel | null; reason: string; at: Date },
): Promise<boolean> {
  if (level === null) {
    const rows = await tx.query(
      `UPDATE bot_quality SET override_level = NULL, override_reason = NULL
       WHERE bot_id = $1 AND override_level IS NOT NULL RETURNING bot_id`,
      [botId],
    );
    return rows.length > 0;
  }
  const rows = await tx.query(
    `INSERT INTO bot_quality AS q (bot_id, level, reasons, figures, computed_at, override_level, override_reason)
     VALUES ($1, 'new', '[]', '{}', $4, $2, $3)
     ON CONFLICT (bot_id) DO UPDATE SET override_level = $2, override_reason = $3
       WHERE q.override_level IS DISTINCT FROM $2
     RETURNING bot_id`,
    [botId, level, reason, at],
  );
  return rows.length > 0;
}

export interface QualityOverride {
  readonly level: OverrideLevel;
  readonly reason: string;
}

export async function findOverride(db: Queryable, botId: number): Promise<QualityOverride | undefined> {
  const [row] = await db.query<QualityOverride>(
    `SELECT override_level AS level, override_reason AS reason FROM bot_quality
     WHERE bot_id = $1 AND override_level IS NOT NULL`,
    [botId],
  );
  return row;
}
