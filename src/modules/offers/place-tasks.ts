import { businessDay } from '../../core/clock.ts';
import type { Database, Transaction } from '../../core/database.ts';
import { recordSeen } from '../audience/index.ts';
import { escrow, readBalances } from '../ledger/index.ts';
import {
  changeProgress,
  findOrders,
  lockProgress,
  type Order,
  openSlots,
  type ProgressChange,
  slotsByTimetable,
} from '../orders/index.ts';
import type { Offer, Round } from './offer.ts';
import { lockRounds, lockTasks, pairKey, saveExpired, savePlaced, saveRenewed, saveRounds } from './placement-store.ts';
import { planTasks, type TaskPlan, type TaskRequest, type TaskSource } from './plan-tasks.ts';

export interface Placement {
  readonly request: TaskRequest;
  /** What the bot sent of the user, to be remembered. */
  readonly sent: object;
  /** Best first; a few more than are needed, since some may be taken by the time this is written. */
  readonly candidateIds: readonly number[];
  /** Resources that this user must not be offered, not even again. */
  readonly barredResources: ReadonlySet<number>;
  /** Chats to which the user is known to belong. */
  readonly memberOf: ReadonlySet<number>;
}

export interface Placed {
  readonly tasks: readonly Offer[];
  /** Candidates that turned out to have no room. */
  readonly fullOrders: readonly number[];
}

/**
 * Decides and writes what many users are shown, in one transaction. Under the locks of the users' rounds and of the
 * orders, so that a slot or a kopeck is never promised twice.
 */
export async function placeTasks(db: Database, placements: readonly Placement[]): Promise<Placed[]> {
  return db.transaction(async (tx) => {
    const now = latest(placements.map(({ request }) => request.now));
    const world = await lockWorld(tx, placements, now);
    const placed = placements.map((placement) => place(world, placement));
    await saveWorld(tx, world, now);
    await recordSeen(
      tx,
      placements.map(({ request, sent }) => ({ userId: request.userId, facts: sent })),
      now,
    );
    return placed;
  });
}

interface PairState {
  round: Round | undefined;
  readonly offers: Map<number, Offer>;
}

/** Everything locked, as the plans of this batch change it one after another. */
interface World {
  readonly pairs: ReadonlyMap<string, PairState>;
  readonly orders: ReadonlyMap<number, Order>;
  readonly openSlots: Map<number, number>;
  readonly lapsed: readonly Offer[];
  readonly plans: TaskPlan[];
}

async function lockWorld(tx: Transaction, placements: readonly Placement[], now: Date): Promise<World> {
  const requests = placements.map(({ request }) => request);
  const rounds = await lockRounds(tx, requests, now);
  const candidateIds = [...new Set(placements.flatMap((placement) => placement.candidateIds))];
  const offers = await lockTasks(tx, requests, candidateIds);
  const lapsed = offers.filter((offer) => offer.state === 'offered' && offer.expiresAt <= now);

  const orderIds = [...new Set([...candidateIds, ...offers.filter(mayReturn).map((offer) => offer.orderId)])];
  const progress = await lockProgress(tx, orderIds);
  const orders = new Map((await findOrders(tx, orderIds)).map((order) => [order.id, order]));
  const escrowOf = await readBalances(tx, orderIds.map(escrow));

  const slots = new Map<number, number>();
  for (const [orderId, counters] of progress) {
    const order = orders.get(orderId);
    if (order === undefined) continue;
    const released = lapsed.filter((offer) => offer.orderId === orderId);
    const afterRelease = {
      ...counters,
      reservedCount: counters.reservedCount - released.length,
      reservedKopecks: released.reduce((left, offer) => left - offer.chargeKopecks, counters.reservedKopecks),
    };
    const room = openSlots(order, afterRelease, escrowOf(escrow(orderId)), businessDay(now));
    slots.set(orderId, Math.min(room, slotsByTimetable(order, afterRelease, now)));
  }

  const pairs = new Map<string, PairState>();
  for (const [key, round] of rounds)
    pairs.set(key, { round: round.number === 0 ? undefined : round, offers: new Map() });
  for (const offer of offers) {
    const state = lapsed.includes(offer) ? { ...offer, state: 'expired' as const } : offer;
    pairs.get(pairKey(offer))?.offers.set(offer.orderId, state);
  }
  return { pairs, orders, openSlots: slots, lapsed, plans: [] };
}

const mayReturn = (offer: Offer): boolean => offer.state === 'offered' || offer.state === 'expired';

function place(world: World, { request, candidateIds, barredResources, memberOf }: Placement): Placed {
  const pair = world.pairs.get(pairKey(request)) ?? { round: undefined, offers: new Map<number, Offer>() };
  const fullOrders: number[] = [];

  const offerable = (orderId: number): Order | undefined => {
    const order = world.orders.get(orderId);
    if (order === undefined || order.status !== 'active') return undefined;
    return barredResources.has(order.resource.id) || memberOf.has(order.resource.chatId) ? undefined : order;
  };
  const source: TaskSource = {
    candidates: candidateIds
      .filter((orderId) => (pair.offers.get(orderId)?.state ?? 'expired') === 'expired')
      .map(offerable)
      .filter((order) => order !== undefined),
    again: offerable,
    take(order) {
      const left = world.openSlots.get(order.id) ?? 0;
      if (left <= 1) fullOrders.push(order.id);
      if (left < 1) return false;
      world.openSlots.set(order.id, left - 1);
      return true;
    },
  };

  const plan = planTasks(request, { round: pair.round, offers: [...pair.offers.values()] }, source);
  for (const offer of [...plan.placed, ...plan.renewed]) pair.offers.set(offer.orderId, offer);
  if (plan.round !== undefined) pair.round = plan.round;
  world.plans.push(plan);
  return { tasks: plan.tasks, fullOrders };
}

async function saveWorld(tx: Transaction, { plans, lapsed }: World, now: Date): Promise<void> {
  const placed = plans.flatMap((plan) => plan.placed);
  await saveExpired(tx, lapsed);
  await savePlaced(tx, placed);
  await saveRenewed(
    tx,
    plans.flatMap((plan) => plan.renewed),
  );
  await saveRounds(tx, lastPerPair(plans.flatMap((plan) => plan.round ?? [])));
  const changes: ProgressChange[] = [
    ...lapsed.map((offer) => ({ orderId: offer.orderId, reserved: -1, reservedKopecks: -offer.chargeKopecks })),
    ...placed.map((offer) => ({ orderId: offer.orderId, reserved: 1, reservedKopecks: offer.chargeKopecks, shown: 1 })),
  ];
  await changeProgress(tx, changes, businessDay(now));
}

/** Two requests of one user in one batch leave two versions of the round; the later one stands. */
function lastPerPair(rounds: readonly Round[]): Round[] {
  return [...new Map(rounds.map((round) => [pairKey(round), round])).values()];
}

function latest(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}
