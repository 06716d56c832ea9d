import { batchOf } from '../../core/batcher.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { findResourceByChat, type OrderBook, type Resource } from '../orders/index.ts';
import type { QualityBook, UserLimits } from '../quality/index.ts';
import type { UnknownCharge } from '../targeting/index.ts';
import { recordLostAccess, replaceOrPause, verifyAccess } from './access/lost-access.ts';
import type { ConfirmOutcome } from './confirm/confirm-rules.ts';
import { type ConfirmKey, readConfirmFacts } from './confirm/confirm-store.ts';
import { type ConfirmInput, confirmTasks } from './confirm/confirm-tasks.ts';
import type { MemberConfirm } from './confirm/find-slots.ts';
import { createInFlight } from './confirm/in-flight.ts';
import { type ListSubscriptionsInput, listSubscriptions, type UserSubscription } from './confirm/list-subscriptions.ts';
import { recordConfirms } from './confirm/record-confirms.ts';
import { createRefusalCounter } from './confirm/refusal-counter.ts';
import { expireTasks } from './expire/expire-tasks.ts';
import type { MembershipChecker } from './membership.ts';
import { checkStays } from './settle/check-stays.ts';
import { type MembershipUpdate, recordMembershipUpdate } from './settle/record-membership.ts';
import { type Postback, recordPostback } from './settle/record-postback.ts';
import { settleDueTasks } from './settle/settle-due.ts';
import { checkHeldSoon } from './settle/settle-store.ts';
import type { Connections } from './show/describe-user.ts';
import { type Explanation, explainTasks } from './show/explain-tasks.ts';
import {
  createTaskCache,
  type GetSponsorsInput,
  getSponsors,
  type HumanCheckSettings,
  type SponsorTasks,
} from './show/get-sponsors.ts';
import { placeTasks } from './show/place-tasks.ts';
import type { Placement } from './show/placement.ts';
import { readShowFacts, type ShowQuery } from './show/show-store.ts';

/** The use cases of this module in one process, with the batchers that they share. */
export interface TaskFlow {
  getSponsors(input: GetSponsorsInput): Promise<SponsorTasks>;
  /** Returns why a user gets tasks or none. */
  explain(input: GetSponsorsInput): Promise<Explanation>;
  confirm(input: ConfirmInput): Promise<ConfirmOutcome[]>;
  /** Returns the stored states of a user's tasks, without a membership check. */
  listSubscriptions(input: ListSubscriptionsInput): Promise<UserSubscription[]>;
  /** Stores an advertiser's decision about a pending task. Returns false when the signature is not valid. */
  recordPostback(postback: Postback): Promise<boolean>;
  recordMembership(update: MembershipUpdate): Promise<void>;
  /** Pauses the orders of a chat in which our bot is no longer an administrator, and notifies their owners. */
  loseAccess(chatId: number): Promise<void>;
  /** Does the same for a resource. */
  pauseResource(resourceId: number): Promise<void>;
  /**
   * A bot is no longer an administrator of a chat; `checkerId` null: the management bot. If it served the chat, another
   * bot takes over or the orders pause.
   */
  loseChecker(chatId: number, checkerId: number | null): Promise<void>;
  /** Repeats checks that Telegram denied our bot. Returns how many. */
  verifyAccess(signal?: AbortSignal): Promise<number>;
  /** Settles or reverses due tasks. Returns how many it handled. */
  settleDue(signal?: AbortSignal): Promise<number>;
  /** Checks a sample of settled subscriptions of watched and low sources. Returns how many. */
  checkStays(samplePercent: number, signal?: AbortSignal): Promise<number>;
  /** Settles the rewards of a user soon that waited for the human check. */
  recordHumanCheck(userId: number): Promise<void>;
  /** Frees the reservations of lapsed tasks. Returns how many there were. */
  expireTasks(signal?: AbortSignal): Promise<number>;
  drain(): Promise<void>;
}

export interface TaskFlowDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly book: OrderBook;
  readonly membershipChecker: MembershipChecker;
  readonly secrets: Secrets;
  readonly reservationSeconds: number;
  /** How many tasks a bot without proven conversion may have reserved at a time. */
  readonly reservationsOfNewBot: number;
  /** Operators who get notices about suspicious orders. */
  readonly operatorIds: ReadonlySet<number>;
  readonly candidateCheckMs: number;
  /** The charge for filters whose value was unknown when the task was shown. */
  readonly unknownCharge: UnknownCharge;
  /** The scores of sources, which lengthen holds and cap low sources. */
  readonly quality: QualityBook;
  readonly userLimits: UserLimits;
  /** Returns the checker bots; absent: the management bot checks alone. */
  readonly checkerIds?: () => readonly number[];
  /** Gives a channel to another of our bots. Returns false when none is an administrator there. */
  readonly replaceChecker?: (resource: Resource) => Promise<boolean>;
  readonly checkerName?: (checkerId: number) => string | undefined;
  readonly personalLink: (task: { orderId: number; userId: number }) => string;
  /** Absent: no user is led to the human check, and no reward waits for it. */
  readonly humanCheck?: HumanCheckSettings | undefined;
  readonly connections: Connections;
  /** Called after every batch, for the metrics. */
  readonly onFlush?: (batcher: string, items: number, milliseconds: number) => void;
}

export function createTaskFlow(deps: TaskFlowDeps): TaskFlow {
  const { db } = deps;
  const named = (name: string) => ({
    name,
    onFlush: (items: number, milliseconds: number) => deps.onFlush?.(name, items, milliseconds),
  });
  const strength = deps.humanCheck?.strength ?? null;
  const reads = batchOf((queries: readonly ShowQuery[]) => readShowFacts(db, queries, strength), named('show_reads'));
  const placements = batchOf((items: readonly Placement[]) => placeTasks(db, items, deps), named('placements'));
  const confirmReads = batchOf(
    (keys: readonly ConfirmKey[]) => readConfirmFacts(db, keys, deps.userLimits.usersPerDevice, strength),
    named('confirm_reads'),
  );
  const confirms = batchOf((items: readonly MemberConfirm[]) => recordConfirms(db, items), named('confirms'));
  const refusals = createRefusalCounter(db);
  const parts = {
    ...{ ...deps, cache: createTaskCache(deps.book), inFlight: createInFlight() },
    ...{ reads, placements, confirmReads, confirms },
  };

  return {
    getSponsors: (input) => getSponsors(parts, input),
    explain: (input) => explainTasks(parts, input),
    async confirm(input) {
      const outcomes = await confirmTasks(parts, input);
      refusals.count(input.userId, outcomes, deps.clock.now());
      return outcomes;
    },
    listSubscriptions: (input) => listSubscriptions(deps, input),
    recordPostback: (postback) => recordPostback(deps, postback),
    recordMembership: (update) => recordMembershipUpdate(deps, update),
    async loseAccess(chatId) {
      const resource = await findResourceByChat(db, chatId);
      if (resource !== undefined) await recordLostAccess(deps, resource.id);
    },
    pauseResource: (resourceId) => recordLostAccess(deps, resourceId),
    async loseChecker(chatId, checkerId) {
      const resource = await findResourceByChat(db, chatId);
      if (resource !== undefined && (resource.checkerId ?? null) === checkerId) await replaceOrPause(deps, resource);
    },
    verifyAccess: (signal) => verifyAccess(deps, signal),
    settleDue: (signal) => settleDueTasks(deps, signal),
    checkStays: (samplePercent, signal) => checkStays(deps, samplePercent, signal),
    recordHumanCheck: (userId) => checkHeldSoon(db, userId, deps.clock.now()),
    expireTasks: (signal) => expireTasks(deps, signal),
    async drain() {
      for (const batcher of [reads, confirmReads, placements, confirms]) await batcher.drain();
      await refusals.drain();
    },
  };
}
