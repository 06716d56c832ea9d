import { html } from '../../../core/html.ts';
import type { Order } from '../../../modules/orders/index.ts';
import type { Payout, PayoutStatus } from '../../../modules/payouts/index.ts';
import { statusBadge } from '../orders/order-path.ts';
import { badge, type Tone } from '../parts/pieces.ts';
import { buildTable, type Column, type TableSpec } from '../parts/table.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { accountLink, MODERATION, PAYOUTS } from './operator-path.ts';

interface List<Row> extends Omit<TableSpec<Row>, 'columns'> {
  /** What all rows have in common and the page says already; files have it. */
  readonly common: 'owner' | 'status' | 'nothing';
}

/** Orders as operators see them, in the queue and on the page of their owner. */
export function ordersTable(visit: Visit, list: List<Order>): BuiltTable {
  const { texts, formats } = visit;
  const { common, orders: words, operator } = texts;
  const columns: Column<Order>[] = [
    {
      title: operator.moderation.shown,
      cell: ({ id, title }) => html`<a href="${`${MODERATION}/${id}`}">${title}</a>`,
      value: ({ title }) => title,
    },
    { title: common.number, cell: ({ id }) => String(id), value: ({ id }) => id, isFigure: true },
    {
      title: operator.owner,
      cell: ({ accountId }) => accountLink(visit, accountId),
      value: ({ accountId }) => accountId,
      isInFileOnly: list.common === 'owner',
    },
    { title: words.link, cell: ({ link }) => link },
    {
      title: common.status,
      cell: ({ status }) => statusBadge(visit, status),
      value: ({ status }) => words.statuses[status],
      isInFileOnly: list.common === 'status',
    },
    {
      title: operator.moderation.price,
      cell: ({ priceKopecks }) => formats.rubles(priceKopecks),
      value: ({ priceKopecks }) => priceKopecks,
      isFigure: true,
    },
    {
      title: words.quantity,
      cell: ({ quantity }) => formats.count(quantity),
      value: ({ quantity }) => quantity,
      isFigure: true,
    },
    {
      title: words.created,
      cell: ({ createdAt }) => formats.moment(createdAt),
      value: ({ createdAt }) => createdAt,
    },
  ];
  return buildTable(visit, { ...list, columns });
}

const TONES: Readonly<Record<PayoutStatus, Tone>> = {
  requested: 'accent',
  approved: 'warn',
  sending: 'accent',
  sent: 'good',
  rejected: 'bad',
  failed: 'bad',
};

export const payoutBadge = ({ texts }: Visit, status: PayoutStatus) =>
  badge(TONES[status], texts.payouts.statuses[status]);

export function payoutsTable(visit: Visit, list: List<Payout>): BuiltTable {
  const { texts, formats } = visit;
  const { common, payouts: words, operator } = texts;
  const columns: Column<Payout>[] = [
    {
      title: common.number,
      cell: ({ id }) => html`<a href="${`${PAYOUTS}/${id}`}">${operator.payouts.payout(id)}</a>`,
      value: ({ id }) => id,
    },
    { title: common.time, cell: ({ createdAt }) => formats.moment(createdAt), value: ({ createdAt }) => createdAt },
    {
      title: operator.owner,
      cell: ({ accountId }) => accountLink(visit, accountId),
      value: ({ accountId }) => accountId,
      isInFileOnly: list.common === 'owner',
    },
    {
      title: common.amount,
      cell: ({ amountKopecks }) => formats.rubles(amountKopecks),
      value: ({ amountKopecks }) => amountKopecks,
      isFigure: true,
    },
    { title: words.method, cell: ({ method }) => words.methods[method] },
    { title: words.destination, cell: ({ destination }) => destination },
    {
      title: common.status,
      cell: ({ status }) => payoutBadge(visit, status),
      value: ({ status }) => words.statuses[status],
      isInFileOnly: list.common === 'status',
    },
  ];
  return buildTable(visit, { ...list, columns });
}
