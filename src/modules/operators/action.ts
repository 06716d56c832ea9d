/** Every decision of an operator, with the kind of its subject. The audit log accepts no other. */
export const ACTION_SUBJECTS = {
  'order.approved': 'order',
  'order.rejected': 'order',
  'order.paused': 'order',
  'order.resumed': 'order',
  'account.credited': 'account',
  'account.debited': 'account',
  'account.frozen': 'account',
  'account.unfrozen': 'account',
  'account.banned': 'account',
  'account.unbanned': 'account',
  'deposit.declined': 'deposit',
  'payout.approved': 'payout',
  'payout.rejected': 'payout',
  'payout.sent': 'payout',
  'payout.frozen': 'payout',
  'payout.unfrozen': 'payout',
  'beta.granted': 'bot',
  'beta.revoked': 'bot',
  'contest.created': 'contest',
  'contest.approved': 'contest',
  'contest.cancelled': 'contest',
  'broadcast.started': 'broadcast',
  'broadcast.stopped': 'broadcast',
  'user.banned': 'user',
  'user.unbanned': 'user',
  'subscriptions.reversed': 'reversal',
  'case.cleared': 'case',
  'case.held': 'case',
  'case.reversed': 'case',
  'case.banned': 'case',
  'quality.overridden': 'bot',
  'quality.restored': 'bot',
  'account.disconnected': 'account',
  'account.connected': 'account',
  'checker.added': 'checker',
  'checker.removed': 'checker',
} as const;
export type ActionKind = keyof typeof ACTION_SUBJECTS;
export type SubjectKind = (typeof ACTION_SUBJECTS)[ActionKind];
export const OPERATOR_ACTIONS = Object.keys(ACTION_SUBJECTS) as readonly ActionKind[];

/** Facts about a decision beyond its subject. Amounts are kopecks as text, because JSON numbers lose digits. */
export interface ActionDetails {
  readonly reason?: string;
  readonly note?: string;
  readonly reference?: string;
  readonly name?: string;
  readonly amountKopecks?: string;
  readonly accountId?: number;
  readonly count?: number;
  /** Undecided cases that the operator saw before the decision. */
  readonly caseIds?: readonly number[];
}

export interface OperatorAction {
  readonly id: number;
  /** The operator's Telegram id. */
  readonly operatorId: number;
  readonly action: ActionKind;
  readonly subject: { readonly kind: SubjectKind; readonly id: number };
  readonly details: ActionDetails;
  readonly at: Date;
}

export type NewAction = Omit<OperatorAction, 'id'>;
