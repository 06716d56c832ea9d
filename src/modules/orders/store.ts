import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Filters } from '../targeting/index.ts';
import type { Order, OrderStatus, OrderTerms, PauseReason, Resource, ResourceType } from './order.ts';

interface OrderRow {
  id: bigint;
  account_id: bigint;
  resource_id: bigint;
  resource_type: ResourceType;
  chat_id: bigint;
  bot_token_encrypted: Buffer | null;
  name: string;
  title: string;
  link: string;
  status: OrderStatus;
  pause_reason: PauseReason | null;
  price_kopecks: bigint;
  charge_kopecks: bigint;
  reward_kopecks: bigint;
  quantity: number;
  hold_seconds: number;
  refund: boolean;
  daily_limit: number | null;
  filters: Filters;
  active_hours: number[] | null;
  pace_evenly: boolean;
  excluded_bot_ids: bigint[];
  created_at: Date;
  version: string;
}

/** PostgreSQL's system column `xmin`: the transaction that wrote the row. */
export const ORDER_VERSION = "o.xmin || ' ' || r.xmin";

const SELECT_ORDERS = `
  SELECT o.id, o.account_id, o.resource_id, r.type AS resource_type, r.chat_id, r.bot_token_encrypted, o.name, o.title,
         o.link, o.status, o.pause_reason, o.price_kopecks, o.charge_kopecks, o.reward_kopecks, o.quantity,
         o.hold_seconds, o.refund, o.daily_limit, o.filters, o.active_hours, o.pace_evenly, o.excluded_bot_ids, o.created_at,
         ${ORDER_VERSION} AS version
  FROM orders o JOIN resources r ON r.id = o.resource_id`;

const toOrder = (row: OrderRow): Order => ({
  id: Number(row.id),
  accountId: Number(row.account_id),
  resource: {
    id: Number(row.resource_id),
    type: row.resource_type,
    chatId: Number(row.chat_id),
    botTokenEncrypted: row.bot_token_encrypted,
  },
  name: row.name,
  title: row.title,
  link: row.link,
  status: row.status,
  pauseReason: row.pause_reason,
  priceKopecks: row.price_kopecks,
  chargeKopecks: row.charge_kopecks,
  rewardKopecks: row.reward_kopecks,
  quantity: row.quantity,
  holdSeconds: row.hold_seconds,
  refund: row.refund,
  dailyLimit: row.daily_limit,
  filters: row.filters,
  activeHours: row.active_hours,
  paceEvenly: row.pace_evenly,
  excludedBotIds: new Set(row.excluded_bot_ids.map(Number)),
  createdAt: row.created_at,
  version: row.version,
});

export async function findOrders(db: Queryable, ids: readonly number[]): Promise<Order[]> {
  const rows = await db.query<OrderRow>(`${SELECT_ORDERS} WHERE o.id = ANY($1::bigint[])`, [ids]);
  return rows.map(toOrder);
}

/** Returns only the fields that the writer of tasks needs, because it reads them with every batch. */
export async function findTerms(db: Queryable, ids: readonly number[]): Promise<OrderTerms[]> {
  const rows = await db.query<Omit<OrderRow, 'filters' | 'excluded_bot_ids'>>(
    `SELECT o.id, o.resource_id, r.chat_id, o.status, o.pause_reason, o.charge_kopecks, o.reward_kopecks, o.quantity,
            o.hold_seconds, o.refund, o.daily_limit, o.active_hours, o.pace_evenly
     FROM orders o JOIN resources r ON r.id = o.resource_id WHERE o.id = ANY($1::bigint[])`,
    [ids],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    resource: { id: Number(row.resource_id), chatId: Number(row.chat_id) },
    status: row.status,
    pauseReason: row.pause_reason,
    chargeKopecks: row.charge_kopecks,
    rewardKopecks: row.reward_kopecks,
    quantity: row.quantity,
    holdSeconds: row.hold_seconds,
    refund: row.refund,
    dailyLimit: row.daily_limit,
    activeHours: row.active_hours,
    paceEvenly: row.pace_evenly,
  }));
}

export async function listActiveOrders(db: Queryable): Promise<Order[]> {
  const rows = await db.query<OrderRow>(`${SELECT_ORDERS} WHERE o.status = 'active'`);
  return rows.map(toOrder);
}

export async function listActiveOrdersOfResource(db: Queryable, resourceId: number): Promise<Order[]> {
  const rows = await db.query<OrderRow>(`${SELECT_ORDERS} WHERE o.resource_id = $1 AND o.status = 'active'`, [
    resourceId,
  ]);
  return rows.map(toOrder);
}

export async function listOrdersOfResource(db: Queryable, resourceId: number): Promise<Order[]> {
  const rows = await db.query<OrderRow>(`${SELECT_ORDERS} WHERE o.resource_id = $1 ORDER BY o.id`, [resourceId]);
  return rows.map(toOrder);
}

export async function listOrdersOfAccount(db: Queryable, accountId: number): Promise<Order[]> {
  const rows = await db.query<OrderRow>(`${SELECT_ORDERS} WHERE o.account_id = $1 ORDER BY o.id`, [accountId]);
  return rows.map(toOrder);
}

/** Returns a page of an account's orders, newest first: those before the given order, after skipping `skip` of them. */
export async function listOrdersPage(
  db: Queryable,
  {
    accountId,
    before,
    skip = 0,
    limit,
  }: { accountId: number; before?: number | undefined; skip?: number; limit: number },
): Promise<Order[]> {
  const rows = await db.query<OrderRow>(
    `${SELECT_ORDERS} WHERE o.account_id = $1 AND ($2::bigint IS NULL OR o.id < $2)
     ORDER BY o.id DESC LIMIT $3 OFFSET $4`,
    [accountId, before ?? null, limit, skip],
  );
  return rows.map(toOrder);
}

export async function listOrders(db: Queryable, limit: number): Promise<Order[]> {
  const rows = await db.query<OrderRow>(`${SELECT_ORDERS} ORDER BY o.id LIMIT $1`, [limit]);
  return rows.map(toOrder);
}

interface ResourceRow {
  id: bigint;
  type: ResourceType;
  chat_id: bigint;
  bot_token_encrypted: Buffer | null;
}

const toResource = (row: ResourceRow): Resource => ({
  id: Number(row.id),
  type: row.type,
  chatId: Number(row.chat_id),
  botTokenEncrypted: row.bot_token_encrypted,
});

export async function findResourceByChat(db: Queryable, chatId: number): Promise<Resource | undefined> {
  const [row] = await db.query<ResourceRow>(
    'SELECT id, type, chat_id, bot_token_encrypted FROM resources WHERE chat_id = $1',
    [chatId],
  );
  return row && toResource(row);
}

export async function findResources(db: Queryable, ids: readonly number[]): Promise<Map<number, Resource>> {
  const rows = await db.query<ResourceRow>(
    'SELECT id, type, chat_id, bot_token_encrypted FROM resources WHERE id = ANY($1::bigint[])',
    [ids],
  );
  return new Map(rows.map((row) => [Number(row.id), toResource(row)]));
}

/** Stores one resource per chat, shared by all its advertisers. A new bot token replaces the old one. */
export async function upsertResource(
  tx: Transaction,
  resource: { type: ResourceType; chatId: number; botTokenEncrypted: Buffer | null; at: Date },
): Promise<number> {
  const [row] = await tx.query<{ id: bigint }>(
    `INSERT INTO resources AS r (type, chat_id, bot_token_encrypted, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (chat_id) DO UPDATE
       SET bot_token_encrypted = coalesce(excluded.bot_token_encrypted, r.bot_token_encrypted)
     RETURNING id`,
    [resource.type, resource.chatId, resource.botTokenEncrypted, resource.at],
  );
  return Number(row?.id);
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

export interface OrderInsert {
  readonly accountId: number;
  readonly resourceId: number;
  readonly name: string;
  readonly title: string;
  readonly link: string;
  readonly status: OrderStatus;
  readonly priceKopecks: Kopecks;
  readonly chargeKopecks: Kopecks;
  readonly rewardKopecks: Kopecks;
  readonly quantity: number;
  readonly holdSeconds: number;
  readonly refund: boolean;
  readonly dailyLimit: number | null;
  readonly filters: Filters;
  readonly activeHours: readonly number[] | null;
  readonly paceEvenly: boolean;
  readonly at: Date;
}

export async function insertOrder(tx: Transaction, order: OrderInsert): Promise<number> {
  const [row] = await tx.query<{ id: bigint }>(
    `WITH new_order AS (
       INSERT INTO orders (account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks,
                           reward_kopecks, quantity, hold_seconds, refund, daily_limit, filters, active_hours,
                           pace_evenly, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING id)
     INSERT INTO order_progress (order_id) SELECT id FROM new_order RETURNING order_id AS id`,
    [
      order.accountId,
      order.resourceId,
      order.name,
      order.title,
      order.link,
      order.status,
      order.priceKopecks,
      order.chargeKopecks,
      order.rewardKopecks,
      order.quantity,
      order.holdSeconds,
      order.refund,
      order.dailyLimit,
      JSON.stringify(order.filters),
      order.activeHours,
      order.paceEvenly,
      order.at,
    ],
  );
  return Number(row?.id);
}

export async function setStatus(
  tx: Transaction,
  change: { orderIds: readonly number[]; status: OrderStatus; pauseReason: PauseReason | null; closedAt: Date | null },
): Promise<void> {
  await tx.query('UPDATE orders SET status = $2, pause_reason = $3, closed_at = $4 WHERE id = ANY($1::bigint[])', [
    change.orderIds,
    change.status,
    change.pauseReason,
    change.closedAt,
  ]);
}

export async function addQuantity(tx: Transaction, orderId: number, extra: number): Promise<void> {
  await tx.query('UPDATE orders SET quantity = quantity + $2 WHERE id = $1', [orderId, extra]);
}

export async function saveFilters(
  tx: Transaction,
  orderId: number,
  change: { filters: Filters; chargeKopecks: Kopecks },
): Promise<void> {
  await tx.query('UPDATE orders SET filters = $2, charge_kopecks = $3 WHERE id = $1', [
    orderId,
    JSON.stringify(change.filters),
    change.chargeKopecks,
  ]);
}

export async function saveTimetable(
  tx: Transaction,
  orderId: number,
  timetable: Pick<Order, 'dailyLimit' | 'activeHours' | 'paceEvenly'>,
): Promise<void> {
  await tx.query('UPDATE orders SET daily_limit = $2, active_hours = $3, pace_evenly = $4 WHERE id = $1', [
    orderId,
    timetable.dailyLimit,
    timetable.activeHours,
    timetable.paceEvenly,
  ]);
}

export async function saveExcludedBots(tx: Transaction, orderId: number, botIds: readonly number[]): Promise<void> {
  await tx.query('UPDATE orders SET excluded_bot_ids = $2 WHERE id = $1', [orderId, botIds]);
}

/** Returns the number of paused orders, which helps to explain missing tasks. */
export async function countPausedOrders(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: bigint }>("SELECT count(*) AS count FROM orders WHERE status = 'paused'");
  return Number(row?.count ?? 0);
}
