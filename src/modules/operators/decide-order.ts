import { saveModerated } from '../cases/index.ts';
import {
  type ModerateOutcome,
  type Moderation,
  moderateOrder,
  resumeStoppedOrder,
  type StopOutcome,
  stopOrder,
} from '../orders/index.ts';
import { type ReverseOutcome, reverseSelected, type Selection } from '../tasks/index.ts';
import { type ByOperator, decide, type OperatorDeps } from './decide.ts';

type OrderDecision = ByOperator & { readonly orderId: number };

/** Approves or rejects an order that waits for moderation. */
export function decideOrder(
  deps: OperatorDeps,
  decision: OrderDecision & { readonly moderation: Moderation },
): Promise<ModerateOutcome> {
  const { orderId, moderation } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await moderateOrder(tx, { orderId, moderation, at });
    if (outcome.kind !== 'done') return outcome;
    const { accountId } = outcome.order;
    if (moderation.kind === 'approve') {
      await saveModerated(tx, orderId, at);
      await log('order.approved', orderId, { accountId });
    } else await log('order.rejected', orderId, { accountId, reason: moderation.reason });
    return outcome;
  });
}

/** Stops an order. Its owner cannot resume it; an operator can. */
export function pauseOrder(
  deps: OperatorDeps,
  decision: OrderDecision & { readonly reason: string },
): Promise<StopOutcome> {
  const { orderId, reason } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await stopOrder(tx, { orderId, reason, at });
    if (outcome.kind === 'done') await log('order.paused', orderId, { reason });
    return outcome;
  });
}

export function resumeOrder(deps: OperatorDeps, decision: OrderDecision): Promise<StopOutcome> {
  const { orderId } = decision;
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await resumeStoppedOrder(tx, { orderId, at });
    if (outcome.kind === 'done') await log('order.resumed', orderId);
    return outcome;
  });
}

export interface ReverseDecision extends ByOperator {
  readonly selection: Selection;
  readonly reason: string;
  /** Names the request, so that a repeat reverses nothing. */
  readonly key: string;
}

/** Reverses all subscriptions of a bot, of an order, or of both together. */
export function reverseSubscriptions(deps: OperatorDeps, decision: ReverseDecision): Promise<ReverseOutcome> {
  const { reason, selection } = decision;
  const { botId, orderId } = selection;
  const name = [botId === null ? [] : `bot ${botId}`, orderId === null ? [] : `order ${orderId}`].flat().join(', ');
  return decide(deps, decision, async ({ tx, at, log }) => {
    const outcome = await reverseSelected(tx, { ...decision, at });
    if (outcome.kind === 'reversed') {
      const { id, count, rewardKopecks } = outcome;
      await log('subscriptions.reversed', id, { amountKopecks: String(rewardKopecks), count, name, reason });
    }
    return outcome;
  });
}
