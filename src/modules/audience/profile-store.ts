import type { Queryable } from '../../core/database.ts';

/** Where a learned value came from. */
export type ProfileSource = 'smart_link' | 'mini_app' | 'bot_api';

export interface LearnedValue {
  readonly field: string;
  readonly value: unknown;
  readonly source: ProfileSource;
  readonly learnedAt: Date;
}

/** Stores values; a newer value replaces an older one, field by field. */
export async function learnValues(
  db: Queryable,
  userId: number,
  values: Readonly<Record<string, unknown>>,
  { source, at }: { source: ProfileSource; at: Date },
): Promise<void> {
  const fields = Object.entries(values).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return;
  await db.query(
    `INSERT INTO audience_values AS v (user_id, field, value, source, learned_at)
     SELECT $1, field, value::jsonb, $4, $5 FROM unnest($2::text[], $3::text[]) AS t (field, value)
     ON CONFLICT (user_id, field) DO UPDATE SET value = excluded.value, source = excluded.source,
       learned_at = excluded.learned_at
     WHERE excluded.learned_at >= v.learned_at`,
    [userId, fields.map(([field]) => field), fields.map(([, value]) => JSON.stringify(value)), source, at],
  );
}

export async function learnedValues(db: Queryable, userId: number): Promise<LearnedValue[]> {
  const rows = await db.query<{ field: string; value: unknown; source: ProfileSource; learned_at: Date }>(
    'SELECT field, value, source, learned_at FROM audience_values WHERE user_id = $1 ORDER BY field',
    [userId],
  );
  return rows.map((row) => ({ field: row.field, value: row.value, source: row.source, learnedAt: row.learned_at }));
}
