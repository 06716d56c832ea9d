import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { LedgerAccount, LedgerKind } from './account.ts';
import {
  movesMoney,
  type OwnerTransferKind,
  type Transfer,
  type TransferKind,
  type TransferReferences,
} from './transfer.ts';

/** Opens accounts with a balance of zero. Existing accounts stay as they are. */
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
 * Posts transfers: the only function that moves money. Writes the transfers whose keys are new, applies them to the
 * balances, and returns the new keys. A repeated call does nothing. A balance that must not be negative fails the
 * transaction.
 */
export async function postTransfers(tx: Transaction, transfers: readonly Transfer[], at: Date): Promise<Set<string>> {
  // Inserting locks the keys, so they are sorted: two transactions then cannot wait for each other.
  const moving = transfers.filter(movesMoney).sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  if (moving.length === 0) return new Set();

  const [outcome] = await tx.query<{ keys: string[] | null; moved: bigint; applied: bigint }>(POST_SQL, [
    moving.map(({ key }) => key),
    moving.map(({ from }) => from.kind),
    moving.map(({ from }) => from.ownerId),
    moving.map(({ to }) => to.kind),
    moving.map(({ to }) => to.ownerId),
    moving.map(({ amountKopecks }) => amountKopecks),
    moving.map(({ kind }) => kind),
    ...REFERENCES.map((field) => referencesOf(moving, field)),
    at,
  ]);
  if (outcome === undefined || outcome.moved !== outcome.applied) {
    throw new Error('a transfer names a ledger account that was never opened');
  }
  return new Set(outcome.keys ?? moving.map(({ key }) => key));
}

const REFERENCES = ['orderId', 'botId', 'userId', 'payoutId', 'contestId', 'place'] as const;

/** Returns null when no transfer has the field: `unnest` fills a missing array with NULLs, and the batch stays small. */
function referencesOf(transfers: readonly Transfer[], field: (typeof REFERENCES)[number]): (number | null)[] | null {
  return transfers.some((transfer) => transfer[field] !== undefined)
    ? transfers.map((transfer) => transfer[field] ?? null)
    : null;
}

// The sorted keys and the ORDER BY of the accounts give all posts one lock order, so two posts cannot deadlock.
const POST_SQL = `
  WITH posted AS (
    INSERT INTO ledger_transfers (key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks, kind, order_id,
                                  bot_id, user_id, payout_id, contest_id, place, created_at)
    SELECT t.*, $14::timestamptz
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[],
                $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::integer[]) AS t
    ON CONFLICT (key) DO NOTHING
    RETURNING key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks
  ), moved AS (
    SELECT kind, owner_id, sum(amount)::bigint AS amount
    FROM (SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM posted
          UNION ALL
          SELECT to_kind, to_owner_id, amount_kopecks FROM posted) AS changes
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
  -- NULL means that every key was new; avoids sending thousands of keys back.
  SELECT CASE WHEN (SELECT count(*) FROM posted) < cardinality($1::text[])
           THEN coalesce((SELECT array_agg(key) FROM posted), '{}') END AS keys,
         (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM applied) AS applied`;

export type BalanceOf = (account: LedgerAccount) => Kopecks;

/** Returns the current balances; zero for an account that was never opened. */
export async function readBalances(db: Queryable, accounts: readonly LedgerAccount[]): Promise<BalanceOf> {
  // Selects every kind for every owner. For mixed kinds that is more than needed, but it always uses the primary key.
  const rows = await db.query<BalanceRow>(
    `SELECT kind, owner_id, balance_kopecks FROM ledger_accounts
     WHERE kind = ANY($1::text[]) AND owner_id = ANY($2::bigint[])`,
    [[...new Set(accounts.map(({ kind }) => kind))], accounts.map(({ ownerId }) => ownerId)],
  );
  return balancesIn(rows);
}

/** Returns the balance of the service: the sum over all platform accounts. */
export async function readPlatformBalance(db: Queryable): Promise<Kopecks> {
  const [row] = await db.query<{ balance: bigint }>(
    "SELECT coalesce(sum(balance_kopecks), 0)::bigint AS balance FROM ledger_accounts WHERE kind = 'platform'",
  );
  return row?.balance ?? 0n;
}

/** Returns the balances and locks them: no other transaction changes them before this one ends. */
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
 * Returns every account with its stored balance and the sum of its transfers, folded ones included. One statement, so that
 * a concurrent fold is seen as a whole or not at all.
 */
export async function recomputeAccounts(db: Queryable): Promise<RecomputedAccount[]> {
  return db.query<RecomputedAccount>(
    `WITH changes AS (
       SELECT from_kind AS kind, from_owner_id AS owner_id, -amount_kopecks AS amount FROM ledger_transfers
       UNION ALL
       SELECT to_kind, to_owner_id, amount_kopecks FROM ledger_transfers
       UNION ALL
       SELECT kind, owner_id, amount_kopecks FROM ledger_folded_sums
     ), sums AS (
       SELECT kind, owner_id, sum(amount)::bigint AS amount FROM changes GROUP BY kind, owner_id
     )
     SELECT kind, owner_id::float8 AS "ownerId", coalesce(a.balance_kopecks, 0) AS "storedKopecks",
            coalesce(s.amount, 0) AS "recomputedKopecks"
     FROM ledger_accounts a FULL JOIN sums s USING (kind, owner_id)
     ORDER BY kind, owner_id`,
  );
}

export type RecordedTransfer = Omit<Transfer, keyof TransferReferences> &
  TransferReferences & { readonly id: number; readonly createdAt: Date };

const TRANSFER_COLUMNS = `t.id::float8 AS id, t.kind, t.key, t.from_kind AS "fromKind",
  t.from_owner_id::float8 AS "fromOwnerId", t.to_kind AS "toKind", t.to_owner_id::float8 AS "toOwnerId",
  t.amount_kopecks AS "amountKopecks", t.order_id::float8 AS "orderId", t.bot_id::float8 AS "botId",
  t.user_id::float8 AS "userId", t.payout_id::float8 AS "payoutId", t.contest_id::float8 AS "contestId", t.place,
  t.created_at AS "createdAt"`;

type TransferRow<Kind extends TransferKind = TransferKind> = Omit<RecordedTransfer, 'kind' | 'from' | 'to'> & {
  readonly kind: Kind;
  readonly fromKind: LedgerKind;
  readonly fromOwnerId: number;
  readonly toKind: LedgerKind;
  readonly toOwnerId: number;
};

function toTransfer<Kind extends TransferKind>(row: TransferRow<Kind>): RecordedTransfer & { readonly kind: Kind } {
  const { fromKind, fromOwnerId, toKind, toOwnerId, ...transfer } = row;
  return {
    ...transfer,
    from: { kind: fromKind, ownerId: fromOwnerId },
    to: { kind: toKind, ownerId: toOwnerId },
  };
}

export async function latestTransfers(db: Queryable, limit: number): Promise<RecordedTransfer[]> {
  const rows = await db.query<TransferRow>(
    `SELECT ${TRANSFER_COLUMNS} FROM ledger_transfers t ORDER BY t.id DESC LIMIT $1`,
    [limit],
  );
  return rows.map(toTransfer);
}

export type OwnerTransfer = RecordedTransfer & { readonly kind: OwnerTransferKind };

/** The sum of the folded transfers of one account (decision 0040). */
export interface FoldedSum {
  readonly availableKopecks: Kopecks;
  readonly holdKopecks: Kopecks;
  /** The time of the latest of them. */
  readonly lastAt: Date;
}

/** Higher than any id: the start of the newest page. */
const HIGHEST_ID = 2n ** 63n - 1n;

/** Selects transfers of one kind, of a time, or about the order, bot, user or payout with this number. */
export interface TransferFilter {
  readonly kind?: OwnerTransferKind | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly about?: number | undefined;
}

/** Lists the transfers that changed an account's balance or hold, newest first, with ids below `before`. */
export async function listTransfersOf(
  db: Queryable,
  {
    accountId,
    before,
    limit,
    filter = {},
  }: { accountId: number; before: number | undefined; limit: number; filter?: TransferFilter },
): Promise<{ readonly transfers: OwnerTransfer[]; readonly folded: FoldedSum | null }> {
  type Row = { [Column in keyof TransferRow]: TransferRow<OwnerTransferKind>[Column] | null } & {
    available: bigint;
    hold: bigint;
    lastAt: Date | null;
  };
  const { kind, from, until, about } = filter;
  const values: unknown[] = [accountId, before ?? HIGHEST_ID, limit];
  const also = (value: unknown, condition: (parameter: string) => string): string =>
    value === undefined ? '' : ` AND ${condition(`$${values.push(value)}`)}`;
  const conditions = [
    also(kind, (parameter) => `kind = ${parameter}`),
    also(from, (parameter) => `created_at >= ${parameter}`),
    also(until, (parameter) => `created_at < ${parameter}`),
    also(about, (parameter) => `${parameter} IN (order_id, bot_id, user_id, payout_id)`),
  ].join('');
  const rows = await db.query<Row>(historySql(conditions), values);
  const [first] = rows;
  const isTransfer = (row: Row): row is Row & TransferRow<OwnerTransferKind> => row.id !== null;
  return {
    transfers: rows.filter(isTransfer).map(({ available, hold, lastAt, ...row }) => toTransfer(row)),
    folded:
      first === undefined || first.lastAt === null
        ? null
        : { availableKopecks: first.available, holdKopecks: first.hold, lastAt: first.lastAt },
  };
}

// One statement, so that a concurrent fold is seen as a whole or not at all. The conditions repeat those of the two partial
// indexes literally; otherwise PostgreSQL would not use them. Together they select each transfer once.
const historySql = (conditions: string): string => `
  WITH folded AS MATERIALIZED (
    SELECT coalesce(sum(amount_kopecks) FILTER (WHERE kind = 'available'), 0)::bigint AS available,
           coalesce(sum(amount_kopecks) FILTER (WHERE kind = 'hold'), 0)::bigint AS hold, max(last_at) AS "lastAt"
    FROM ledger_folded_sums WHERE kind IN ('available', 'hold') AND owner_id = $1
  ), page AS (
    (SELECT * FROM ledger_transfers
     WHERE from_owner_id = $1 AND id < $2 AND from_kind IN ('available', 'hold')
       AND (to_kind NOT IN ('available', 'hold') OR to_owner_id <> from_owner_id)${conditions}
     ORDER BY id DESC LIMIT $3)
    UNION ALL
    (SELECT * FROM ledger_transfers
     WHERE to_owner_id = $1 AND id < $2 AND to_kind IN ('available', 'hold')${conditions}
     ORDER BY id DESC LIMIT $3)
    ORDER BY id DESC LIMIT $3
  )
  SELECT ${TRANSFER_COLUMNS}, folded.* FROM folded LEFT JOIN page t ON true ORDER BY t.id DESC`;

/** Folds old transfers among the next `atMost`, in one transaction. Returns how many it folded. */
export async function foldBatch(db: Queryable, olderThan: Date, atMost: number): Promise<number> {
  const [row] = await db.query<{ folded: number }>('SELECT fold_transfers($1, $2) AS folded', [olderThan, atMost]);
  return row?.folded ?? 0;
}
