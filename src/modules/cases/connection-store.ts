import type { Queryable } from '../../core/database.ts';

export interface Connection {
  readonly accountId: number;
  readonly otherId: number;
}

/** More pairs are not cached. A pair costs about 100 bytes. */
const MOST_PAIRS = 200_000;

const COLUMNS = 'c.account_id::float8 AS "accountId", c.other_id::float8 AS "otherId"';

/** Returns the pairs of a publisher and another account, in which one could buy from the other. */
export async function listConnections(db: Queryable): Promise<Connection[]> {
  return db.query<Connection>(
    `SELECT ${COLUMNS} FROM connected_accounts c
     WHERE EXISTS (SELECT FROM bots b WHERE b.account_id = c.account_id) LIMIT $1`,
    [MOST_PAIRS],
  );
}

/** Returns the pairs of one account. */
export async function listConnectionsOf(db: Queryable, accountId: number): Promise<Connection[]> {
  return db.query<Connection>(`SELECT ${COLUMNS} FROM connected_accounts c WHERE c.account_id = $1`, [accountId]);
}

/** Stores that these accounts have different owners. Returns how many pairs changed. */
export async function disconnect(
  db: Queryable,
  { accountId, otherIds, at }: { accountId: number; otherIds: readonly number[]; at: Date },
): Promise<number> {
  const rows = await db.query(
    `INSERT INTO unconnected_accounts (account_id, other_id, at)
     SELECT pair.a, pair.b, $3 FROM unnest($2::bigint[]) AS other (id)
       CROSS JOIN LATERAL (VALUES ($1::bigint, other.id), (other.id, $1::bigint)) AS pair (a, b)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [accountId, otherIds, at],
  );
  return rows.length / 2;
}

/** Removes such a decision. Returns whether there was one. */
export async function reconnect(db: Queryable, accountId: number, otherId: number): Promise<boolean> {
  const rows = await db.query(
    `DELETE FROM unconnected_accounts
     WHERE (account_id = $1 AND other_id = $2) OR (account_id = $2 AND other_id = $1) RETURNING 1`,
    [accountId, otherId],
  );
  return rows.length > 0;
}

export interface ConnectedAccount {
  readonly accountId: number;
  readonly name: string;
  /** False when an operator decided that the two have different owners. */
  readonly isConnected: boolean;
}

/** Returns the accounts that appear to share an owner with this one, or once did. */
export async function listConnectedAccounts(
  db: Queryable,
  accountId: number,
  limit: number,
): Promise<ConnectedAccount[]> {
  return db.query<ConnectedAccount>(
    `SELECT a.id::float8 AS "accountId", a.name, bool_or(f.is_connected) AS "isConnected"
     FROM (SELECT other_id, true AS is_connected FROM connected_accounts WHERE account_id = $1
           UNION ALL SELECT other_id, false FROM unconnected_accounts WHERE account_id = $1) f
       JOIN accounts a ON a.id = f.other_id
     GROUP BY a.id, a.name ORDER BY a.id LIMIT $2`,
    [accountId, limit],
  );
}
