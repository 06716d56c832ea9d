import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';

type InvoiceStatus = 'pending' | 'paid' | 'expired';

export interface DepositInvoice {
  readonly invoiceId: number;
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
  readonly url: string;
  readonly status: InvoiceStatus;
  readonly expiresAt: Date;
}

interface InvoiceRow {
  invoice_id: bigint;
  account_id: bigint;
  amount_kopecks: bigint;
  url: string;
  status: InvoiceStatus;
  expires_at: Date;
}

const COLUMNS = 'invoice_id, account_id, amount_kopecks, url, status, expires_at';

const toInvoice = (row: InvoiceRow): DepositInvoice => ({
  invoiceId: Number(row.invoice_id),
  accountId: Number(row.account_id),
  amountKopecks: row.amount_kopecks,
  url: row.url,
  status: row.status,
  expiresAt: row.expires_at,
});

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
  const [row] = await tx.query<InvoiceRow>(`SELECT ${COLUMNS} FROM deposit_invoices WHERE invoice_id = $1 FOR UPDATE`, [
    invoiceId,
  ]);
  return row && toInvoice(row);
}

export async function findInvoice(db: Queryable, invoiceId: number): Promise<DepositInvoice | undefined> {
  const [row] = await db.query<InvoiceRow>(`SELECT ${COLUMNS} FROM deposit_invoices WHERE invoice_id = $1`, [
    invoiceId,
  ]);
  return row && toInvoice(row);
}

/** Lists pending invoices with an id above `after`. */
export async function listPendingInvoices(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<DepositInvoice[]> {
  const rows = await db.query<InvoiceRow>(
    `SELECT ${COLUMNS} FROM deposit_invoices WHERE status = 'pending' AND invoice_id > $1 ORDER BY invoice_id LIMIT $2`,
    [after, limit],
  );
  return rows.map(toInvoice);
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
