import { batchOf } from '../../core/batcher.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { findResourceByChat, type OrderBook } from '../orders/index.ts';
import type { UnknownCharge } from '../targeting/index.ts';
import { createAccessWatch } from './access/lost-access.ts';
import { verifyAccess } from './access/verify-access.ts';
import type { ConfirmOutcome } from './confirm/confirm-rules.ts';
import { type ConfirmKey, readTasks } from './confirm/confirm-store.ts';
import { type ConfirmInput, confirmSubscriptions } from './confirm/confirm-tasks.ts';
import { type MemberConfirm, recordConfirms } from './confirm/record-confirms.ts';
import { expireTasks } from './expire/expire-tasks.ts';
import type { MembershipChecker } from './membership.ts';
import { type MembershipUpdate, recordMembershipUpdate } from './settle/record-membership.ts';
import { answerPostback, type Postback } from './settle/record-postback.ts';
import { settleDue } from './settle/settle-due.ts';
import type { SponsorTask } from './show/describe-tasks.ts';
import { type Explanation, explainTasks } from './show/explain-tasks.ts';
import { type GetSponsorsInput, getSponsors } from './show/get-sponsors.ts';
import { type Placement, placeTasks } from './show/place-tasks.ts';
import { type AskerKey, type Question, readAskers, readKnown } from './show/show-store.ts';
import { createRememberedAnswers } from './show/task-cache.ts';

/** The task flow of one process: the use cases of this module around the five batchers that they share. */
export interface TaskFlow {
  getSponsors(input: GetSponsorsInput): Promise<readonly SponsorTask[]>;
  /** Why a user is shown the tasks that they are, or none. */
  explain(input: GetSponsorsInput): Promise<Explanation>;
  confirm(input: ConfirmInput): Promise<ConfirmOutcome[]>;
  /** The advertiser's side says whether a user came; false when it is not the advertiser's side that says so. */
  answerPostback(postback: Postback): Promise<boolean>;
  recordMembership(update: MembershipUpdate): Promise<void>;
  /** Our bot is no longer an administrator of the chat: what is advertised there stands still, and its owners are told. */
  loseAccess(chatId: number): Promise<void>;
  /** Asks again about resources of which one answer said that our bot has no access; returns how many. */
  verifyAccess(signal?: AbortSignal): Promise<number>;
  /** Settles or reverses what is due; answers how many tasks it took in hand. */
  settleDue(signal?: AbortSignal): Promise<number>;
  /** Frees what lapsed tasks had reserved; answers how many there were. */
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
  /** How many tasks a bot without any proven conversion may have reserved at a time. */
  readonly reservationsOfNewBot: number;
  /** Told of orders that look like an attempt to cheat. */
  readonly operatorIds: ReadonlySet<number>;
  readonly candidateCheckMs: number;
  /** What is charged for filters whose value was not known when the task was shown. */
  readonly unknownCharge: UnknownCharge;
  readonly personalLink: (task: { orderId: number; userId: number }) => string;
  /** Told of every batch of the five batchers, by name. */
  readonly onFlush?: (batcher: string, items: number, milliseconds: number) => void;
}

export function createTaskFlow(deps: TaskFlowDeps): TaskFlow {
  const { db } = deps;
  const told = (name: string) => ({
    onFlush: (items: number, milliseconds: number) => deps.onFlush?.(name, items, milliseconds),
  });
  const known = batchOf((questions: readonly Question[]) => readKnown(db, questions), told('known'));
  const askers = batchOf((keys: readonly AskerKey[]) => readAskers(db, keys), told('askers'));
  const placements = batchOf((items: readonly Placement[]) => placeTasks(db, items, deps), told('placements'));
  const tasks = batchOf((keys: readonly ConfirmKey[]) => readTasks(db, keys), told('tasks'));
  const confirms = batchOf((items: readonly MemberConfirm[]) => recordConfirms(db, items), told('confirms'));
  const answers = createRememberedAnswers(deps.book);
  const parts = { ...deps, access: createAccessWatch(deps), answers, known, askers, placements, tasks, confirms };

  return {
    getSponsors: (input) => getSponsors(parts, input),
    explain: (input) => explainTasks(parts, input),
    confirm: (input) => confirmSubscriptions(parts, input),
    answerPostback: (postback) => answerPostback(parts, postback),
    recordMembership: (update) => recordMembershipUpdate(parts, update),
    async loseAccess(chatId) {
      const resource = await findResourceByChat(db, chatId);
      if (resource !== undefined) await parts.access.lost([resource]);
    },
    verifyAccess: (signal) => verifyAccess(parts, signal),
    settleDue: (signal) => settleDue(parts, signal),
    expireTasks: (signal) => expireTasks(parts, signal),
    async drain() {
      for (const batcher of [known, askers, tasks, placements, confirms]) await batcher.drain();
    },
  };
}
