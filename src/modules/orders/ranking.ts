import type { Order, OrderProgress } from './order.ts';

/** A new order is taken to convert this well until it has shown otherwise: high enough to be tried. */
const PRIOR_CONVERSION = 0.5;
const PRIOR_SHOWN = 20;

/** What one showing of the order is expected to earn the publisher, in kopecks. */
export function rankingScore(order: Pick<Order, 'rewardKopecks'>, progress: OrderProgress): number {
  const conversion = (progress.confirmedTotal + PRIOR_CONVERSION * PRIOR_SHOWN) / (progress.shownTotal + PRIOR_SHOWN);
  return Number(order.rewardKopecks) * conversion;
}
