import type { Queryable, Transaction } from '../../core/database.ts';
import type { Broadcast } from './broadcast.ts';

interface BroadcastRow {
  id: bigint;
  text_ru: string;
  text_en: string;
  created_by: bigint;
  created_at: Date;
  total: number;
  sent: number;
  failed: number;
  finished_at: Date | null;
  cancelled_at: Date | null;
}

const COLUMNS = 'id, text_ru, text_en, created_by, created_at, total, sent, failed, finished_at, cancelled_at';

const toBroadcast = (row: BroadcastRow): Broadcast => ({
  id: Number(row.id),
  textRu: row.text_ru,
  textEn: row.text_en,
  createdBy: Number(row.created_by),
  createdAt: row.created_at,
  total: row.total,
  sent: row.sent,
  failed: row.failed,
  finishedAt: row.finished_at,
  cancelledAt: row.cancelled_at,
});

export interface BroadcastInsert {
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
  const [row] = await tx.query<BroadcastRow>(`SELECT ${COLUMNS} FROM broadcasts WHERE create_key = $1`, [
    broadcast.key,
  ]);
  if (row === undefined) throw new Error('a broadcast vanished while it was being stored');
  return { broadcast: toBroadcast(row), isNew: inserted.length > 0 };
}

export async function findBroadcast(db: Queryable, id: number): Promise<Broadcast | undefined> {
  const [row] = await db.query<BroadcastRow>(`SELECT ${COLUMNS} FROM broadcasts WHERE id = $1`, [id]);
  return row && toBroadcast(row);
}

/** Returns the newest broadcasts first, those before the id `before`. */
export async function listBroadcasts(
  db: Queryable,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Broadcast[]> {
  const rows = await db.query<BroadcastRow>(
    `SELECT ${COLUMNS} FROM broadcasts WHERE $1::bigint IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before ?? null, limit],
  );
  return rows.map(toBroadcast);
}

/** Returns whether the broadcast was still being sent. */
export async function saveStopped(tx: Transaction, id: number, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE broadcasts SET cancelled_at = $2 WHERE id = $1 AND finished_at IS NULL AND cancelled_at IS NULL RETURNING id',
    [id, at],
  );
  return rows.length > 0;
}
