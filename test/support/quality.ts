import type { TestService } from './service.ts';

interface Level {
  readonly level: 'good' | 'watched' | 'low';
  readonly score?: number;
  readonly reasons?: readonly object[];
}

/** Stores the quality of a bot as an operator's decision, and lets the service read it. */
export async function setQuality(
  { database, sandbox }: Pick<TestService, 'database' | 'sandbox'>,
  botId: number,
  { level, score, reasons = [] }: Level,
): Promise<void> {
  await database.db.query(
    `INSERT INTO bot_quality (bot_id, score, level, reasons, figures, computed_at, override_level, override_reason)
     VALUES ($1, $2, 'new', $3, '{}', now(), $4, 'a test')
     ON CONFLICT (bot_id) DO UPDATE SET score = excluded.score, reasons = excluded.reasons,
       override_level = excluded.override_level, override_reason = excluded.override_reason`,
    [botId, score ?? null, JSON.stringify(reasons), level],
  );
  await sandbox.advance(1);
}
