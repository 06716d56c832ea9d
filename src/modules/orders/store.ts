import type { Queryable, Transaction } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import type { Filters } from '../targeting/index.ts';
import type { Order, OrderStatus, OrderTerms, PauseReason, Resource, ResourceType } from './order.ts';

/** PostgreSQL's system column `xmin`: the transaction that wrote the row. */
export const ORDER_VERSION = "o.xmin || ' ' || r.xmin";

const TERMS_COLUMNS = `o.id::float8 AS id, o.resource_id::float8 AS "resourceId", r.chat_id::float8 AS "chatId",
  o.status, o.pause_reason AS "pauseReason", o.charge_kopecks AS "chargeKopecks", o.reward_kopecks AS "rewardKopecks",
  o.quantity, o.hold_seconds AS "holdSeconds", o.refund, o.daily_limit AS "dailyLimit", o.active_hours AS "activeHours",
  o.pace_evenly AS "paceEvenly"`;

const FROM_ORDERS = 'FROM orders o JOIN resources r ON r.id = o.resource_id';

const SELECT_ORDERS = `
  SELECT ${TERMS_COLUMNS}, r.type AS "resourceType", r.bot_token_encrypted AS "botTokenEncrypted",
         r.checker_id::float8 AS "checkerId", o.account_id::float8 AS "accountId", o.name, o.title, o.link,
         o.price_kopecks AS "priceKopecks", o.filters, o.excluded_bot_ids::float8[] AS "excludedBotIds",
         o.created_at AS "createdAt", ${ORDER_VERSION} AS version
  ${FROM_ORDERS}`;

type TermsRow = Omit<OrderTerms, 'resource'> & { readonly resourceId: number; readonly chatId: number };

/** Written out: requests read many orders, and a copy of the rest of a row takes several times as long. */
const toTerms = (row: TermsRow): OrderTerms => ({
  id: row.id,
  resource: { id: row.resourceId, chatId: row.chatId },
  status: row.status,
  pauseReason: row.pauseReason,
  chargeKopecks: row.chargeKopecks,
  rewardKopecks: row.rewardKopecks,
  quantity: row.quantity,
  holdSeconds: row.holdSeconds,
  refund: row.refund,
  dailyLimit: row.dailyLimit,
  activeHours: row.activeHours,
  paceEvenly: row.paceEvenly,
});

type OrderRow = Omit<Order, 'resource' | 'excludedBotIds'> &
  Required<Omit<Resource, 'id' | 'type'>> & {
    readonly resourceId: number;
    readonly resourceType: ResourceType;
    readonly excludedBotIds: readonly number[];
  };

const toOrder = (row: OrderRow): Order => ({
  ...toTerms(row),
  resource: {
    id: row.resourceId,
    type: row.resourceType,
    chatId: row.chatId,
    botTokenEncrypted: row.botTokenEncrypted,
    checkerId: row.checkerId,
  },
  accountId: row.accountId,
  name: row.name,
  title: row.title,
  link: row.link,
  priceKopecks: row.priceKopecks,
  filters: row.filters,
  excludedBotIds: new Set(row.excludedBotIds),
  createdAt: row.createdAt,
  version: row.version,
});

/** Reads the orders that the rest of the statement selects: WHERE, ORDER BY and LIMIT. */
async function selectOrders(db: Queryable, rest: string, values: unknown[] = []): Promise<Order[]> {
  return (await db.query<OrderRow>(`${SELECT_ORDERS} ${rest}`, values)).map(toOrder);
}

export const findOrders = (db: Queryable, ids: readonly number[]): Promise<Order[]> =>
  selectOrders(db, 'WHERE o.id = ANY($1::bigint[])', [ids]);

/** Returns active orders, the newest first, before the given one. */
export const listRunningOrders = (
  db: Queryable,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<Order[]> =>
  selectOrders(db, "WHERE o.status = 'active' AND o.id < $1 ORDER BY o.id DESC LIMIT $2", [
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  ]);

/**
 * Returns orders of all owners, the newest first: in one status or in all, by number, by the account of their owner or
 * by a part of their texts.
 */
export function searchOrders(
  db: Queryable,
  {
    status,
    text,
    before,
    limit,
  }: { status: OrderStatus | undefined; text: string; before: number | undefined; limit: number },
): Promise<Order[]> {
  const values: unknown[] = [before ?? Number.MAX_SAFE_INTEGER, limit];
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const inStatus = status === undefined ? '' : `AND o.status = $${values.push(status)}`;
  const parameter = text === '' ? '' : `$${values.push(number ?? `%${text.replace(/[\\%_]/g, '\\$&')}%`)}`;
  const found =
    text === ''
      ? ''
      : number === undefined
        ? `AND (o.title ILIKE ${parameter} OR o.name ILIKE ${parameter} OR o.link ILIKE ${parameter})`
        : `AND ${parameter}::bigint IN (o.id, o.account_id)`;
  return selectOrders(db, `WHERE o.id < $1 ${inStatus} ${found} ORDER BY o.id DESC LIMIT $2`, values);
}

/** Returns the owner's previous order for the same resource. */
export async function findEarlierOrder(db: Queryable, { id, accountId, resource }: Order): Promise<Order | undefined> {
  const [earlier] = await selectOrders(
    db,
    'WHERE o.account_id = $1 AND o.resource_id = $2 AND o.id < $3 ORDER BY o.id DESC LIMIT 1',
    [accountId, resource.id, id],
  );
  return earlier;
}

/** Returns only the fields that the writer of tasks needs, because it reads them with every batch. */
export async function findTerms(db: Queryable, ids: readonly number[]): Promise<OrderTerms[]> {
  const rows = await db.query<TermsRow>(`SELECT ${TERMS_COLUMNS} ${FROM_ORDERS} WHERE o.id = ANY($1::bigint[])`, [ids]);
  return rows.map(toTerms);
}

export const listActiveOrders = (db: Queryable): Promise<Order[]> => selectOrders(db, "WHERE o.status = 'active'");

export const listOrdersOfResource = (db: Queryable, resourceId: number): Promise<Order[]> =>
  selectOrders(db, 'WHERE o.resource_id = $1 ORDER BY o.id', [resourceId]);

export const listOrdersOfAccount = (db: Queryable, accountId: number): Promise<Order[]> =>
  selectOrders(db, 'WHERE o.account_id = $1 ORDER BY o.id', [accountId]);

/** Returns a page of an account's orders, newest first: those before the given order, after skipping `skip` of them. */
export function listOrdersPage(
  db: Queryable,
  {
    accountId,
    before,
    skip = 0,
    limit,
  }: { accountId: number; before?: number | undefined; skip?: number; limit: number },
): Promise<Order[]> {
  const rest = 'WHERE o.account_id = $1 AND ($2::bigint IS NULL OR o.id < $2) ORDER BY o.id DESC LIMIT $3 OFFSET $4';
  return selectOrders(db, rest, [accountId, before ?? null, limit, skip]);
}

export const listOrders = (db: Queryable, limit: number): Promise<Order[]> =>
  selectOrders(db, 'ORDER BY o.id LIMIT $1', [limit]);

export type OrderInsert = Omit<
  Order,
  'id' | 'resource' | 'pauseReason' | 'excludedBotIds' | 'createdAt' | 'version'
> & { readonly resourceId: number; readonly at: Date };

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
