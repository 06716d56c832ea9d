import { type Static, Type } from 'typebox';
import { HOUR_MS } from '../../core/clock.ts';

const Id = Type.Integer({ minimum: 1 });
/** Kopecks in a JSON document: a string, because a JSON number could lose digits. */
const Kopecks = Type.String({ pattern: '^-?\\d{1,18}$' });

/** The only list of notice kinds that owners get in the management bot, with the data that their texts need. */
export const NOTICE_DATA = {
  subscriptions_reversed: Type.Object({ count: Type.Integer({ minimum: 1 }), amount: Kopecks }),
  /** A bot's token stopped working; in a chat our bot lost its rights. */
  order_paused: Type.Object({
    order_id: Id,
    title: Type.String(),
    is_bot: Type.Boolean(),
    /** The name of our bot that lost its rights, when it is not the management bot. */
    checker: Type.Optional(Type.String()),
  }),
  order_removals: Type.Object({ order_id: Id, title: Type.String(), removals: Id }),
  order_low_approval: Type.Object({ order_id: Id, title: Type.String(), percent: Type.Integer({ minimum: 0 }) }),
  order_completed: Type.Object({ order_id: Id, name: Type.String(), subscribers: Type.Integer(), spent: Kopecks }),
  order_approved: Type.Object({ order_id: Id, title: Type.String() }),
  order_rejected: Type.Object({ order_id: Id, title: Type.String(), reason: Type.String() }),
  chat_migrated: Type.Object({ order_id: Id, title: Type.String() }),
  order_link_changed: Type.Object({ order_id: Id, title: Type.String(), link: Type.String() }),
  payout_sent: Type.Object({ payout_id: Id, amount: Kopecks, reference: Type.String() }),
  payout_returned: Type.Object({ payout_id: Id, amount: Kopecks, reason: Type.String() }),
  balance_credited: Type.Object({ amount: Kopecks }),
  /** The quality of a bot changed what the service does with its subscriptions. */
  source_level: Type.Object({
    bot_id: Id,
    username: Type.String(),
    level: Type.Unsafe<'new' | 'good' | 'watched' | 'low'>({ type: 'string', enum: ['new', 'good', 'watched', 'low'] }),
  }),
  contest_result: Type.Object({ name: Type.String(), rank: Id, score: Type.Integer(), prize: Kopecks }),
  /** A case concerns the account. Its owner may answer once. */
  case_opened: Type.Object({ case_id: Id, case_kind: Type.String() }),
  case_decided: Type.Object({
    case_id: Id,
    case_kind: Type.String(),
    decision: Type.Union([
      Type.Literal('cleared'),
      Type.Literal('held'),
      Type.Literal('reversed'),
      Type.Literal('banned'),
    ]),
    reason: Type.String(),
  }),
  /** To operators. */
  case_waits: Type.Object({ case_id: Id, case_kind: Type.String() }),
  case_answered: Type.Object({ case_id: Id, case_kind: Type.String() }),
  order_in_moderation: Type.Object({ order_id: Id, title: Type.String() }),
  webhook_disabled: Type.Object({ webhook_id: Id, url: Type.String() }),
  /** To operators: Telegram no longer accepts the token of a checker bot. */
  checker_stopped: Type.Object({ username: Type.String() }),
  /** To operators: another program receives the updates of a checker bot. */
  checker_conflict: Type.Object({ username: Type.String() }),
} as const;

export type NoticeKind = keyof typeof NOTICE_DATA;
export const NOTICE_KINDS = Object.keys(NOTICE_DATA) as readonly NoticeKind[];

type NoticeOf<Kind extends NoticeKind> = Static<(typeof NOTICE_DATA)[Kind]>;

export type NewNotice = {
  [Kind in NoticeKind]: { readonly accountId: number; readonly kind: Kind; readonly data: NoticeOf<Kind> };
}[NoticeKind];

type OperatorNoticeKind =
  | 'order_removals'
  | 'order_in_moderation'
  | 'case_waits'
  | 'case_answered'
  | 'checker_stopped'
  | 'checker_conflict';

/** A notice to operators, without the recipients. */
export type OperatorNotice = {
  [Kind in OperatorNoticeKind]: { readonly kind: Kind; readonly data: NoticeOf<Kind> };
}[OperatorNoticeKind];

/** Notices that only operators get. */
export const OPERATOR_ONLY: ReadonlySet<NoticeKind> = new Set([
  'order_in_moderation',
  'case_waits',
  'case_answered',
  'checker_stopped',
  'checker_conflict',
]);

/** A notice that a worker has leased to send it. */
export type Notice = NewNotice & { readonly id: number; readonly attempts: number };

/** Returns the end of the hour. Reversals are frequent, so one notice reports all reversals of an hour. */
export function endOfHour(at: Date): Date {
  return new Date((Math.floor(at.getTime() / HOUR_MS) + 1) * HOUR_MS);
}
