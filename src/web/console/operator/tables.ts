import type { Order } from '../../../modules/orders/index.ts';
import type { Payout, PayoutStatus } from '../../../modules/payouts/index.ts';
import { orderBadge } from '../orders/order-path.ts';
import type { Tone } from '../parts/elements.ts';
import { buildTable, type Column, type TableSpec } from '../parts/table.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { accountLink, MODERATION, PAYOUTS } from './operator-path.ts';

interface List<Row> extends Omit<TableSpec<Row>, 'columns'> {
  /** The column with the same value in all rows. The page leaves it out, files have it. */
  readonly common: 'owner' | 'status' | 'nothing';
}

const ownerColumn = (visit: Visit, { common }: { common: string }): Column<{ readonly accountId: number }> => ({
  title: visit.texts.operator.owner,
  cell: ({ accountId }) => accountLink(visit, accountId),
  value: ({ accountId }) => accountId,
  isInFileOnly: common === 'owner',
});

/** Orders in the moderation queue and on the page of their owner. */
export function ordersTable(visit: Visit, list: List<Order>): BuiltTable {
  const { common, orders: words, operator } = visit.texts;
  return buildTable(visit, {
    ...list,
    columns: ({ link, id, text, badge, rubles, count, time }) => [
      link(operator.moderation.shown, (order) => [order.title, `${MODERATION}/${order.id}`]),
      id(common.number, (order) => order.id),
      ownerColumn(visit, list),
      text(words.link, (order) => order.link),
      { ...badge(common.status, (order) => orderBadge(visit, order)), isInFileOnly: list.common === 'status' },
      rubles(operator.moderation.price, ({ priceKopecks }) => priceKopecks),
      count(words.quantity, ({ quantity }) => quantity),
      time(words.created, ({ createdAt }) => createdAt),
    ],
  });
}

/** An approved payout waits for the operator; its owner sees it in the same tone as a requested one. */
const TONES: Readonly<Record<PayoutStatus, Tone>> = {
  requested: 'accent',
  approved: 'warn',
  sending: 'accent',
  sent: 'good',
  rejected: 'bad',
  failed: 'bad',
};

export const payoutBadge = ({ shared }: Visit, { status }: Payout): readonly [Tone, string] => [
  TONES[status],
  shared.payouts.statuses[status],
];

export function payoutsTable(visit: Visit, list: List<Payout>): BuiltTable {
  const { texts, shared } = visit;
  const { common, payouts: words, operator } = texts;
  return buildTable(visit, {
    ...list,
    columns: ({ link, time, rubles, text, badge }) => [
      {
        ...link(common.number, ({ id }) => [operator.payouts.payout(id), `${PAYOUTS}/${id}`]),
        value: ({ id }) => id,
      },
      time(common.time, ({ createdAt }) => createdAt),
      ownerColumn(visit, list),
      rubles(common.amount, ({ amountKopecks }) => amountKopecks),
      text(words.method, ({ method }) => shared.payouts.methods[method]),
      text(words.destination, ({ destination }) => destination),
      { ...badge(common.status, (payout) => payoutBadge(visit, payout)), isInFileOnly: list.common === 'status' },
    ],
  });
}
