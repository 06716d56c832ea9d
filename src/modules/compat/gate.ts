import type { Database } from '../../core/database.ts';
import type { Bot } from '../bots/index.ts';
import { findOrders, isExternal, type Order } from '../orders/index.ts';
import {
  type ConfirmOutcome,
  type GetSponsorsInput,
  type TaskFlow,
  type TaskState,
  type TaskWithOrder,
  taskStatus,
} from '../tasks/index.ts';
import { createCheckPauses } from './check-pauses.ts';
import { readTasksOf } from './store.ts';

/** The statuses that all five networks know under some name. `notgetted`: a member, but not paid. */
export type GateStatus = 'subscribed' | 'unsubscribed' | 'notgetted';

/** What one call shows: the tasks, and the statuses of those that it confirmed. */
export interface GateAnswer {
  /** The same array as long as a repeat caller's tasks are unchanged, so that responses can be cached by it. */
  readonly tasks: readonly TaskWithOrder[];
  /** By order. A task without an entry is not done. */
  readonly statuses: ReadonlyMap<number, GateStatus>;
}

export interface UserTask {
  readonly order: Order;
  readonly status: GateStatus;
  readonly state: TaskState;
  readonly shownAt: Date;
}

/** A confirm at once needs the chats that the user has joined. */
export type GateInput = GetSponsorsInput & { readonly withMemberships: true };

/** The task flow as the compatible APIs use it: they have no separate confirm. */
export interface Gate {
  /**
   * Confirms the open tasks that an earlier call showed, in one batch, and returns the tasks of the user. Never
   * confirms a task that this call shows first.
   */
  ask(input: GateInput): Promise<GateAnswer>;
  /** Confirms the user's open tasks and returns all tasks of the user in the bot. Shows nothing new. */
  review(bot: Bot, userId: number): Promise<UserTask[]>;
  /** Confirms one task. */
  confirm(bot: Bot, userId: number, orderId: number): Promise<ConfirmOutcome>;
}

const NOTHING: ReadonlyMap<number, GateStatus> = new Map();
const MAX_REVIEWED = 200;

export interface GateDeps {
  readonly db: Database;
  readonly flow: TaskFlow;
  /** The membership checks that Telegram's budget allows per second. */
  readonly checksPerSecond: number;
}

export function createGate({ db, flow, checksPerSecond }: GateDeps): Gate {
  const pauses = createCheckPauses({ perSecond: checksPerSecond });

  async function confirmAll(bot: Bot, userId: number, orderIds: readonly number[]) {
    const outcomes = await flow.confirm({ bot, userId, orderIds, isQuick: true });
    return new Map(orderIds.map((orderId, i) => [orderId, statusOf(outcomes[i])]));
  }

  return {
    async ask(input) {
      const { bot, userId } = input;
      const { tasks, memberOf } = await flow.getSponsors(input);
      const due: number[] = [];
      const mayCheck = pauses.open(bot.id, userId);
      for (const { isNew, order } of tasks) {
        const { resource } = order;
        if (isNew === true) continue;
        if (memberOf.has(resource.chatId) || isExternal(resource) || mayCheck(resource.type)) due.push(order.id);
      }
      return { tasks, statuses: due.length === 0 ? NOTHING : await confirmAll(bot, userId, due) };
    },

    async review(bot, userId) {
      const records = await readTasksOf(db, { botId: bot.id, userId, limit: MAX_REVIEWED });
      const orders = new Map(
        (
          await findOrders(
            db,
            records.map(({ orderId }) => orderId),
          )
        ).map((one) => [one.id, one]),
      );
      const open = records.filter(({ state }) => state === 'shown' || state === 'unreserved' || state === 'expired');
      const confirmed = await confirmAll(
        bot,
        userId,
        open.map(({ orderId }) => orderId),
      );
      return records.flatMap(({ orderId, state, shownAt }) => {
        const order = orders.get(orderId);
        const status = confirmed.get(orderId) ?? statusIn(state);
        return order === undefined ? [] : [{ order, status, state, shownAt }];
      });
    },

    async confirm(bot, userId, orderId) {
      const [outcome] = await flow.confirm({ bot, userId, orderIds: [orderId], isQuick: true });
      return outcome ?? { kind: 'order_not_found' };
    },
  };
}

function statusOf(outcome: ConfirmOutcome | undefined): GateStatus {
  switch (outcome?.kind) {
    case 'counted':
    case 'pending':
      return 'subscribed';
    case 'not_counted':
    case 'order_full':
      return 'notgetted';
    default:
      return 'unsubscribed';
  }
}

/** A pending task is done for the user: only the advertiser's side has not decided yet. */
function statusIn(state: TaskState): GateStatus {
  const status = taskStatus(state);
  return status === 'hold' ? 'subscribed' : status;
}

/** Returns the status of one of the answer's tasks. */
export function statusFor({ statuses }: GateAnswer, { order }: TaskWithOrder): GateStatus {
  return statuses.get(order.id) ?? 'unsubscribed';
}

/** Returns the tasks that the user still has to do. None means that the user may proceed. */
export function leftIn(answer: GateAnswer): readonly TaskWithOrder[] {
  if (answer.statuses.size === 0) return answer.tasks;
  return answer.tasks.filter((task) => statusFor(answer, task) === 'unsubscribed');
}
