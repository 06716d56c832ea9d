/** What operators decide. The only list: a decision that is not on it cannot be written down, so it cannot be made. */
export const OPERATOR_ACTIONS = [
  'order.approved',
  'order.rejected',
  'order.paused',
  'order.resumed',
  'account.credited',
  'account.debited',
  'account.frozen',
  'account.unfrozen',
  'account.banned',
  'account.unbanned',
  'deposit.declined',
  'payout.approved',
  'payout.rejected',
  'payout.sent',
  'payout.frozen',
  'payout.unfrozen',
  'beta.granted',
  'beta.revoked',
  'contest.created',
  'contest.approved',
  'contest.cancelled',
  'broadcast.started',
  'broadcast.stopped',
  'user.banned',
  'user.unbanned',
  'subscriptions.reversed',
] as const;
export type ActionKind = (typeof OPERATOR_ACTIONS)[number];

/** What a decision was about. */
export type SubjectKind =
  | 'order'
  | 'account'
  | 'deposit'
  | 'payout'
  | 'bot'
  | 'contest'
  | 'broadcast'
  | 'user'
  | 'reversal';

export interface Subject {
  readonly kind: SubjectKind;
  readonly id: number;
}

/** Beyond the subject, what is worth knowing later. Amounts in kopecks, as text so that no digit is lost. */
export interface ActionDetails {
  readonly reason?: string;
  readonly note?: string;
  readonly reference?: string;
  readonly name?: string;
  readonly amountKopecks?: string;
  readonly accountId?: number;
  readonly count?: number;
}

export interface OperatorAction {
  readonly id: number;
  /** The operator's Telegram id. */
  readonly operatorId: number;
  readonly action: ActionKind;
  readonly subject: Subject;
  readonly details: ActionDetails;
  readonly at: Date;
}

export type NewAction = Omit<OperatorAction, 'id'>;
