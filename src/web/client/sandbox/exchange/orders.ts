import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { rubles } from '../format.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Order } from '../wire.ts';

const SHOWN = 8;

/** Lists the orders with their progress and escrow. The search finds them by name, number or owner. */
export function mountOrders(): void {
  const list = byId('orders', HTMLElement);
  const more = byId('orders-more', HTMLElement);
  const search = byId('orders-search', HTMLInputElement);
  const draw = (): void => {
    const { exchange } = current();
    if (exchange === undefined) return;
    const wanted = search.value.trim().toLowerCase();
    const ownerOf = new Map(exchange.accounts.map((account) => [account.account_id, account.name]));
    const found = exchange.orders.filter((order) =>
      `${order.name} #${order.order_id} ${ownerOf.get(order.account_id)}`.toLowerCase().includes(wanted),
    );
    keyedList(list, found.slice(0, SHOWN), { key: (order) => String(order.order_id), render: orderLine });
    more.textContent = found.length > SHOWN ? t.andMore(found.length - SHOWN) : '';
    if (found.length === 0) more.textContent = wanted === '' ? t.orders.empty : t.nothingFound;
  };
  search.addEventListener('input', draw);
  show((state) => [state.exchange?.orders], draw);
}

function orderLine(order: Order): HTMLElement {
  const progress = element('progress', { max: order.quantity, value: order.subscribers });
  attributes(progress, { 'aria-label': t.orders.progress(order.subscribers, order.quantity) });
  const status = element(
    'span',
    { className: 'badge badge-warn', hidden: order.status === 'active' },
    t.orders.statuses[order.status] ?? order.status,
  );
  const facts = [t.orders.left(order.quantity - order.subscribers, order.quantity)];
  if (order.reserved > 0) facts.push(t.orders.reserved(order.reserved));
  facts.push(`${t.orders.escrow} ${rubles(order.escrow)}`);
  const prices = [
    `${t.orders.price} ${rubles(order.price_per_sub)}`,
    `${t.orders.charge} ${rubles(order.charge_per_sub)}`,
    `${t.orders.reward} ${rubles(order.reward_per_sub)}`,
  ];
  const line = element(
    'li',
    { className: 'order' },
    element('span', { className: 'name', dir: 'auto' }, order.name),
    status,
    progress,
    element('span', { className: 'under' }, prices.join(' · ')),
    element('span', { className: 'under' }, facts.join(' · ')),
  );
  return attributes(line, { 'data-order': String(order.order_id) });
}
