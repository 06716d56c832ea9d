import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

export type DepositRequestStatus = 'open' | 'credited' | 'declined';

/** An owner's request to pay money to an operator. */
export interface DepositRequest {
  readonly id: number;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly status: DepositRequestStatus;
  readonly createdAt: Date;
}

interface RequestRow {
  id: bigint;
  account_id: bigint;
  amount_kopecks: bigint;
  status: DepositRequestStatus;
  created_at: Date;
}

const COLUMNS = 'id, account_id, amount_kopecks, status, created_at';

const toRequest = (row: RequestRow): DepositRequest => ({
  id: Number(row.id),
  accountId: Number(row.account_id),
  amountKopecks: row.amount_kopecks,
  status: row.status,
  createdAt: row.created_at,
});

/** Stores a request. Returns undefined when the account has a request with this key. */
export async function insertDepositRequest(
  tx: Transaction,
  request: { accountId: number; key: string; amountKopecks: Kopecks; at: Date },
): Promise<DepositRequest | undefined> {
  const [row] = await tx.query<RequestRow>(
    `INSERT INTO deposit_requests (account_id, request_key, amount_kopecks, status, created_at)
     VALUES ($1, $2, $3, 'open', $4) ON CONFLICT (account_id, request_key) DO NOTHING RETURNING ${COLUMNS}`,
    [request.accountId, request.key, request.amountKopecks, request.at],
  );
  return row && toRequest(row);
}

export async function findDepositRequestByKey(
  db: Queryable,
  accountId: number,
  key: string,
): Promise<DepositRequest | undefined> {
  const [row] = await db.query<RequestRow>(
    `SELECT ${COLUMNS} FROM deposit_requests WHERE account_id = $1 AND request_key = $2`,
    [accountId, key],
  );
  return row && toRequest(row);
}

export async function findDepositRequest(db: Queryable, id: number): Promise<DepositRequest | undefined> {
  const [row] = await db.query<RequestRow>(`SELECT ${COLUMNS} FROM deposit_requests WHERE id = $1`, [id]);
  return row && toRequest(row);
}

export async function lockDepositRequest(tx: Transaction, id: number): Promise<DepositRequest | undefined> {
  const [row] = await tx.query<RequestRow>(`SELECT ${COLUMNS} FROM deposit_requests WHERE id = $1 FOR UPDATE`, [id]);
  return row && toRequest(row);
}

export async function countOpenDepositRequests(db: Queryable, accountId?: number): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(
    `SELECT count(*) AS count FROM deposit_requests
     WHERE status = 'open' AND ($1::bigint IS NULL OR account_id = $1)`,
    [accountId ?? null],
  );
  return Number(row?.count ?? 0);
}

/** Lists open requests with an id above `after`, oldest first. */
export async function listOpenDepositRequests(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<DepositRequest[]> {
  const rows = await db.query<RequestRow>(
    `SELECT ${COLUMNS} FROM deposit_requests WHERE status = 'open' AND id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
  return rows.map(toRequest);
}

export async function saveDepositClosed(
  tx: Transaction,
  id: number,
  status: 'credited' | 'declined',
  at: Date,
): Promise<void> {
  await tx.query('UPDATE deposit_requests SET status = $2, closed_at = $3 WHERE id = $1', [id, status, at]);
}
