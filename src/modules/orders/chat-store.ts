import type { Queryable, Transaction } from '../../core/database.ts';

/** The data of the chat behind a resource, as Telegram returns it. */
export interface ChatFacts {
  readonly title: string;
  readonly username: string | null;
  readonly members: number;
}

export interface ResourceChat {
  readonly resourceId: number;
  readonly chatId: number;
}

/**
 * Stores the facts and the time of the query. `undefined` means that our bot cannot see the chat: the known facts stay.
 */
export async function saveChatFacts(
  tx: Queryable,
  resourceId: number,
  facts: ChatFacts | undefined,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO resource_chats AS c (resource_id, title, username, members, checked_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (resource_id) DO UPDATE SET checked_at = excluded.checked_at,
       title = coalesce(excluded.title, c.title),
       username = CASE WHEN excluded.title IS NULL THEN c.username ELSE excluded.username END,
       members = coalesce(excluded.members, c.members)`,
    [resourceId, facts?.title ?? null, facts?.username ?? null, facts?.members ?? null, at],
  );
}

/** Returns undefined if Telegram never returned the chat. */
export async function findChatFacts(db: Queryable, resourceId: number): Promise<ChatFacts | undefined> {
  const [row] = await db.query<{ title: string | null; username: string | null; members: number | null }>(
    'SELECT title, username, members FROM resource_chats WHERE resource_id = $1',
    [resourceId],
  );
  return row?.title == null ? undefined : { title: row.title, username: row.username, members: row.members ?? 0 };
}

const IS_OPEN = "o.status IN ('moderation', 'active', 'paused')";

/** Returns channels and groups with open orders that were not queried since `askedBefore`, the oldest query first. */
export async function listChatsToFollow(
  db: Queryable,
  { askedBefore, limit }: { askedBefore: Date; limit: number },
): Promise<ResourceChat[]> {
  const rows = await db.query<{ id: bigint; chat_id: bigint }>(
    `SELECT r.id, r.chat_id FROM resources r LEFT JOIN resource_chats c ON c.resource_id = r.id
     WHERE r.type = 'channel' AND coalesce(c.checked_at, r.created_at) < $1
       AND EXISTS (SELECT FROM orders o WHERE o.resource_id = r.id AND ${IS_OPEN})
     ORDER BY coalesce(c.checked_at, r.created_at), r.id LIMIT $2`,
    [askedBefore, limit],
  );
  return rows.map((row) => ({ resourceId: Number(row.id), chatId: Number(row.chat_id) }));
}

/** Returns the links of the open orders for a chat, or undefined if there are none. */
export async function findOpenLinks(
  db: Queryable,
  chatId: number,
): Promise<(ResourceChat & { readonly links: readonly string[] }) | undefined> {
  const [row] = await db.query<{ id: bigint; links: string[] }>(
    `SELECT r.id, array_agg(DISTINCT o.link) AS links FROM resources r JOIN orders o ON o.resource_id = r.id AND ${IS_OPEN}
     WHERE r.chat_id = $1 AND r.type = 'channel' GROUP BY r.id`,
    [chatId],
  );
  return row && { resourceId: Number(row.id), chatId, links: row.links };
}

/** Replaces the given links in the open orders of a resource. Returns the changed orders. */
export async function replaceLinks(
  tx: Transaction,
  { resourceId, links, by }: { resourceId: number; links: readonly string[]; by: string },
): Promise<{ readonly id: number; readonly accountId: number; readonly title: string }[]> {
  const rows = await tx.query<{ id: bigint; account_id: bigint; title: string }>(
    `UPDATE orders o SET link = $3 WHERE o.resource_id = $1 AND o.link = ANY($2::text[]) AND ${IS_OPEN}
     RETURNING o.id, o.account_id, o.title`,
    [resourceId, links, by],
  );
  return rows.map((row) => ({ id: Number(row.id), accountId: Number(row.account_id), title: row.title }));
}
