import type { Database } from '../../core/database.ts';
import { insertTasks } from './confirm/confirm-store.ts';
import type { Task } from './task.ts';

/** An open task, shown at noon with an expiry an hour later, for unit tests. A test can override any field. */
export const NOON = new Date('2026-05-10T12:00:00Z');
export const minutesLater = (minutes: number): Date => new Date(NOON.getTime() + minutes * 60_000);

export function taskWith(changes: Partial<Task> = {}): Task {
  return {
    userId: 7,
    botId: 3,
    orderId: 11,
    accountId: 2,
    resourceId: 5,
    round: 1,
    position: 0,
    state: 'shown',
    chargeKopecks: 1000n,
    rewardKopecks: 700n,
    holdSeconds: 86_400,
    refund: true,
    shownAt: NOON,
    lateUntil: null,
    wasOutside: true,
    expiresAt: minutesLater(60),
    confirmedAt: null,
    releaseAt: null,
    windowEndsAt: null,
    keptAt: null,
    ...changes,
  };
}

/** Inserts an advertiser, `count` resources, and one order per resource with the same id. For tests of stores. */
export async function insertOrders(db: Database, count: number, holdSeconds = 86_400): Promise<void> {
  await db.query("INSERT INTO accounts (telegram_user_id, name, created_at) VALUES (1, 'Advertiser', $1)", [NOON]);
  await db.query(
    "INSERT INTO resources (type, chat_id, created_at) SELECT 'channel', -n, $2 FROM generate_series(1, $1::int) n",
    [count, NOON],
  );
  await db.query(
    `INSERT INTO orders (account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks, reward_kopecks,
                         quantity, hold_seconds, refund, created_at)
     SELECT 1, n, 'An order', 'An order', 'https://t.me/an_order', 'active', 1000, 1000, 700, 10, $2, true, $3
     FROM generate_series(1, $1::int) n`,
    [count, holdSeconds, NOON],
  );
  await db.query('INSERT INTO order_progress (order_id) SELECT id FROM orders');
}

/** Writes decided tasks; `nextCheckAt` is the time of the next check. */
export async function writeTasks(
  db: Database,
  tasks: readonly (Partial<Task> & { readonly nextCheckAt?: Date })[],
): Promise<void> {
  await db.transaction((tx) =>
    insertTasks(
      tx,
      tasks.map(({ nextCheckAt = null, ...changes }) => ({
        ...taskWith({ state: 'held', confirmedAt: NOON, ...changes }),
        nextCheckAt,
      })),
    ),
  );
}
