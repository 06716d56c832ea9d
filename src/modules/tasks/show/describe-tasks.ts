import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { readUsers } from '../../audience/index.ts';
import type { Bot } from '../../bots/index.ts';
import { isExternal, type Order, type OrderBook } from '../../orders/index.ts';
import { clickIdOf } from '../click-id.ts';
import type { ShownTask } from '../task.ts';

/** A task to show, with its order and the link that the user opens. */
export interface TaskWithOrder {
  readonly task: ShownTask;
  readonly order: Order;
  readonly link: string;
  /** Whole percent; only for an order that the advertiser's side checks. */
  readonly approvalPercent?: number | undefined;
}

export interface DescribeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly secrets: Secrets;
  /** Returns a smart link to the order's resource for one user. */
  readonly personalLink: (task: { orderId: number; userId: number }) => string;
}

/** Returns one user's tasks with their orders and links. */
export async function describeTasks(
  deps: DescribeDeps,
  bot: Bot,
  tasks: readonly ShownTask[],
): Promise<TaskWithOrder[]> {
  if (tasks.length === 0) return [];
  const orderIds = tasks.map((task) => task.orderId);
  const orders = deps.book.recall(orderIds) ?? (await deps.book.lookup(orderIds));
  const described = tasks.flatMap((task) => {
    const order = orders.get(task.orderId);
    return order === undefined ? [] : [withLink(deps, order, task)];
  });
  const [first, ...rest] = described;
  if (first === undefined || !bot.collectsProfiles || isExternal(first.order.resource)) return described;
  // The first task of an unknown user goes through a smart link, which learns the user's device and country.
  const { userId, orderId } = first.task;
  const [stored] = await readUsers(deps.db, [userId], deps.clock.now());
  const isKnown = stored?.learned.device_type !== undefined || stored?.learned.country !== undefined;
  return isKnown ? described : [{ ...first, link: deps.personalLink({ orderId, userId }) }, ...rest];
}

/** An external bot gets a click id in its link, with which its advertiser reports the user's start. */
function withLink({ secrets, book }: DescribeDeps, order: Order, task: ShownTask): TaskWithOrder {
  if (!isExternal(order.resource)) return { task, order, link: order.link };
  const url = new URL(order.link);
  url.searchParams.set('start', clickIdOf(secrets, task));
  return { task, order, link: url.href, approvalPercent: book.approvalPercent(order.id) };
}
