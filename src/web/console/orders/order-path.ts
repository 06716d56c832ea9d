import type { Html } from '../../../core/html.ts';
import type { Order, OrderStatus, OwnOrderRef } from '../../../modules/orders/index.ts';
import { badge, type Tone } from '../parts/pieces.ts';
import { type Crumb, idIn, type Visit } from '../visit.ts';

export const ORDERS = '/console/orders';

export const pathOf = ({ id }: Pick<Order, 'id'>): string => `${ORDERS}/${id}`;

/** The order in the path. Whether it is the visitor's is for each use case to say. */
export const refIn = (visit: Visit): OwnOrderRef => ({ accountId: visit.owner.accountId, orderId: idIn(visit) });

export const orderCrumbs = (visit: Visit, order?: Pick<Order, 'id' | 'name'>): Crumb[] => [
  { label: visit.texts.menu.orders, href: ORDERS },
  ...(order === undefined ? [] : [{ label: order.name, href: pathOf(order) }]),
];

const TONES: Readonly<Record<OrderStatus, Tone>> = {
  moderation: 'accent',
  active: 'good',
  paused: 'warn',
  completed: 'plain',
  cancelled: 'plain',
  rejected: 'bad',
};

export const statusBadge = (visit: Visit, status: OrderStatus): Html =>
  badge(TONES[status], visit.texts.orders.statuses[status]);
