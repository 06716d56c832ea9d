import type { Kopecks } from '../../core/money.ts';

/** The kinds of suspected fraud. docs/fraud.md says when a case of each kind is opened. */
export const CASE_KINDS = [
  'low_quality',
  'self_dealing',
  'removals',
  'access_withdrawn',
  'resource_changed',
  'low_approval',
  'large_payout',
] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

/** `open` and `held` wait for a decision; the others are decisions. */
export type CaseStatus = 'open' | 'held' | 'cleared' | 'reversed' | 'banned';

export const isUndecided = (status: CaseStatus): boolean => status === 'open' || status === 'held';

/** What a case is about. */
export interface CaseSubject {
  readonly type: 'bot' | 'order' | 'account';
  readonly id: number;
}

/** One thing that happened, such as a subscription. Its names are those of the exported JSON. */
export interface CaseExample {
  readonly at: string;
  readonly user_id?: number;
  readonly bot_id?: number;
  readonly order_id?: number;
  readonly payout_id?: number;
  readonly kopecks?: number;
  /** A state of a task or a signal of a user. */
  readonly note?: string;
}

export type NodeType = 'account' | 'bot' | 'user' | 'channel' | 'device' | 'payout';

export interface GraphNode {
  /** Unique in the graph: `account:7`. */
  readonly id: string;
  readonly type: NodeType;
  readonly label: string;
}

/** What accounts, bots and users share. An edge joins two nodes by their ids. */
export interface CaseGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface ResourceChange {
  readonly field: 'title' | 'link' | 'chat_title' | 'chat_username';
  readonly before: string;
  readonly after: string;
}

/** A reason of a low quality score, as the hourly scoring stored it. */
export interface CaseReason {
  readonly code: string;
  readonly points: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** The figures of all kinds. Names that end with `_kopecks` are money. */
export type FigureName =
  | 'score'
  | 'counted'
  | 'reversed'
  | 'rewards_kopecks'
  | 'accounts'
  | 'subscriptions'
  | 'removed'
  | 'unsettled'
  | 'near_window_end'
  | 'times'
  | 'rejected'
  | 'approved'
  | 'payouts'
  | 'amount_kopecks'
  | 'limit_kopecks';

/** Why the case was opened. Stored and exported as JSON. */
export interface Evidence {
  readonly figures: Readonly<Partial<Record<FigureName, number>>>;
  readonly reasons: readonly CaseReason[];
  readonly changes: readonly ResourceChange[];
  /** The newest, at most `MOST_EXAMPLES`. */
  readonly examples: readonly CaseExample[];
  readonly graph: CaseGraph;
  /** The bots and orders between which a reversal applies; empty when the subject itself says it. */
  readonly pairs: readonly { readonly bot_id: number; readonly order_id: number }[];
  /** Accounts that are connected with the subject. */
  readonly account_ids: readonly number[];
  readonly payout_ids: readonly number[];
}

export const NO_EVIDENCE: Evidence = {
  figures: {},
  reasons: [],
  changes: [],
  examples: [],
  graph: { nodes: [], edges: [] },
  pairs: [],
  account_ids: [],
  payout_ids: [],
};

export const MOST_EXAMPLES = 20;

/** Suspected fraud that waits for an operator, or was decided. */
export interface Case {
  readonly id: number;
  readonly kind: CaseKind;
  readonly subject: CaseSubject;
  /** The publisher or advertiser whom the case concerns. */
  readonly accountId: number;
  readonly status: CaseStatus;
  /** The money that the subject can still gain. */
  readonly riskKopecks: Kopecks;
  readonly evidence: Evidence;
  readonly openedAt: Date;
  readonly updatedAt: Date;
  readonly decidedAt: Date | null;
  /** The operator's Telegram id. */
  readonly decidedBy: number | null;
  readonly decisionReason: string | null;
  /** The only answer of the account's owner. */
  readonly answer: string | null;
  readonly answeredAt: Date | null;
  /** Whether the freeze of the account's withdrawals came from this case. */
  readonly frozeAccount: boolean;
}

/** A case as a rule found it, before it is compared with the stored ones. */
export interface CaseDraft {
  readonly kind: CaseKind;
  readonly subject: CaseSubject;
  readonly accountId: number;
  readonly evidence: Evidence;
}

/**
 * Whether a reversal is possible. Rewards for an advertiser's order stay with honest publishers, so a case about an order
 * or a payout has none.
 */
export const canReverse = ({ kind }: Pick<Case, 'kind'>): boolean => kind === 'low_quality' || kind === 'self_dealing';

export const MAX_ANSWER = 2_000;

/** Whether the owner may answer: once, while it can still matter. */
export const canAnswer = ({ status, answer }: Pick<Case, 'status' | 'answer'>): boolean =>
  answer === null && status !== 'cleared';
