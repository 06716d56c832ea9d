import type { Kopecks } from '../../../core/money.ts';
import type { OrderTerms } from '../../orders/index.ts';
import type { BotProgress } from '../bot-progress-store.ts';
import type { Round, Task } from '../task.ts';
import type { ListKey } from '../task-list.ts';
import type { TaskRequest } from './plan-tasks.ts';

/** One request for tasks, with everything that was read and checked before the transaction. */
export interface Placement {
  readonly request: TaskRequest;
  /** The user's list as the row stored it when everything else here was read; undefined without a row. */
  readonly packedTasks: string | undefined;
  /** The profile that the bot sent, to be stored. */
  readonly sent: object;
  /** Best first; a few more than needed, because some may be full by now. */
  readonly candidateIds: readonly number[];
  /** Resources that must not be shown to this user, not even again. */
  readonly barredResources: ReadonlySet<number>;
  /** Resources that the user is a member of by a check of this request. */
  readonly memberResources: ReadonlySet<number>;
  /** Resources that the user is not a member of by a check of this request. */
  readonly outsideResources: ReadonlySet<number>;
  /** The chats that the user is a member of, with the first time the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
  /** Whether Telegram has ever mentioned this user. Any other id may be invented. */
  readonly isKnownToTelegram: boolean;
  /** By order, this user's charge instead of the order's; absent when every user costs the same. */
  readonly charges?: ReadonlyMap<number, UserCharge>;
}

export interface UserCharge {
  /** The order's charge when the user's charge was computed. */
  readonly orderChargeKopecks: Kopecks;
  readonly chargeKopecks: Kopecks;
}

/** A list while the plans of the batch change it one after another. */
export interface DraftList extends ListKey {
  readonly accountId: number;
  round: Round | undefined;
  readonly tasks: Map<number, Task>;
  /** Tasks that our bot can no longer check. They stay until they lapse and are not shown. */
  hidden: readonly Task[];
  readonly lapsed: readonly Task[];
  readonly isNew: boolean;
  isChanged: boolean;
}

/** The locked rows of a batch, and the counters as its plans change them. */
export interface PlacementBatch {
  /** By `listKeyOf`; only lists that are as their requests read them. */
  readonly lists: ReadonlyMap<string, DraftList>;
  readonly orders: ReadonlyMap<number, OrderTerms>;
  readonly openSlots: Map<number, number>;
  readonly bots: ReadonlyMap<number, BotProgress>;
  /** Reserved tasks by bot. */
  readonly reservedBy: Map<number, number>;
  readonly lapsed: readonly Task[];
  readonly placed: Task[];
}
