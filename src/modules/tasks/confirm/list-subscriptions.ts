import type { Database } from '../../../core/database.ts';
import type { OrderBook } from '../../orders/index.ts';
import type { TaskState } from '../task.ts';
import { readTaskStates } from './confirm-store.ts';

export interface ListSubscriptionsInput {
  readonly botId: number;
  readonly userId: number;
  readonly orderIds?: readonly number[] | undefined;
  readonly links?: readonly string[] | undefined;
}

/** A task of a user by the stored state. No state: the bot has not shown it. */
export interface UserSubscription {
  readonly orderId: number | undefined;
  readonly link: string | undefined;
  readonly state: TaskState | undefined;
}

export interface ListSubscriptionsDeps {
  readonly db: Database;
  readonly book: OrderBook;
  readonly personalLink: (task: { orderId: number; userId: number }) => string;
}

/** Without ids and links, the latest tasks of the user. */
const LATEST = 100;

/** Returns the stored states of a user's tasks in a bot, without a membership check. */
export async function listSubscriptions(
  deps: ListSubscriptionsDeps,
  { botId, userId, orderIds, links }: ListSubscriptionsInput,
): Promise<UserSubscription[]> {
  const states = await readTaskStates(deps.db, { userId, botId });
  const orders = await deps.book.lookup([...new Set([...states.keys(), ...(orderIds ?? [])])]);
  const found = (orderId: number): UserSubscription => ({
    orderId,
    link: orders.get(orderId)?.link,
    state: states.get(orderId),
  });
  if (orderIds !== undefined) return orderIds.map(found);
  if (links === undefined) return [...states.keys()].slice(0, LATEST).map(found);

  const byLink = new Map<string, number>();
  // The latest task of a resource decides, so the older ones are entered first.
  for (const orderId of [...states.keys()].reverse()) {
    const link = orders.get(orderId)?.link;
    if (link === undefined) continue;
    byLink.set(linkKey(link), orderId);
    byLink.set(linkKey(deps.personalLink({ orderId, userId })), orderId);
  }
  return links.map((link) => {
    const orderId = byLink.get(linkKey(link)) ?? orderInCheckLink(link, states);
    return { orderId, link, state: orderId === undefined ? undefined : states.get(orderId) };
  });
}

/** Returns the order behind a link to the human check, if it is one of the user's tasks. */
function orderInCheckLink(link: string, states: ReadonlyMap<number, TaskState>): number | undefined {
  const orderId = orderOfCheckLink(link);
  return orderId !== undefined && states.has(orderId) ? orderId : undefined;
}

/** Returns the order to which a link to the human check leads on, such as `t.me/our_bot?startapp=l_o7_…`. */
export function orderOfCheckLink(link: string): number | undefined {
  const [, orderId] = /[?&]startapp=l_o([1-9]\d{0,14})_/.exec(link) ?? [];
  return orderId === undefined ? undefined : Number(orderId);
}

/**
 * Returns what two spellings of one link have in common. The query is left out: it holds the click id of an external bot
 * and the token of a personal link. Telegram ignores the case of names, but not of invite links.
 */
function linkKey(link: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`);
  if (url === null) return link;
  const host = url.host.replace(/^www\./, '').replace(/^telegram\.me$/, 't.me');
  const path = url.pathname.replace(/\/+$/, '');
  const isName = host === 't.me' && /^\/\w+$/.test(path);
  return host + (isName ? path.toLowerCase() : path);
}
