import { isExternal, type Order, type OrderProgress } from './order.ts';

/** A new order is taken to convert this well until it has shown otherwise: high enough to be tried. */
const PRIOR_CONVERSION = 0.5;
const PRIOR_SHOWN = 20;

/** What an advertiser's side is taken to approve until it has answered: most of its users, and less than a check would. */
const PRIOR_APPROVAL = 0.8;
const PRIOR_ANSWERS = 10;

/** What one showing of the order is expected to earn the publisher, in kopecks. */
export function rankingScore(order: Pick<Order, 'rewardKopecks' | 'resource'>, progress: OrderProgress): number {
  const conversion = (progress.confirmedTotal + PRIOR_CONVERSION * PRIOR_SHOWN) / (progress.shownTotal + PRIOR_SHOWN);
  const approval = isExternal(order.resource) ? expectedApproval(progress) : 1;
  return Number(order.rewardKopecks) * conversion * approval;
}

function expectedApproval({ approvedTotal, declinedTotal }: OrderProgress): number {
  return (approvedTotal + PRIOR_APPROVAL * PRIOR_ANSWERS) / (approvedTotal + declinedTotal + PRIOR_ANSWERS);
}
