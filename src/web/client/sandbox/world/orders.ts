import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { rubles } from '../format.ts';
import { show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Order } from '../wire.ts';

const SHOWN = 12;

/** Lists the orders with their progress and escrow. */
export function mountOrders(): void {
  const list = byId('orders', HTMLElement);
  const more = byId('orders-more', HTMLElement);
  show(
    (state) => [state.world?.orders],
    ([orders]) => {
      if (orders === undefined) return;
      keyedList(list, orders.slice(0, SHOWN), { key: (order) => String(order.order_id), render: orderLine });
      more.textContent = orders.length > SHOWN ? t.more(orders.length - SHOWN) : '';
      if (orders.length === 0) more.textContent = t.orders.empty;
    },
  );
}

function orderLine(order: Order): HTMLElement {
  const left = order.quantity - order.subscribers;
  const progress = element('progress', { max: order.quantity, value: order.subscribers });
  attributes(progress, { 'aria-label': t.orders.progress(order.subscribers, order.quantity) });
  const status =
    order.status === 'active'
      ? []
      : [element('span', { className: 'badge badge-warn' }, t.orders.statuses[order.status] ?? order.status)];
  const facts = [t.orders.left(left, order.quantity)];
  if (order.reserved > 0) facts.push(t.orders.reserved(order.reserved));
  facts.push(`${t.orders.escrow} ${rubles(order.escrow)}`);
  const line = element(
    'li',
    { className: 'order' },
    element('span', { className: 'order-name' }, order.name, ...status),
    element('span', { className: 'order-price' }, `${rubles(order.price_per_sub)} ${t.orders.price}`),
    progress,
    element('span', { className: 'under' }, facts.join(' · ')),
  );
  return attributes(line, { 'data-order': String(order.order_id) });
}
