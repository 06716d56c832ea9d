import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import { assert } from '../../../core/errors.ts';
import { countPausedOrders, type OrderBook } from '../../orders/index.ts';
import { type FilterKey, hiddenBy } from '../../targeting/index.ts';
import { tasksIn } from '../task-list-store.ts';
import { type Barrier, barrierFor } from './eligibility.ts';
import { type GetSponsorsDeps, type GetSponsorsInput, understand } from './get-sponsors.ts';

export interface ExplainDeps extends Pick<GetSponsorsDeps, 'known' | 'askers'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
}

/** Where the orders of the exchange went, for one user in one bot. Each is counted under the first reason that holds. */
export interface Explanation {
  readonly activeOrders: number;
  readonly pausedOrders: number;
  readonly isBanned: boolean;
  readonly removedByBarrier: ReadonlyMap<Barrier | 'out_of_budget' | 'paced', number>;
  readonly removedByFilter: ReadonlyMap<FilterKey, number>;
  /** What is left: could be shown now. */
  readonly matchingOrders: number;
}

/** Looks at every order, so it lets other requests through now and then. */
const CHUNK = 5_000;

/** The answer to "why no tasks?". */
export async function explainTasks(deps: ExplainDeps, input: GetSponsorsInput): Promise<Explanation> {
  const key = { userId: input.userId, botId: input.bot.id, now: deps.clock.now() };
  const [{ list, asker }, pausedOrders] = await Promise.all([
    deps.known.submit({ ...key, remembered: undefined, isExpectedNew: true }),
    countPausedOrders(deps.db),
  ]);
  assert(list !== undefined, 'a list that is not remembered is read');
  const read = asker ?? (await deps.askers.submit(key));
  const { asking, facts } = understand(input, read, { now: key.now, tasks: tasksIn(list) });
  const removedByBarrier = new Map<Barrier | 'out_of_budget' | 'paced', number>();
  const removedByFilter = new Map<FilterKey, number>();
  let activeOrders = 0;
  let matchingOrders = 0;
  for (const { order, availability } of [...deps.book.active()]) {
    activeOrders += 1;
    if (activeOrders % CHUNK === 0) await nextTurn();
    const barrier = availability === 'open' ? barrierFor(order, asking) : availability;
    const filter = barrier === undefined ? hiddenBy(order.filters, facts) : undefined;
    if (barrier !== undefined) count(removedByBarrier, barrier);
    else if (filter !== undefined) count(removedByFilter, filter);
    else matchingOrders += 1;
  }
  return { activeOrders, pausedOrders, isBanned: list.isBanned, removedByBarrier, removedByFilter, matchingOrders };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
