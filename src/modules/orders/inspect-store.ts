import type { Queryable } from '../../core/database.ts';

export interface ActiveChannel {
  readonly chatId: number;
  /** One of the orders for this channel. */
  readonly orderId: number;
}

/** Returns a random sample of the channels with active orders, and their total number. */
export async function sampleActiveChannels(
  db: Queryable,
  limit: number,
): Promise<{ readonly channels: readonly ActiveChannel[]; readonly total: number }> {
  const rows = await db.query<{ chat_id: bigint; order_id: bigint; total: bigint }>(
    `SELECT r.chat_id, min(o.id) AS order_id, count(*) OVER () AS total
     FROM orders o JOIN resources r ON r.id = o.resource_id
     WHERE o.status = 'active' AND r.type = 'channel'
     GROUP BY r.chat_id ORDER BY random() LIMIT $1`,
    [limit],
  );
  return {
    channels: rows.map((row) => ({ chatId: Number(row.chat_id), orderId: Number(row.order_id) })),
    total: Number(rows[0]?.total ?? 0),
  };
}

/** Returns the encrypted bot token of the newest resource. Only the right secret key can decrypt it. */
export async function findSealedBotToken(db: Queryable): Promise<Buffer | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>(
    `SELECT bot_token_encrypted AS sealed FROM resources WHERE bot_token_encrypted IS NOT NULL ORDER BY id DESC LIMIT 1`,
  );
  return row?.sealed;
}
