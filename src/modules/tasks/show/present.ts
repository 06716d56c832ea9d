import type { Static } from 'typebox';
import { toRubles } from '../../../core/money.ts';
import { FILTERS } from '../../targeting/index.ts';
import type { ConfirmOutcome } from '../confirm/confirm-rules.ts';
import { taskStatus } from '../task.ts';
import type { SponsorTask } from './describe-tasks.ts';
import { BARRIERS } from './eligibility.ts';
import type { Explanation } from './explain-tasks.ts';
import type { ConfirmAnswer, GetSponsorsAnswer } from './schemas.ts';

export function presentSponsors(tasks: readonly SponsorTask[]): Static<typeof GetSponsorsAnswer> {
  if (tasks.length === 0) return { status: 'ok', sponsors: [], message: 'No tasks left, the user may proceed' };
  return {
    status: 'warning',
    sponsors: tasks.map(({ task, order, link, approvalPercent }) => ({
      ads_id: order.id,
      link,
      resource_type: order.resource.type,
      title: order.title,
      status: taskStatus(task.state),
      ...(approvalPercent !== undefined && { approval_pct: approvalPercent }),
    })),
  };
}

type Answer = Static<typeof ConfirmAnswer>;

const denied = (code: string, message: string): Answer => ({
  status: 'warning',
  subscribed: false,
  message,
  code,
  grant_access: false,
  credit_status: 'none',
});

export function presentConfirm(outcome: ConfirmOutcome): Answer {
  switch (outcome.kind) {
    case 'counted':
      return {
        status: 'ok',
        subscribed: true,
        credited: toRubles(outcome.rewardKopecks),
        message: 'Subscription confirmed',
        code: 'counted',
        grant_access: true,
        credit_status: outcome.inHold ? 'hold' : 'paid',
      };
    case 'pending':
      return {
        status: 'ok',
        subscribed: true,
        expected: toRubles(outcome.rewardKopecks),
        message: "Waiting for the sponsor's side to confirm",
        code: 'pending',
        grant_access: true,
        credit_status: 'pending',
      };
    case 'not_counted':
      return {
        status: 'ok',
        subscribed: true,
        credited: 0,
        message: 'Subscription is real but was not counted: this user had subscribed before',
        code: 'already_counted',
        grant_access: true,
        credit_status: 'not_counted',
      };
    case 'order_full':
      return {
        status: 'ok',
        subscribed: true,
        credited: 0,
        message: 'Subscription is real but was not counted: the order has no room left',
        code: 'order_full',
        grant_access: true,
        credit_status: 'not_counted',
      };
    case 'not_subscribed':
      return denied('not_subscribed', 'User is not subscribed');
    case 'not_shown':
      return denied('not_shown', 'Sponsor was not shown');
    case 'banned':
      return denied('user_banned', 'User is banned');
    case 'unavailable':
      return denied('check_unavailable', 'Telegram could not be asked right now, please try again');
    case 'order_not_found':
      return denied('order_not_found', 'There is no such task');
  }
}

export function presentExplanation(explanation: Explanation) {
  const { removedByBarrier, removedByFilter } = explanation;
  return {
    active_orders: explanation.activeOrders,
    matching_orders: explanation.matchingOrders,
    removed: {
      paused: explanation.pausedOrders,
      ...Object.fromEntries(
        (['out_of_budget', 'paced', ...BARRIERS] as const).map((reason) => [reason, removedByBarrier.get(reason) ?? 0]),
      ),
    },
    removed_by_filter: Object.fromEntries(FILTERS.map(({ key }) => [key, removedByFilter.get(key) ?? 0])),
    user_is_banned: explanation.isBanned,
  };
}
