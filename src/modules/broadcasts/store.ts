import type { Queryable, Transaction } from '../../core/database.ts';
import type { Language } from '../../core/locale.ts';
import type { Broadcast } from './broadcast.ts';

const COLUMNS = `id::float8 AS id, text_ru AS "textRu", text_en AS "textEn", created_by::float8 AS "createdBy",
  created_at AS "createdAt", total, sent, failed, finished_at AS "finishedAt", cancelled_at AS "cancelledAt"`;

interface BroadcastInsert {
  readonly key: string;
  readonly textRu: string;
  readonly textEn: string;
  readonly createdBy: number;
  readonly total: number;
  readonly at: Date;
}

/** Stores a broadcast, or returns the existing one with the same key. */
export async function insertBroadcast(
  tx: Transaction,
  broadcast: BroadcastInsert,
): Promise<{ readonly broadcast: Broadcast; readonly isNew: boolean }> {
  const inserted = await tx.query(
    `INSERT INTO broadcasts (create_key, text_ru, text_en, created_by, created_at, total)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (create_key) DO NOTHING RETURNING id`,
    [broadcast.key, broadcast.textRu, broadcast.textEn, broadcast.createdBy, broadcast.at, broadcast.total],
  );
  const [row] = await tx.query<Broadcast>(`SELECT ${COLUMNS} FROM broadcasts WHERE create_key = $1`, [broadcast.key]);
  if (row === undefined) throw new Error('a broadcast vanished while it was being stored');
  return { broadcast: row, isNew: inserted.length > 0 };
}

export async function findBroadcast(db: Queryable, id: number): Promise<Broadcast | undefined> {
  const [row] = await db.query<Broadcast>(`SELECT ${COLUMNS} FROM broadcasts WHERE id = $1`, [id]);
  return row;
}

/** Returns the newest broadcasts first, those before the id `before`. */
export async function listBroadcasts(
  db: Queryable,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Broadcast[]> {
  return db.query<Broadcast>(
    `SELECT ${COLUMNS} FROM broadcasts b WHERE $1::bigint IS NULL OR id < $1 ORDER BY b.id DESC LIMIT $2`,
    [before ?? null, limit],
  );
}

/** Returns whether the broadcast was still being sent. */
export async function saveStopped(tx: Transaction, id: number, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE broadcasts SET cancelled_at = $2 WHERE id = $1 AND finished_at IS NULL AND cancelled_at IS NULL RETURNING id',
    [id, at],
  );
  return rows.length > 0;
}

/** A broadcast that one sender has leased. */
export interface Sending {
  readonly id: number;
  readonly sender: string;
  readonly texts: Readonly<Record<Language, string>>;
  readonly createdAt: Date;
  readonly lastAccountId: number;
  /** Failed attempts for the account after `lastAccountId`. */
  readonly attempts: number;
}

/** Leases the oldest unfinished broadcast that no other sender holds. */
export async function claimBroadcast(
  db: Queryable,
  { sender, now, leaseUntil }: { sender: string; now: Date; leaseUntil: Date },
): Promise<Sending | undefined> {
  const [row] = await db.query<Omit<Sending, 'sender' | 'texts'> & { readonly ru: string; readonly en: string }>(
    `UPDATE broadcasts SET sender = $1, lease_until = $3
     WHERE id = (SELECT id FROM broadcasts
                 WHERE finished_at IS NULL AND cancelled_at IS NULL AND coalesce(not_before, $2) <= $2
                   AND coalesce(lease_until, $2) <= $2
                 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id::float8 AS id, text_ru AS ru, text_en AS en, created_at AS "createdAt",
       last_account_id::float8 AS "lastAccountId", attempts`,
    [sender, now, leaseUntil],
  );
  if (row === undefined) return undefined;
  const { ru, en, ...sending } = row;
  return { ...sending, sender, texts: { ru, en } };
}

type Held = Pick<Sending, 'id' | 'sender'>;

/**
 * Records one message. Returns whether the sender may continue: `false` when another sender holds the lease or an
 * operator stopped the broadcast.
 */
export async function recordPosted(
  db: Queryable,
  { id, sender }: Held,
  posted: { accountId: number; isSent: boolean; leaseUntil: Date },
): Promise<boolean> {
  const [row] = await db.query<{ goes_on: boolean }>(
    `UPDATE broadcasts SET last_account_id = $3, sent = sent + $4, failed = failed + $5, attempts = 0, lease_until = $6
     WHERE id = $1 AND sender = $2 RETURNING cancelled_at IS NULL AS goes_on`,
    [id, sender, posted.accountId, posted.isSent ? 1 : 0, posted.isSent ? 0 : 1, posted.leaseUntil],
  );
  return row?.goes_on ?? false;
}

/** Releases the broadcast; it continues after `until`. `attempts` counts the failures for the next account. */
export async function putOff(
  db: Queryable,
  { id, sender }: Held,
  { until, attempts }: { until: Date; attempts: number },
): Promise<void> {
  await db.query(
    `UPDATE broadcasts SET sender = NULL, lease_until = NULL, not_before = $3, attempts = $4
     WHERE id = $1 AND sender = $2`,
    [id, sender, until, attempts],
  );
}

export async function saveFinished(db: Queryable, { id, sender }: Held, at: Date): Promise<void> {
  await db.query(
    `UPDATE broadcasts SET finished_at = $3, sender = NULL, lease_until = NULL
     WHERE id = $1 AND sender = $2 AND cancelled_at IS NULL`,
    [id, sender, at],
  );
}
