import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '../../../core/errors.ts';
import { countPausedOrders, type Order } from '../../orders/index.ts';
import { type FilterKey, hiddenBy } from '../../targeting/index.ts';
import { hidesTasks, withinShare } from './choose-orders.ts';
import { barrierFor, describeUser, type RemovalReason } from './describe-user.ts';
import type { GetSponsorsDeps, GetSponsorsInput } from './get-sponsors.ts';
import { tasksIn } from './show-store.ts';

/** Why a user gets the tasks they get: how many orders each reason removed. An order counts under the first reason. */
export interface Explanation {
  readonly activeOrders: number;
  readonly pausedOrders: number;
  readonly isBanned: boolean;
  /** Whether the user is over a limit and sees no new tasks for that (`OVER_LIMIT_TASKS=hidden`). */
  readonly isHiddenByLimit: boolean;
  readonly removedByBarrier: ReadonlyMap<RemovalReason, number>;
  readonly removedByFilter: ReadonlyMap<FilterKey, number>;
  /** Orders that could be shown now, if neither a ban nor a limit hides all of them. */
  readonly matchingOrders: number;
}

/** Orders between two pauses in which other requests run. */
const CHUNK = 5_000;

/** Returns why a user in a bot gets tasks or none. */
export async function explainTasks(
  deps: Pick<GetSponsorsDeps, 'db' | 'clock' | 'book' | 'reads' | 'quality' | 'connections' | 'userLimits'>,
  input: GetSponsorsInput,
): Promise<Explanation> {
  const now = deps.clock.now();
  const [{ list, record }, pausedOrders, isHiddenByLimit] = await Promise.all([
    deps.reads.submit({ userId: input.userId, botId: input.bot.id, now, cachedVersion: undefined, withRecord: true }),
    countPausedOrders(deps.db),
    hidesTasks(deps, { userId: input.userId, now }),
  ]);
  assert(list !== undefined && record !== undefined, 'both were asked for');
  const { userInBot, facts } = describeUser(input, record, {
    now,
    tasks: tasksIn(list),
    source: deps.quality.of(input.bot.id),
    connections: deps.connections,
  });
  const removedByBarrier = new Map<RemovalReason, number>();
  const removedByFilter = new Map<FilterKey, number>();
  let activeOrders = 0;
  const matching: Order[] = [];
  for (const { order, availability } of [...deps.book.active()]) {
    activeOrders += 1;
    if (activeOrders % CHUNK === 0) await nextTurn();
    const barrier = availability === 'open' ? barrierFor(order, userInBot) : availability;
    const filter = barrier === undefined ? hiddenBy(order.filters, facts) : undefined;
    if (barrier !== undefined) count(removedByBarrier, barrier);
    else if (filter !== undefined) count(removedByFilter, filter);
    else matching.push(order);
  }
  let matchingOrders = 0;
  for (let i = 0; i < matching.length; i += CHUNK) {
    matchingOrders += (await withinShare(deps, input.bot.id, matching.slice(i, i + CHUNK))).length;
  }
  if (matching.length > matchingOrders) removedByBarrier.set('share_cap', matching.length - matchingOrders);
  return {
    activeOrders,
    pausedOrders,
    isBanned: list.isBanned,
    isHiddenByLimit,
    removedByBarrier,
    removedByFilter,
    matchingOrders,
  };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
