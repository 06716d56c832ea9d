import { isExternal, type Order, type OrderProgress } from './order.ts';

/** The assumed conversion of a new order: high enough that the order is shown. */
const PRIOR_CONVERSION = 0.5;
const PRIOR_SHOWN = 20;

/** The assumed approval rate before the first replies: most users, but fewer than a membership check would count. */
const PRIOR_APPROVAL = 0.8;
const PRIOR_ANSWERS = 10;

/** Returns the expected earnings of the publisher for one showing of the order, in kopecks. */
export function rankingScore(order: Pick<Order, 'rewardKopecks' | 'resource'>, progress: OrderProgress): number {
  const conversion = (progress.confirmedTotal + PRIOR_CONVERSION * PRIOR_SHOWN) / (progress.shownTotal + PRIOR_SHOWN);
  const approval = isExternal(order.resource) ? expectedApproval(progress) : 1;
  return Number(order.rewardKopecks) * conversion * approval;
}

function expectedApproval({ approvedTotal, declinedTotal }: OrderProgress): number {
  return (approvedTotal + PRIOR_APPROVAL * PRIOR_ANSWERS) / (approvedTotal + declinedTotal + PRIOR_ANSWERS);
}
