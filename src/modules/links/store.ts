import type { Queryable, Transaction } from '../../core/database.ts';
import type { Link, LinkRule } from './link.ts';

const COLUMNS = `l.id::float8 AS id, l.account_id::float8 AS "accountId", l.code, l.url, l.name, l.rules,
  l.created_at AS "createdAt"`;

/** Returns `undefined` when the code is taken, even by a deleted link. */
export async function insertLink(tx: Transaction, link: Omit<Link, 'id'>): Promise<Link | undefined> {
  const [row] = await tx.query<Link>(
    `INSERT INTO links AS l (account_id, code, url, name, rules, created_at) VALUES ($1, $2, $3, $4, $5::jsonb, $6)
     ON CONFLICT (code) DO NOTHING RETURNING ${COLUMNS}`,
    [link.accountId, link.code, link.url, link.name, JSON.stringify(link.rules), link.createdAt],
  );
  return row;
}

/** Returns one result per code, in order. Serves many visits in one query. */
export async function findLinksByCode(db: Queryable, codes: readonly string[]): Promise<(Link | undefined)[]> {
  const rows = await db.query<Link>(
    `SELECT ${COLUMNS} FROM links l WHERE code = ANY($1::text[]) AND deleted_at IS NULL`,
    [codes],
  );
  const found = new Map(rows.map((link) => [link.code, link]));
  return codes.map((code) => found.get(code));
}

/** Returns `undefined` also for a link of another account. */
export async function findLink(
  db: Queryable,
  { linkId, accountId }: { linkId: number; accountId: number },
): Promise<Link | undefined> {
  const [row] = await db.query<Link>(
    `SELECT ${COLUMNS} FROM links l WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`,
    [linkId, accountId],
  );
  return row;
}

/** Returns the newest links first; `beforeId` is the last id of the previous page. */
export async function listLinks(
  db: Queryable,
  { accountId, limit, beforeId }: { accountId: number; limit: number; beforeId?: number | undefined },
): Promise<Link[]> {
  return db.query<Link>(
    `SELECT ${COLUMNS} FROM links l WHERE account_id = $1 AND deleted_at IS NULL AND ($3::bigint IS NULL OR id < $3)
     ORDER BY l.id DESC LIMIT $2`,
    [accountId, limit, beforeId ?? null],
  );
}

/** Fields that are absent keep their values. */
export async function updateLink(
  tx: Transaction,
  change: {
    linkId: number;
    accountId: number;
    url: string | undefined;
    name: string | undefined;
    rules: readonly LinkRule[] | undefined;
  },
): Promise<Link | undefined> {
  const [row] = await tx.query<Link>(
    `UPDATE links l SET url = coalesce($3, url), name = coalesce($4, name), rules = coalesce($5::jsonb, rules)
     WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
    [
      change.linkId,
      change.accountId,
      change.url ?? null,
      change.name ?? null,
      change.rules === undefined ? null : JSON.stringify(change.rules),
    ],
  );
  return row;
}

export async function markDeleted(
  tx: Transaction,
  { linkId, accountId, at }: { linkId: number; accountId: number; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE links SET deleted_at = $3 WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING id',
    [linkId, accountId, at],
  );
  return rows.length > 0;
}
