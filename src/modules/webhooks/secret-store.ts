import type { Queryable } from '../../core/database.ts';

/** The sealed secrets, present and previous, of webhooks whose address contains this text; of the newest few. */
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
