import { findAccount } from '../../../modules/accounts/index.ts';
import { findBot } from '../../../modules/bots/index.ts';
import { findBroadcast } from '../../../modules/broadcasts/index.ts';
import { findContest } from '../../../modules/contests/index.ts';
import {
  approveContest,
  approvePayout,
  type ByOperator,
  banAccount,
  banForCase,
  banUserId,
  type CaseOutcome,
  cancelContest,
  changeBeta,
  clearCase,
  correctCredit,
  decideOrder,
  declineDeposit,
  dropChecker,
  endBroadcast,
  freezeAccount,
  freezePayout,
  holdCase,
  markPayoutSent,
  overrideQuality,
  pauseOrder,
  rejectPayout,
  resumeOrder,
  reverseCase,
  unbanAccount,
  unbanUserId,
  unfreezeAccount,
  unfreezePayout,
} from '../../../modules/operators/index.ts';
import { findOrders, type OrderStatus } from '../../../modules/orders/index.ts';
import { findDepositRequest, findPayout, type PayoutStatus } from '../../../modules/payouts/index.ts';
import type { SharedTexts } from '../../../texts/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import type { ConfirmedActionName, ReasonedActionName } from '../texts/operator.ru.ts';
import { showAccount, showCreditedAccount } from './accounts.ts';
import { showBot } from './beta.ts';
import { showBroadcast } from './broadcasts.ts';
import { showCase } from './cases.ts';
import { findChecker, showChecker } from './checkers.ts';
import { showContest } from './contests.ts';
import { showDeposit } from './deposits.ts';
import { showOrder } from './moderation.ts';
import { by, type DecisionOutcome, decisionToast } from './overview.ts';
import { showPayout } from './payouts.ts';
import { showUser } from './users.ts';

/** The screen that the operator came from and returns to, and the name of its button. */
interface Origin {
  show(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<void>;
  readonly back: string;
}

const ACCOUNT: Origin = { show: showAccount, back: 'op.a' };
const BOT: Origin = { show: showBot, back: 'op.bot' };
const CASE: Origin = { show: showCase, back: 'op.case' };
const CONTEST: Origin = { show: showContest, back: 'op.con' };
const ORDER: Origin = { show: showOrder, back: 'op.mod' };
const PAYOUT: Origin = { show: showPayout, back: 'op.pay' };
const USER: Origin = { show: showUser, back: 'op.u' };

/** An action that needs a reason or a proof. Carrying it out twice changes nothing the second time. */
interface ReasonedAction extends Origin {
  /** Returns the toast text. */
  carryOut(deps: ManagementBotDeps, ctx: BotContext, id: number, text: string): Promise<string>;
}

type Carry<Subject, Status extends string> = (
  deps: ManagementBotDeps,
  subject: ByOperator & Subject,
  text: string,
) => Promise<DecisionOutcome<Status>>;
type DoneText = (texts: SharedTexts['operator']) => string;

const onOrder = (carry: Carry<{ orderId: number }, OrderStatus>, done: DoneText): ReasonedAction => ({
  ...ORDER,
  async carryOut(deps, ctx, orderId, text) {
    const outcome = await carry(deps, { ...by(ctx), orderId }, text);
    return decisionToast(ctx, outcome, done(ctx.texts.shared.operator), ctx.texts.shared.orders.statuses);
  },
});
const onPayout = (carry: Carry<{ payoutId: number }, PayoutStatus>, done: DoneText): ReasonedAction => ({
  ...PAYOUT,
  async carryOut(deps, ctx, payoutId, text) {
    const outcome = await carry(deps, { ...by(ctx), payoutId }, text);
    return decisionToast(ctx, outcome, done(ctx.texts.shared.operator), ctx.texts.shared.payouts.statuses);
  },
});
const onAccount = (carry: Carry<{ accountId: number }, never>, done: DoneText): ReasonedAction => ({
  ...ACCOUNT,
  async carryOut(deps, ctx, accountId, text) {
    const outcome = await carry(deps, { ...by(ctx), accountId }, text);
    return decisionToast(ctx, outcome, done(ctx.texts.shared.operator), {});
  },
});

type CaseCarry = (
  deps: ManagementBotDeps,
  decision: ByOperator & { caseId: number; reason: string },
) => Promise<CaseOutcome>;

const onCase = (carry: CaseCarry, done: (texts: SharedTexts['cases']['outcomes']) => string): ReasonedAction => ({
  ...CASE,
  async carryOut(deps, ctx, caseId, reason) {
    const outcome = await carry(deps, { ...by(ctx), caseId, reason });
    return outcome.kind === 'done' ? done(ctx.texts.shared.cases.outcomes) : caseRefusal(ctx, outcome);
  },
});

/** Returns the toast text of a decision about a case that changed nothing. */
function caseRefusal({ texts }: BotContext, outcome: Exclude<CaseOutcome, { kind: 'done' }>): string {
  const { operator, cases } = texts.shared;
  switch (outcome.kind) {
    case 'already_decided':
      return operator.alreadyDecided(cases.statuses[outcome.status]);
    case 'is_operator':
      return operator.accounts.isOperator;
    case 'not_reversible':
      return cases.outcomes.notReversible;
    case 'not_found':
      return texts.operator.gone;
  }
}

const onQuality = (level: 'good' | 'watched' | 'low' | null): ReasonedAction => ({
  ...BOT,
  async carryOut(deps, ctx, botId, reason) {
    const { overridden, restored } = ctx.texts.shared.cases.outcomes;
    const outcome = await overrideQuality(deps, { ...by(ctx), botId, level, reason });
    return decisionToast(ctx, outcome, level === null ? restored : overridden, {});
  },
});

/** An action that the operator confirms. */
interface ConfirmedAction extends ReasonedAction {
  /** Describes the subject for the question (amount, title). Returns undefined when the subject no longer exists. */
  describe(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<string | undefined>;
}

const accountName: ConfirmedAction['describe'] = async ({ db }, _ctx, id) => (await findAccount(db, id))?.name;
const contestName: ConfirmedAction['describe'] = async ({ db }, _ctx, id) => (await findContest(db, id))?.name;
const payoutAmount: ConfirmedAction['describe'] = async ({ db }, { formats }, id) => {
  const payout = await findPayout(db, id);
  return payout && formats.rubles(payout.amountKopecks);
};

export const CONFIRMED: Readonly<Record<ConfirmedActionName, ConfirmedAction>> = {
  approve: { ...onPayout(approvePayout, ({ payouts }) => payouts.approved), describe: payoutAmount },
  decline: {
    show: showDeposit,
    back: 'op.dep',
    async describe({ db }, { formats }, id) {
      const request = await findDepositRequest(db, id);
      return request && formats.rubles(request.amountKopecks);
    },
    async carryOut(deps, ctx, requestId) {
      const { operator, shared } = ctx.texts;
      const outcome = await declineDeposit(deps, { ...by(ctx), requestId });
      if (outcome.kind === 'declined') return operator.deposits.declined;
      if (outcome.kind === 'not_found') return operator.gone;
      return shared.operator.alreadyDecided(shared.deposits.statuses[outcome.status]);
    },
  },
  unban: {
    ...ACCOUNT,
    describe: accountName,
    async carryOut(deps, ctx, accountId) {
      const { accounts } = ctx.texts.shared.operator;
      const outcome = await unbanAccount(deps, { ...by(ctx), accountId });
      return outcome.kind === 'not_banned' ? accounts.notBanned : accounts.unbanned;
    },
  },
  unuser: {
    ...USER,
    describe: async (_deps, _ctx, id) => String(id),
    async carryOut(deps, ctx, userId) {
      const isChanged = await unbanUserId(deps, { ...by(ctx), userId });
      return isChanged ? ctx.texts.operator.users.unbanned : ctx.texts.shared.operator.unchanged;
    },
  },
  unfreeze: { ...onAccount(unfreezeAccount, ({ freezes }) => freezes.lifted), describe: accountName },
  unfreezepay: { ...onPayout(unfreezePayout, ({ freezes }) => freezes.lifted), describe: payoutAmount },
  resume: {
    ...onOrder(resumeOrder, ({ orders }) => orders.resumed),
    describe: async ({ db }, _ctx, id) => (await findOrders(db, [id]))[0]?.title,
  },
  prizes: {
    ...CONTEST,
    describe: contestName,
    async carryOut(deps, ctx, contestId) {
      const { operator, contests } = ctx.texts.shared;
      const outcome = await approveContest(deps, { ...by(ctx), contestId });
      const { approved, tooEarly } = operator.contests;
      if (outcome.kind === 'approved') return approved;
      return outcome.kind === 'too_early' ? tooEarly : decisionToast(ctx, outcome, approved, contests.statuses);
    },
  },
  cancel: {
    ...CONTEST,
    describe: contestName,
    async carryOut(deps, ctx, contestId) {
      const { operator, contests } = ctx.texts.shared;
      const outcome = await cancelContest(deps, { ...by(ctx), contestId });
      const { cancelled } = operator.contests;
      return outcome.kind === 'cancelled' ? cancelled : decisionToast(ctx, outcome, cancelled, contests.statuses);
    },
  },
  stop: {
    show: showBroadcast,
    back: 'op.cast',
    async describe({ db }, { formats }, id) {
      const broadcast = await findBroadcast(db, id);
      return broadcast && formats.count(Math.max(0, broadcast.total - broadcast.sent - broadcast.failed));
    },
    async carryOut(deps, ctx, broadcastId) {
      const { broadcasts } = ctx.texts.operator;
      return (await endBroadcast(deps, { ...by(ctx), broadcastId })) ? broadcasts.stopped : broadcasts.notSending;
    },
  },
  qrestore: {
    ...onQuality(null),
    describe: async ({ db }, _ctx, id) => (await findBot(db, id))?.username,
  },
  checker: {
    show: showChecker,
    back: 'op.check',
    describe: async (deps, _ctx, id) => (await findChecker(deps, id))?.username,
    async carryOut(deps, ctx, botId) {
      const { checkers, unchanged } = ctx.texts.shared.operator;
      return (await dropChecker(deps, { ...by(ctx), botId })) ? checkers.removed : unchanged;
    },
  },
  beta: {
    show: showBot,
    back: 'op.bot',
    describe: async ({ db }, _ctx, id) => (await findBot(db, id))?.username,
    async carryOut(deps, ctx, botId) {
      const { beta } = ctx.texts.operator;
      const count = await changeBeta(deps, { ...by(ctx), botId, isGranted: false });
      return count === 0 ? beta.noTokens : beta.revoked;
    },
  },
};

export const REASONED: Readonly<Record<ReasonedActionName, ReasonedAction>> = {
  order: onOrder(
    (deps, order, reason) => decideOrder(deps, { ...order, moderation: { kind: 'reject', reason } }),
    ({ orders }) => orders.rejected,
  ),
  payout: onPayout(
    (deps, payout, reason) => rejectPayout(deps, { ...payout, reason }),
    ({ payouts }) => payouts.rejected,
  ),
  sent: {
    ...PAYOUT,
    async carryOut(deps, ctx, payoutId, reference) {
      const { operator, payouts, inputs } = ctx.texts.shared;
      const outcome = await markPayoutSent(deps, { ...by(ctx), payoutId, reference });
      if (outcome.kind === 'invalid_reference') return inputs.textLength;
      return decisionToast(ctx, outcome, operator.payouts.sent, payouts.statuses);
    },
  },
  account: {
    ...ACCOUNT,
    async carryOut(deps, ctx, accountId, reason) {
      const { accounts } = ctx.texts.shared.operator;
      const outcome = await banAccount(deps, { ...by(ctx), accountId, reason });
      switch (outcome.kind) {
        case 'banned':
          return accounts.banned(ctx.formats.count(outcome.pausedOrderIds.length));
        case 'already_banned':
          return accounts.alreadyBanned;
        case 'is_operator':
          return accounts.isOperator;
        case 'not_found':
          return ctx.texts.operator.gone;
      }
    },
  },
  freeze: onAccount(
    (deps, account, reason) => freezeAccount(deps, { ...account, reason }),
    ({ freezes }) => freezes.frozen,
  ),
  freezepay: onPayout(
    (deps, payout, reason) => freezePayout(deps, { ...payout, reason }),
    ({ freezes }) => freezes.frozen,
  ),
  pause: onOrder(
    (deps, order, reason) => pauseOrder(deps, { ...order, reason }),
    ({ orders }) => orders.stopped,
  ),
  credit: {
    show: showCreditedAccount,
    back: 'op.crd',
    async carryOut(deps, ctx, creditId, reason) {
      const { accounts } = ctx.texts.shared.operator;
      const outcome = await correctCredit(deps, { ...by(ctx), creditId, reason });
      if (outcome.kind === 'debited') return ctx.texts.operator.correct.done;
      return outcome.kind === 'already_debited' ? accounts.alreadyDebited : ctx.texts.operator.gone;
    },
  },
  cclear: onCase(clearCase, ({ cleared }) => cleared),
  chold: onCase(holdCase, ({ held }) => held),
  cban: onCase(banForCase, ({ banned }) => banned),
  crev: {
    ...CASE,
    async carryOut(deps, ctx, caseId, reason) {
      const outcome = await reverseCase(deps, { ...by(ctx), caseId, reason });
      if (outcome.kind !== 'reversed') return caseRefusal(ctx, outcome);
      const { count, rubles } = ctx.formats;
      return ctx.texts.shared.cases.outcomes.reversed(count(outcome.count), rubles(outcome.rewardKopecks));
    },
  },
  qgood: onQuality('good'),
  qwatched: onQuality('watched'),
  qlow: onQuality('low'),
  user: {
    ...USER,
    async carryOut(deps, ctx, userId, reason) {
      const isChanged = await banUserId(deps, { ...by(ctx), userId, reason });
      return isChanged ? ctx.texts.operator.users.banned : ctx.texts.shared.operator.unchanged;
    },
  },
};
