import type { Queryable, Transaction } from '../../core/database.ts';
import { assert } from '../../core/errors.ts';
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

const REQUEST_COLUMNS = `id::float8 AS id, account_id::float8 AS "accountId", amount_kopecks AS "amountKopecks", status,
  created_at AS "createdAt"`;

/** Stores a request. Returns undefined when the account has a request with this key. */
export async function insertDepositRequest(
  tx: Transaction,
  request: { accountId: number; key: string; amountKopecks: Kopecks; at: Date },
): Promise<DepositRequest | undefined> {
  const [row] = await tx.query<DepositRequest>(
    `INSERT INTO deposit_requests (account_id, request_key, amount_kopecks, status, created_at)
     VALUES ($1, $2, $3, 'open', $4) ON CONFLICT (account_id, request_key) DO NOTHING RETURNING ${REQUEST_COLUMNS}`,
    [request.accountId, request.key, request.amountKopecks, request.at],
  );
  return row;
}

export async function findDepositRequestByKey(
  db: Queryable,
  accountId: number,
  key: string,
): Promise<DepositRequest | undefined> {
  const [row] = await db.query<DepositRequest>(
    `SELECT ${REQUEST_COLUMNS} FROM deposit_requests WHERE account_id = $1 AND request_key = $2`,
    [accountId, key],
  );
  return row;
}

export async function findDepositRequest(db: Queryable, id: number): Promise<DepositRequest | undefined> {
  const [row] = await db.query<DepositRequest>(`SELECT ${REQUEST_COLUMNS} FROM deposit_requests WHERE id = $1`, [id]);
  return row;
}

export async function lockDepositRequest(tx: Transaction, id: number): Promise<DepositRequest | undefined> {
  const [row] = await tx.query<DepositRequest>(
    `SELECT ${REQUEST_COLUMNS} FROM deposit_requests WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return row;
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
  return db.query<DepositRequest>(
    `SELECT ${REQUEST_COLUMNS} FROM deposit_requests d WHERE status = 'open' AND id > $1 ORDER BY d.id LIMIT $2`,
    [after, limit],
  );
}

export async function saveDepositClosed(
  tx: Transaction,
  id: number,
  status: 'credited' | 'declined',
  at: Date,
): Promise<void> {
  await tx.query('UPDATE deposit_requests SET status = $2, closed_at = $3 WHERE id = $1', [id, status, at]);
}

type InvoiceStatus = 'pending' | 'paid' | 'expired';

export interface DepositInvoice {
  readonly invoiceId: number;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly url: string;
  readonly status: InvoiceStatus;
  readonly expiresAt: Date;
}

const INVOICE_COLUMNS = `invoice_id::float8 AS "invoiceId", account_id::float8 AS "accountId",
  amount_kopecks AS "amountKopecks", url, status, expires_at AS "expiresAt"`;

export async function insertInvoice(
  db: Queryable,
  invoice: Omit<DepositInvoice, 'status'> & { readonly at: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO deposit_invoices (invoice_id, account_id, amount_kopecks, url, status, created_at, expires_at)
     VALUES ($1, $2, $3, $4, 'pending', $5, $6)`,
    [invoice.invoiceId, invoice.accountId, invoice.amountKopecks, invoice.url, invoice.at, invoice.expiresAt],
  );
}

export async function lockInvoice(tx: Transaction, invoiceId: number): Promise<DepositInvoice | undefined> {
  const [row] = await tx.query<DepositInvoice>(
    `SELECT ${INVOICE_COLUMNS} FROM deposit_invoices WHERE invoice_id = $1 FOR UPDATE`,
    [invoiceId],
  );
  return row;
}

export async function findInvoice(db: Queryable, invoiceId: number): Promise<DepositInvoice | undefined> {
  const [row] = await db.query<DepositInvoice>(
    `SELECT ${INVOICE_COLUMNS} FROM deposit_invoices WHERE invoice_id = $1`,
    [invoiceId],
  );
  return row;
}

/** Lists pending invoices with an id above `after`. */
export async function listPendingInvoices(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<DepositInvoice[]> {
  return db.query<DepositInvoice>(
    `SELECT ${INVOICE_COLUMNS} FROM deposit_invoices WHERE status = 'pending' AND invoice_id > $1 ORDER BY invoice_id LIMIT $2`,
    [after, limit],
  );
}

export async function savePaid(tx: Transaction, invoiceId: number, at: Date): Promise<void> {
  await tx.query("UPDATE deposit_invoices SET status = 'paid', paid_at = $2 WHERE invoice_id = $1", [invoiceId, at]);
}

export async function saveExpired(db: Queryable, invoiceIds: readonly number[]): Promise<void> {
  await db.query(
    "UPDATE deposit_invoices SET status = 'expired' WHERE invoice_id = ANY($1::bigint[]) AND status = 'pending'",
    [invoiceIds],
  );
}

/** A credit or a debit by an operator, and the column that says why. */
const TABLES = {
  credit: { table: 'operator_credits', textColumn: 'note' },
  debit: { table: 'operator_debits', textColumn: 'reason' },
} as const;
export type AdjustmentKind = keyof typeof TABLES;

export interface Adjustment {
  /** Names the payment or the request, so that a repeat changes nothing. */
  readonly key: string;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly text: string;
  readonly operatorId: number | null;
}

export type StoredAdjustment = Pick<Adjustment, 'accountId' | 'amountKopecks'>;

export async function findAdjustment(
  db: Queryable,
  kind: AdjustmentKind,
  key: string,
): Promise<StoredAdjustment | undefined> {
  const [row] = await db.query<StoredAdjustment>(
    `SELECT account_id::float8 AS "accountId", amount_kopecks AS "amountKopecks"
     FROM ${TABLES[kind].table} WHERE key = $1`,
    [key],
  );
  return row;
}

/** Stores the adjustment. Returns the earlier one when its key is in use, and stores nothing then. */
export async function insertAdjustment(
  tx: Transaction,
  kind: AdjustmentKind,
  { key, accountId, amountKopecks, text, operatorId, at }: Adjustment & { readonly at: Date },
): Promise<StoredAdjustment | undefined> {
  const { table, textColumn } = TABLES[kind];
  const inserted = await tx.query(
    `INSERT INTO ${table} (key, account_id, amount_kopecks, ${textColumn}, operator_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING RETURNING key`,
    [key, accountId, amountKopecks, text, operatorId, at],
  );
  if (inserted.length > 0) return undefined;
  const earlier = await findAdjustment(tx, kind, key);
  assert(earlier !== undefined, `a ${kind} disappeared while it was being stored`);
  return earlier;
}
