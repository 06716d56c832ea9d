import type { Queryable, Transaction } from '../../core/database.ts';
import type { Resource, ResourceType } from './order.ts';

const COLUMNS = `r.id::float8 AS id, r.type, r.chat_id::float8 AS "chatId",
  r.bot_token_encrypted AS "botTokenEncrypted", r.checker_id::float8 AS "checkerId"`;

export async function findResourceByChat(db: Queryable, chatId: number): Promise<Resource | undefined> {
  const [row] = await db.query<Resource>(`SELECT ${COLUMNS} FROM resources r WHERE r.chat_id = $1`, [chatId]);
  return row;
}

export async function findResources(db: Queryable, ids: readonly number[]): Promise<Map<number, Resource>> {
  const rows = await db.query<Resource>(`SELECT ${COLUMNS} FROM resources r WHERE r.id = ANY($1::bigint[])`, [ids]);
  return new Map(rows.map((resource) => [resource.id, resource]));
}

/**
 * Stores one resource per chat, shared by all its advertisers. A new bot token replaces the old one. `checkerId` is the
 * bot that checks the chat from now on; when it is absent, the bot stays the same.
 */
export async function upsertResource(
  tx: Transaction,
  resource: {
    type: ResourceType;
    chatId: number;
    botTokenEncrypted: Buffer | null;
    checkerId?: number | null | undefined;
    at: Date;
  },
): Promise<number> {
  const [row] = await tx.query<{ id: bigint }>(
    `INSERT INTO resources AS r (type, chat_id, bot_token_encrypted, created_at, checker_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (chat_id) DO UPDATE
       SET bot_token_encrypted = coalesce(excluded.bot_token_encrypted, r.bot_token_encrypted),
           checker_id = CASE WHEN $6 THEN excluded.checker_id ELSE r.checker_id END
     RETURNING id`,
    [
      resource.type,
      resource.chatId,
      resource.botTokenEncrypted,
      resource.at,
      resource.checkerId ?? null,
      resource.checkerId !== undefined,
    ],
  );
  return Number(row?.id);
}

/** Stores which bot checks the members of a channel. Publish its orders in the same transaction. */
export async function setChecker(tx: Transaction, resourceId: number, checkerId: number | null): Promise<void> {
  await tx.query('UPDATE resources SET checker_id = $2 WHERE id = $1 AND checker_id IS DISTINCT FROM $2::bigint', [
    resourceId,
    checkerId,
  ]);
}

/** Returns channels of a checker bot, at most `limit`. */
export async function listResourcesOfChecker(db: Queryable, checkerId: number, limit: number): Promise<Resource[]> {
  return db.query<Resource>(`SELECT ${COLUMNS} FROM resources r WHERE r.checker_id = $1 ORDER BY r.id LIMIT $2`, [
    checkerId,
    limit,
  ]);
}

/** The work of a bot that checks channels. */
export interface CheckLoad {
  /** Null: the management bot. */
  readonly checkerId: number | null;
  /** Channels with an order that is not closed. */
  readonly channels: number;
  /** Subscriptions that the bot has still to check: those that open orders may still count, and unsettled ones. */
  readonly checks: number;
}

/** Returns the load of every bot that checks a channel with an open order or an unsettled subscription. */
export async function readCheckLoads(db: Queryable): Promise<CheckLoad[]> {
  return db.query<CheckLoad>(
    `SELECT r.checker_id::float8 AS "checkerId", (count(DISTINCT r.id) FILTER (WHERE ${IS_OPEN}))::float8 AS channels,
            sum(p.unsettled_count + CASE WHEN o.status = 'active' THEN greatest(0, o.quantity - p.counted_count) ELSE 0 END)
              ::float8 AS checks
     FROM orders o JOIN resources r ON r.id = o.resource_id JOIN order_progress p ON p.order_id = o.id
     WHERE r.type = 'channel' AND (${IS_OPEN} OR p.unsettled_count > 0)
     GROUP BY r.checker_id`,
  );
}

/**
 * Changes the chat id of a resource. If a resource with the new id exists already (ordered before we learned of the
 * migration), the orders move there together with the counted users, so that each user still counts once. Returns the
 * resource with the new id, or undefined if the old one was never advertised.
 */
export async function moveResource(
  tx: Transaction,
  { from, to }: { from: number; to: number },
): Promise<number | undefined> {
  const [old] = await tx.query<{ id: bigint }>('SELECT id FROM resources WHERE chat_id = $1 FOR UPDATE', [from]);
  if (old === undefined) return undefined;
  const [present] = await tx.query<{ id: bigint }>('SELECT id FROM resources WHERE chat_id = $1 FOR UPDATE', [to]);
  if (present === undefined) {
    await tx.query('UPDATE resources SET chat_id = $2 WHERE id = $1', [old.id, to]);
    return Number(old.id);
  }
  const moved = await tx.query('UPDATE orders SET resource_id = $2 WHERE resource_id = $1 RETURNING id', [
    old.id,
    present.id,
  ]);
  if (moved.length === 0) return undefined;
  await tx.query(
    `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
     SELECT user_id, $2, bot_id, order_id, counted_at FROM counted_subscriptions WHERE resource_id = $1
     ON CONFLICT (user_id, resource_id) DO NOTHING`,
    [old.id, present.id],
  );
  return Number(present.id);
}

/** Stores a bot that only its advertiser can check, identified by its username. */
export async function upsertExternalResource(tx: Transaction, username: string, at: Date): Promise<number> {
  const [row] = await tx.query<{ id: bigint }>(
    `INSERT INTO resources AS r (type, chat_id, external_username, created_at)
     VALUES ('bot', nextval('external_chat_ids'), $1, $2)
     ON CONFLICT (external_username) DO UPDATE SET external_username = r.external_username
     RETURNING id`,
    [username, at],
  );
  return Number(row?.id);
}

/** The data of the chat behind a resource, as Telegram returns it. */
export interface ChatFacts {
  readonly title: string;
  readonly username: string | null;
  readonly members: number;
}

export interface ResourceChat {
  readonly resourceId: number;
  readonly chatId: number;
  /** The checker bot of the chat; null: the management bot. */
  readonly checkerId: number | null;
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

const CHAT_COLUMNS = `r.id::float8 AS "resourceId", r.chat_id::float8 AS "chatId", r.checker_id::float8 AS "checkerId"`;

/** Returns channels and groups with open orders that were not queried since `askedBefore`, the oldest query first. */
export async function listChatsToFollow(
  db: Queryable,
  { askedBefore, limit }: { askedBefore: Date; limit: number },
): Promise<ResourceChat[]> {
  return db.query<ResourceChat>(
    `SELECT ${CHAT_COLUMNS} FROM resources r LEFT JOIN resource_chats c ON c.resource_id = r.id
     WHERE r.type = 'channel' AND coalesce(c.checked_at, r.created_at) < $1
       AND EXISTS (SELECT FROM orders o WHERE o.resource_id = r.id AND ${IS_OPEN})
     ORDER BY coalesce(c.checked_at, r.created_at), r.id LIMIT $2`,
    [askedBefore, limit],
  );
}

/** Returns the links of the open orders for a chat, or undefined if there are none. */
export async function findOpenLinks(
  db: Queryable,
  chatId: number,
): Promise<(ResourceChat & { readonly links: readonly string[] }) | undefined> {
  const [row] = await db.query<ResourceChat & { readonly links: readonly string[] }>(
    `SELECT ${CHAT_COLUMNS}, array_agg(DISTINCT o.link) AS links
     FROM resources r JOIN orders o ON o.resource_id = r.id AND ${IS_OPEN}
     WHERE r.chat_id = $1 AND r.type = 'channel' GROUP BY r.id`,
    [chatId],
  );
  return row;
}

/** Replaces the given links in the open orders of a resource. Returns the changed orders. */
export async function replaceLinks(
  tx: Transaction,
  { resourceId, links, by }: { resourceId: number; links: readonly string[]; by: string },
): Promise<{ readonly id: number; readonly accountId: number; readonly title: string }[]> {
  return tx.query<{ id: number; accountId: number; title: string }>(
    `UPDATE orders o SET link = $3 WHERE o.resource_id = $1 AND o.link = ANY($2::text[]) AND ${IS_OPEN}
     RETURNING o.id::float8 AS id, o.account_id::float8 AS "accountId", o.title`,
    [resourceId, links, by],
  );
}

export async function isBotOwner(db: Queryable, accountId: number, username: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM bot_owners WHERE account_id = $1 AND username = $2', [
    accountId,
    username,
  ]);
  return rows.length > 0;
}

export async function recordBotOwner(
  db: Queryable,
  { accountId, username, at }: { readonly accountId: number; readonly username: string; readonly at: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO bot_owners (account_id, username, proved_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [accountId, username, at],
  );
}

export interface ActiveChannel {
  readonly chatId: number;
  /** One of the orders for this channel. */
  readonly orderId: number;
}

/**
 * Returns a random sample of the channels with active orders that one bot serves, and their total number. `checkerId` is
 * null for the management bot.
 */
export async function sampleActiveChannels(
  db: Queryable,
  limit: number,
  checkerId: number | null = null,
): Promise<{ readonly channels: readonly ActiveChannel[]; readonly total: number }> {
  const rows = await db.query<ActiveChannel & { readonly total: number }>(
    `SELECT r.chat_id::float8 AS "chatId", min(o.id)::float8 AS "orderId", (count(*) OVER ())::float8 AS total
     FROM orders o JOIN resources r ON r.id = o.resource_id
     WHERE o.status = 'active' AND r.type = 'channel' AND r.checker_id IS NOT DISTINCT FROM $2
     GROUP BY r.chat_id ORDER BY random() LIMIT $1`,
    [limit, checkerId],
  );
  return { channels: rows.map(({ chatId, orderId }) => ({ chatId, orderId })), total: rows[0]?.total ?? 0 };
}

/** Returns the encrypted bot token of the newest resource. Only the right secret key can decrypt it. */
export async function findSealedBotToken(db: Queryable): Promise<Buffer | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>(
    `SELECT bot_token_encrypted AS sealed FROM resources WHERE bot_token_encrypted IS NOT NULL ORDER BY id DESC LIMIT 1`,
  );
  return row?.sealed;
}
