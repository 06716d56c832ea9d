import type { Queryable } from '../../core/database.ts';

/** Returns the encrypted secrets, current and previous, of the newest endpoints whose URL contains this text. */
export async function readSecretsFor(db: Queryable, addressPart: string, limit: number): Promise<Buffer[]> {
  const rows = await db.query<{ secret_encrypted: Buffer | null; previous_secret_encrypted: Buffer | null }>(
    `SELECT secret_encrypted, previous_secret_encrypted FROM webhook_endpoints
     WHERE deleted_at IS NULL AND strpos(url, $1) > 0 ORDER BY id DESC LIMIT $2`,
    [addressPart, limit],
  );
  return rows.flatMap((row) =>
    [row.secret_encrypted, row.previous_secret_encrypted].filter((sealed) => sealed !== null),
  );
}
