import type { Static } from 'typebox';
import { FILTERS } from '../../targeting/index.ts';
import { taskStatus } from '../task.ts';
import type { TaskWithOrder } from './describe-tasks.ts';
import { BARRIERS } from './eligibility.ts';
import type { Explanation } from './explain-tasks.ts';
import type { GetSponsorsResponse } from './schemas.ts';

export function presentSponsors(tasks: readonly TaskWithOrder[]): Static<typeof GetSponsorsResponse> {
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
