import type { Queryable, Transaction } from '../../core/database.ts';
import type { Scope } from './bot.ts';

/** A token as it is stored: a hash, from which the token cannot be computed. */
export interface StoredToken {
  readonly id: number;
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** The token is refused from then on; `undefined` while no end is set. */
  readonly validUntil: Date | undefined;
}

export type TokenRow = Omit<StoredToken, 'validUntil'> & { readonly validUntil: Date | null };

const COLUMNS = `id::float8 AS id, token_hash AS hash, scopes, created_at AS "createdAt", revoked_at AS "validUntil"`;
/** Defines "valid" in SQL; `token-cache.ts` checks the same for cached tokens. */
export const validAt = (parameter: string): string => `(revoked_at IS NULL OR revoked_at > ${parameter})`;

const toToken = (row: TokenRow): StoredToken => ({ ...row, validUntil: row.validUntil ?? undefined });

export async function insertToken(
  tx: Transaction,
  token: { botId: number; hash: Buffer; scopes: readonly Scope[]; at: Date },
): Promise<void> {
  await tx.query('INSERT INTO api_tokens (bot_id, token_hash, scopes, created_at) VALUES ($1, $2, $3, $4)', [
    token.botId,
    token.hash,
    token.scopes,
    token.at,
  ]);
}

/** Returns the newest tokens first, including those that have ended. */
export async function selectTokens(db: Queryable, botId: number, limit: number): Promise<StoredToken[]> {
  const rows = await db.query<TokenRow>(
    `SELECT ${COLUMNS} FROM api_tokens WHERE bot_id = $1 ORDER BY api_tokens.id DESC LIMIT $2`,
    [botId, limit],
  );
  return rows.map(toToken);
}

/** Returns the newest tokens first. */
export async function selectValidTokens(db: Queryable, botId: number, at: Date): Promise<StoredToken[]> {
  const rows = await db.query<TokenRow>(
    `SELECT ${COLUMNS} FROM api_tokens WHERE bot_id = $1 AND ${validAt('$2')} ORDER BY api_tokens.id DESC`,
    [botId, at],
  );
  return rows.map(toToken);
}

/** Ends all tokens of a bot at that time; earlier ends stay. */
export async function endTokens(tx: Transaction, botId: number, until: Date): Promise<void> {
  await tx.query(`UPDATE api_tokens SET revoked_at = $2 WHERE bot_id = $1 AND ${validAt('$2')}`, [botId, until]);
}

/** Returns whether it was a valid token of the bot. */
export async function endToken(
  tx: Transaction,
  { botId, tokenId, at }: { botId: number; tokenId: number; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE api_tokens SET revoked_at = $3 WHERE id = $1 AND bot_id = $2 AND ${validAt('$3')} RETURNING id`,
    [tokenId, botId, at],
  );
  return rows.length > 0;
}

/** Adds a scope to the valid tokens of a bot, or removes it. Returns the number of these tokens. */
export async function setScope(
  tx: Transaction,
  { botId, scope, isGranted, at }: { botId: number; scope: Scope; isGranted: boolean; at: Date },
): Promise<number> {
  const rows = await tx.query(
    `UPDATE api_tokens
     SET scopes = CASE WHEN $3 THEN array_append(array_remove(scopes, $2), $2) ELSE array_remove(scopes, $2) END
     WHERE bot_id = $1 AND ${validAt('$4')} RETURNING id`,
    [botId, scope, isGranted, at],
  );
  return rows.length;
}
