import type { Kopecks } from '../../core/money.ts';
import {
  available,
  escrow,
  external,
  GENERAL_PLATFORM,
  hold,
  type LedgerAccount,
  payout,
  platform,
} from './account.ts';

/** The kinds of transfers from or to the balance or the hold of an account: its owner sees them. */
export const OWNER_TRANSFER_KINDS = [
  'deposit',
  'order_funded',
  'order_topped_up',
  'order_refunded',
  'reward_held',
  'reward_paid',
  'reward_released',
  'reward_reversed',
  'payout_requested',
  'payout_returned',
  'contest_prize',
  'debited',
] as const;
export type OwnerTransferKind = (typeof OWNER_TRANSFER_KINDS)[number];

/** Every kind of transfer: the values of `ledger_transfers.kind`. */
export const TRANSFER_KINDS = [...OWNER_TRANSFER_KINDS, 'margin_charged', 'margin_returned', 'payout_sent'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** The rows that a transfer was created for. User, bot and order together name a task. */
export interface TransferReferences {
  readonly orderId: number | null;
  readonly botId: number | null;
  readonly userId: number | null;
  readonly payoutId: number | null;
  readonly contestId: number | null;
  /** The place in that contest. */
  readonly place: number | null;
}

/** A transfer. The functions below create all transfers of the service. */
export interface Transfer extends Partial<TransferReferences> {
  readonly kind: TransferKind;
  /** Names the event that moves the money. A second transfer with the same key does nothing. */
  readonly key: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amountKopecks: Kopecks;
}

/** Returns whether the amount is above zero. Callers may compute transfers of zero; the ledger skips them. */
export function movesMoney({ amountKopecks }: Transfer): boolean {
  return amountKopecks > 0n;
}

/** The part of a task that its transfers need. */
export interface CountedTask {
  readonly userId: number;
  readonly botId: number;
  readonly orderId: number;
  readonly resourceId: number;
  /** The publisher. */
  readonly accountId: number;
  readonly rewardKopecks: Kopecks;
  readonly chargeKopecks: Kopecks;
}

/**
 * Names a subscription in the keys of its transfers. A user is counted once per resource, so the two name it. While the
 * advertiser's side may still refuse it (`isPending`), another task can be counted later, so the key names bot and order too.
 */
function subscriptionKey({ userId, resourceId, botId, orderId }: CountedTask, isPending: boolean): string {
  return isPending ? `${userId}:${resourceId}:${botId}:${orderId}` : `${userId}:${resourceId}`;
}

const marginOf = ({ chargeKopecks, rewardKopecks }: CountedTask): Kopecks => chargeKopecks - rewardKopecks;
const taskOf = ({ userId, botId, orderId }: CountedTask) => ({ userId, botId, orderId });

interface AccountAmount {
  readonly accountId: number;
  readonly amountKopecks: Kopecks;
}

/** `key` names the incoming payment. */
export const depositTransfer = ({ key, accountId, amountKopecks }: AccountAmount & { key: string }): Transfer => ({
  kind: 'deposit',
  key: `deposit:${key}`,
  from: external(accountId),
  to: available(accountId),
  amountKopecks,
});

/**
 * `key` names the request of a debit by an operator. A correction takes back a credit whose money never arrived, so it
 * goes where the credit came from and not to the platform.
 */
export const debitTransfer = ({
  key,
  accountId,
  amountKopecks,
  isCorrection = false,
}: AccountAmount & { key: string; isCorrection?: boolean }): Transfer => ({
  kind: 'debited',
  key: `debit:${key}`,
  from: available(accountId),
  to: isCorrection ? external(accountId) : GENERAL_PLATFORM,
  amountKopecks,
});

type OrderAmount = AccountAmount & { readonly orderId: number };

export const orderFundedTransfer = ({ orderId, accountId, amountKopecks }: OrderAmount): Transfer => ({
  kind: 'order_funded',
  key: `order:${orderId}:fund:0`,
  from: available(accountId),
  to: escrow(orderId),
  amountKopecks,
  orderId,
});

/** `key` names the request. */
export const orderToppedUpTransfer = ({
  orderId,
  accountId,
  amountKopecks,
  key,
}: OrderAmount & { key: string }): Transfer => ({
  kind: 'order_topped_up',
  key: `order:${orderId}:fund:${key}`,
  from: available(accountId),
  to: escrow(orderId),
  amountKopecks,
  orderId,
});

/** `number` counts the refunds of the order. */
export const orderRefundedTransfer = ({
  orderId,
  accountId,
  amountKopecks,
  number,
}: OrderAmount & { number: number }): Transfer => ({
  kind: 'order_refunded',
  key: `order:${orderId}:refund:${number}`,
  from: escrow(orderId),
  to: available(accountId),
  amountKopecks,
  orderId,
});

/** The charge of a counted subscription leaves escrow: the reward for the publisher, the margin for the platform. */
export const countedTransfers = (
  task: CountedTask,
  { isPending, isHeld }: { isPending: boolean; isHeld: boolean },
): Transfer[] => {
  const key = `count:${subscriptionKey(task, isPending)}`;
  return [
    {
      kind: isHeld ? 'reward_held' : 'reward_paid',
      key: `${key}:reward`,
      from: escrow(task.orderId),
      to: isHeld ? hold(task.accountId) : available(task.accountId),
      amountKopecks: task.rewardKopecks,
      ...taskOf(task),
    },
    {
      kind: 'margin_charged',
      key: `${key}:margin`,
      from: escrow(task.orderId),
      to: platform(task.orderId),
      amountKopecks: marginOf(task),
      ...taskOf(task),
    },
  ];
};

export const rewardReleasedTransfer = (task: CountedTask): Transfer => ({
  kind: 'reward_released',
  key: `release:${task.userId}:${task.resourceId}`,
  from: hold(task.accountId),
  to: available(task.accountId),
  amountKopecks: task.rewardKopecks,
  ...taskOf(task),
});

/** The publisher loses the reward. With refund the order gets the whole charge back; without, the platform keeps it. */
export const reversedTransfers = (
  task: CountedTask,
  { isPending, isHeld, refund }: { isPending: boolean; isHeld: boolean; refund: boolean },
): Transfer[] => {
  const key = `reverse:${subscriptionKey(task, isPending)}`;
  const reward: Transfer = {
    kind: 'reward_reversed',
    key: `${key}:reward`,
    from: isHeld ? hold(task.accountId) : available(task.accountId),
    to: refund ? escrow(task.orderId) : platform(task.orderId),
    amountKopecks: task.rewardKopecks,
    ...taskOf(task),
  };
  if (!refund) return [reward];
  const margin: Transfer = {
    kind: 'margin_returned',
    key: `${key}:margin`,
    from: platform(task.orderId),
    to: escrow(task.orderId),
    amountKopecks: marginOf(task),
    ...taskOf(task),
  };
  return [reward, margin];
};

interface PayoutAmount extends AccountAmount {
  readonly id: number;
}

export const payoutRequestedTransfer = ({ id, accountId, amountKopecks }: PayoutAmount): Transfer => ({
  kind: 'payout_requested',
  key: `payout:${id}:request`,
  from: available(accountId),
  to: payout(id),
  amountKopecks,
  payoutId: id,
});

export const payoutSentTransfer = ({ id, accountId, amountKopecks }: PayoutAmount): Transfer => ({
  kind: 'payout_sent',
  key: `payout:${id}:sent`,
  from: payout(id),
  to: external(accountId),
  amountKopecks,
  payoutId: id,
});

export const payoutReturnedTransfer = ({ id, accountId, amountKopecks }: PayoutAmount): Transfer => ({
  kind: 'payout_returned',
  key: `payout:${id}:return`,
  from: payout(id),
  to: available(accountId),
  amountKopecks,
  payoutId: id,
});

export const contestPrizeTransfer = ({
  contestId,
  place,
  accountId,
  amountKopecks,
}: AccountAmount & { contestId: number; place: number }): Transfer => ({
  kind: 'contest_prize',
  key: `contest:${contestId}:prize:${place}`,
  from: GENERAL_PLATFORM,
  to: available(accountId),
  amountKopecks,
  contestId,
  place,
});
