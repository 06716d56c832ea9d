import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type LedgerAccount, type LedgerKind, movesMoney, type Transfer } from './ledger.ts';

/** Opens accounts with a balance of zero. Opening one that exists changes nothing. */
export async function openAccounts(tx: Transaction, accounts: readonly LedgerAccount[]): Promise<void> {
  await tx.query(
    `INSERT INTO ledger_accounts (kind, owner_id, balance_kopecks)
     SELECT kind, owner_id, 0 FROM unnest($1::text[], $2::bigint[]) AS t (kind, owner_id)
     ORDER BY kind, owner_id
     ON CONFLICT DO NOTHING`,
    [accounts.map(({ kind }) => kind), accounts.map(({ ownerId }) => ownerId)],
  );
}

/**
 * The one function through which money moves. Writes the transfers whose keys are new, applies them to the balances,
 * and answers the keys that were new. Repeating a call does nothing; a balance that must not be negative fails the
 * transaction.
 */
export async function postTransfers(tx: Transaction, transfers: readonly Transfer[], at: Date): Promise<Set<string>> {
  // Keys are locked as they are inserted, so they too must come in one order.
  const moving = transfers.filter(movesMoney).sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  if (moving.length === 0) return new Set();

  const [outcome] = await tx.query<{ keys: string[] | null; moved: bigint; applied: bigint }>(POST_SQL, [
    moving.map(({ key }) => key),
    moving.map(({ from }) => from.kind),
    moving.map(({ from }) => from.ownerId),
    moving.map(({ to }) => to.kind),
    moving.map(({ to }) => to.ownerId),
    moving.map(({ amountKopecks }) => amountKopecks),
    at,
  ]);
  if (outcome === undefined || outcome.moved !== outcome.applied) {
    throw new Error('a transfer names a ledger account that was never opened');
  }
  return new Set(outcome.keys ?? moving.map(({ key }) => key));
}

// Keys and accounts are locked in one order whatever the order of the transfers, so two posts cannot deadlock.
const POST_SQL = `
  WITH posted AS (
    INSERT INTO ledger_transfers (key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks, created_at)
    SELECT t.*, $7::timestamptz
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[]) AS t
    ON CONFLICT (key) DO NOTHING
    RETURNING key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks
  ), moved AS (
    SELECT kind, owner_id, sum(amount)::bigint AS amount
    FROM (SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM posted
          UNION ALL
          SELECT to_kind, to_owner_id, amount_kopecks FROM posted) AS legs
    GROUP BY kind, owner_id
  ), locked AS (
    SELECT a.kind, a.owner_id, m.amount
    FROM ledger_accounts a JOIN moved m USING (kind, owner_id)
    ORDER BY a.kind, a.owner_id
    FOR UPDATE OF a
  ), applied AS (
    UPDATE ledger_accounts a SET balance_kopecks = a.balance_kopecks + l.amount
    FROM locked l WHERE a.kind = l.kind AND a.owner_id = l.owner_id
    RETURNING 1
  )
  -- All of them, as nearly always, goes without saying: the keys of a large batch are many.
  SELECT CASE WHEN (SELECT count(*) FROM posted) < cardinality($1::text[])
           THEN coalesce((SELECT array_agg(key) FROM posted), '{}') END AS keys,
         (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM applied) AS applied`;

export type BalanceOf = (account: LedgerAccount) => Kopecks;

/** Balances as of now; an account that was never opened has none, which is zero. */
export async function readBalances(db: Queryable, accounts: readonly LedgerAccount[]): Promise<BalanceOf> {
  // Every kind for every owner: more than was asked for when kinds are mixed, and always by the key.
  const rows = await db.query<BalanceRow>(
    `SELECT kind, owner_id, balance_kopecks FROM ledger_accounts
     WHERE kind = ANY($1::text[]) AND owner_id = ANY($2::bigint[])`,
    [[...new Set(accounts.map(({ kind }) => kind))], accounts.map(({ ownerId }) => ownerId)],
  );
  return balancesIn(rows);
}

/** The same, and nobody else moves money on these accounts until the transaction ends. */
export async function lockBalances(tx: Transaction, accounts: readonly LedgerAccount[]): Promise<BalanceOf> {
  const rows = await tx.query<BalanceRow>(
    `SELECT a.kind, a.owner_id, a.balance_kopecks
     FROM ledger_accounts a JOIN unnest($1::text[], $2::bigint[]) AS t (kind, owner_id) USING (kind, owner_id)
     ORDER BY a.kind, a.owner_id FOR UPDATE OF a`,
    [accounts.map(({ kind }) => kind), accounts.map(({ ownerId }) => ownerId)],
  );
  return balancesIn(rows);
}

interface BalanceRow {
  kind: LedgerKind;
  owner_id: bigint;
  balance_kopecks: bigint;
}

function balancesIn(rows: readonly BalanceRow[]): BalanceOf {
  const balances = new Map(rows.map((row) => [`${row.kind}:${row.owner_id}`, row.balance_kopecks]));
  return ({ kind, ownerId }) => balances.get(`${kind}:${ownerId}`) ?? 0n;
}

export interface RecomputedAccount extends LedgerAccount {
  readonly storedKopecks: Kopecks;
  readonly recomputedKopecks: Kopecks;
}

/**
 * Every account, with its stored balance beside the one that its transfers add up to, those carried as a sum included. In
 * one snapshot: what is folded at this moment is seen either here or there.
 */
export async function recomputeAccounts(db: Queryable): Promise<RecomputedAccount[]> {
  const rows = await db.query<{ kind: LedgerKind; owner_id: bigint; stored: bigint; recomputed: bigint }>(
    `WITH legs AS (
       SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM ledger_transfers
       UNION ALL
       SELECT to_kind, to_owner_id, amount_kopecks FROM ledger_transfers
       UNION ALL
       SELECT kind, owner_id, amount_kopecks FROM ledger_folded_sums
     ), sums AS (
       SELECT kind, owner_id, sum(amount)::bigint AS amount FROM legs GROUP BY kind, owner_id
     )
     SELECT kind, owner_id, coalesce(a.balance_kopecks, 0) AS stored, coalesce(s.amount, 0) AS recomputed
     FROM ledger_accounts a FULL JOIN sums s USING (kind, owner_id)
     ORDER BY kind, owner_id`,
  );
  return rows.map((row) => ({
    kind: row.kind,
    ownerId: Number(row.owner_id),
    storedKopecks: row.stored,
    recomputedKopecks: row.recomputed,
  }));
}

export interface RecordedTransfer extends Transfer {
  readonly id: number;
  readonly createdAt: Date;
}

export async function latestTransfers(db: Queryable, limit: number): Promise<RecordedTransfer[]> {
  const rows = await db.query<{
    id: bigint;
    key: string;
    from_kind: LedgerKind;
    from_owner_id: bigint;
    to_kind: LedgerKind;
    to_owner_id: bigint;
    amount_kopecks: bigint;
    created_at: Date;
  }>('SELECT * FROM ledger_transfers ORDER BY id DESC LIMIT $1', [limit]);
  return rows.map((row) => ({
    id: Number(row.id),
    key: row.key,
    from: { kind: row.from_kind, ownerId: Number(row.from_owner_id) },
    to: { kind: row.to_kind, ownerId: Number(row.to_owner_id) },
    amountKopecks: row.amount_kopecks,
    createdAt: row.created_at,
  }));
}
