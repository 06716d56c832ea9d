import type { ProgressChange } from '../orders/index.ts';
import {
  confirmableUntil,
  EXTRA_ROUND,
  isDone,
  isOpen,
  type Offer,
  type OfferKey,
  type OfferState,
  type Round,
  type ShownTask,
} from './task.ts';

/**
 * What stands before a user in a bot: the running round, the tasks that wait to be done, and those of the round that are
 * done already. Kept as one row with the tasks as a text in it (migration 0013): one write for a first call and one read
 * for every later one, however many tasks there are.
 */
export interface TaskList {
  readonly userId: number;
  readonly botId: number;
  readonly accountId: number;
  readonly round: Round | undefined;
  readonly offers: readonly Offer[];
}

export interface Pair {
  readonly userId: number;
  readonly botId: number;
}

export const pairKey = ({ userId, botId }: Pair): string => `${userId}:${botId}`;

/** A task within its list, as it is written. Money is in kopecks, times are milliseconds of the epoch. */
type Packed = readonly [
  orderId: number,
  resourceId: number,
  round: number,
  position: number,
  state: OfferState,
  chargeKopecks: number,
  rewardKopecks: number,
  holdSeconds: number,
  flags: number,
  offeredAt: number,
  expiresAt: number,
  lateUntil?: number,
];

/** Bits of `flags`. The view `all_tasks` reads them too. */
const REFUND = 1;
const WAS_OUTSIDE = 2;

export function packTasks(offers: readonly Offer[]): string {
  return JSON.stringify(
    offers.map((offer): Packed => {
      const task = [
        offer.orderId,
        offer.resourceId,
        offer.round,
        offer.position,
        offer.state,
        Number(offer.chargeKopecks),
        Number(offer.rewardKopecks),
        offer.holdSeconds,
        (offer.refund ? REFUND : 0) | (offer.wasOutside ? WAS_OUTSIDE : 0),
        offer.offeredAt.getTime(),
        offer.expiresAt.getTime(),
      ] as const;
      return offer.lateUntil === null ? task : [...task, offer.lateUntil.getTime()];
    }),
  );
}

const unpack = ({ userId, botId }: Pair, accountId: number, packed: Packed): Offer => ({
  userId,
  botId,
  accountId,
  orderId: packed[0],
  resourceId: packed[1],
  round: packed[2],
  position: packed[3],
  state: packed[4],
  chargeKopecks: BigInt(packed[5]),
  rewardKopecks: BigInt(packed[6]),
  holdSeconds: packed[7],
  refund: (packed[8] & REFUND) !== 0,
  wasOutside: (packed[8] & WAS_OUTSIDE) !== 0,
  offeredAt: new Date(packed[9]),
  expiresAt: new Date(packed[10]),
  lateUntil: packed[11] === undefined ? null : new Date(packed[11]),
  confirmedAt: null,
  releaseAt: null,
  windowEndsAt: null,
  keptAt: null,
});

export function unpackTasks(pair: Pair, accountId: number, text: string): Offer[] {
  return (JSON.parse(text) as Packed[]).map((packed) => unpack(pair, accountId, packed));
}

/** One task of a list, apart from whose it is. */
export function unpackTask(key: OfferKey, text: string): Omit<Offer, 'accountId'> | undefined {
  const packed = (JSON.parse(text) as Packed[]).find(([orderId]) => orderId === key.orderId);
  return packed && unpack(key, 0, packed);
}

/** Only as much as it takes to show the tasks again: most requests of all need no more. */
export function unpackShown({ userId, botId }: Pair, text: string): ShownTask[] {
  return (JSON.parse(text) as Packed[]).map((packed) => ({
    userId,
    botId,
    orderId: packed[0],
    resourceId: packed[1],
    round: packed[2],
    position: packed[3],
    state: packed[4],
    expiresAt: new Date(packed[10]),
  }));
}

/** Lapsed tasks of earlier rounds that one list keeps; bounds the row of a user whose bot has very short rounds. */
const MAX_LATE = 50;

/**
 * What is worth keeping: every task that still has a slot reserved, of the running round also those that lapsed or are
 * done, and of earlier rounds those that lapsed and can still be confirmed. The rest has become history, which `offers`
 * keeps as far as it matters.
 */
export function worthKeeping(offers: Iterable<Offer>, round: Round | undefined, now: Date): Offer[] {
  const kept: Offer[] = [];
  const late: Offer[] = [];
  for (const offer of offers) {
    const isOfRound = round !== undefined && offer.round === round.number;
    if (offer.state === 'offered' || isOfRound) kept.push(offer);
    else if (!isDone(offer) && confirmableUntil(offer, round) > now) late.push(offer);
  }
  if (late.length > MAX_LATE) late.sort((a, b) => b.offeredAt.getTime() - a.offeredAt.getTime());
  return [...kept, ...late.slice(0, MAX_LATE)];
}

/** The task once a newer round begins: it stays confirmable for as long as its own round allowed. */
export function leftBehind(offer: Offer, ended: Round | undefined): Offer {
  if (offer.lateUntil !== null || isDone(offer) || offer.round === EXTRA_ROUND) return offer;
  return { ...offer, lateUntil: confirmableUntil(offer, ended) };
}

/** When the first of the open tasks lapses. */
export function firstExpiry(offers: readonly Offer[]): Date | null {
  let first: Date | null = null;
  for (const { state, expiresAt } of offers) {
    if (state === 'offered' && (first === null || expiresAt < first)) first = expiresAt;
  }
  return first;
}

/** Tasks that were not confirmed in time but still have their slots reserved. */
export function lapsedTasks({ offers }: TaskList, now: Date): Offer[] {
  return offers.filter((offer) => offer.state === 'offered' && offer.expiresAt <= now);
}

/** The same list with every task expired whose time is over. */
export function withoutLapsed(list: TaskList, now: Date): TaskList {
  const over = list.offers.filter((offer) => !isDone(offer) && !isOpen(offer, now));
  return withStates(list, new Map(over.map((offer) => [offer.orderId, 'expired'])));
}

/** What it means for the order that a task no longer has its slot and its charge reserved. */
export const releaseOf = ({ orderId, chargeKopecks }: Offer): ProgressChange => ({
  orderId,
  reserved: -1,
  reservedKopecks: -chargeKopecks,
});

/** The same list with these of its tasks in another state. */
export function withStates(list: TaskList, stateOf: ReadonlyMap<number, OfferState>): TaskList {
  const offers = list.offers.map((offer) => {
    const state = stateOf.get(offer.orderId);
    return state === undefined || isDone(offer) ? offer : { ...offer, state };
  });
  return { ...list, offers };
}
