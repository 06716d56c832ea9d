import type { Order, OrderStatus, OwnOrderRef } from '../../../modules/orders/index.ts';
import type { Tone } from '../parts/elements.ts';
import { type Crumb, readId, type Visit } from '../visit.ts';

export const ORDERS = '/console/orders';

export const pathOf = ({ id }: Pick<Order, 'id'>): string => `${ORDERS}/${id}`;

/** Returns the order in the path. The use cases check that it belongs to the visitor. */
export const readOrderRef = (visit: Visit): OwnOrderRef => ({
  accountId: visit.owner.accountId,
  orderId: readId(visit),
});

export const orderCrumbs = (visit: Visit, order?: Pick<Order, 'id' | 'name'>): [Crumb, ...Crumb[]] => [
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

export const orderBadge = ({ shared }: Visit, { status }: Pick<Order, 'status'>): readonly [Tone, string] => [
  TONES[status],
  shared.orders.statuses[status],
];
