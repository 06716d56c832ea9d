import { findAccount } from '../../../modules/accounts/index.ts';
import { findBot } from '../../../modules/bots/index.ts';
import { findBroadcast } from '../../../modules/broadcasts/index.ts';
import { findContest } from '../../../modules/contests/index.ts';
import {
  approveContest,
  approvePayout,
  cancelContest,
  changeBeta,
  declineDeposit,
  endBroadcast,
  resumeOrder,
  unbanAccount,
  unbanUserId,
  unfreezeAccount,
  unfreezePayout,
} from '../../../modules/operators/index.ts';
import { findOrders } from '../../../modules/orders/index.ts';
import { findDepositRequest, findPayout } from '../../../modules/payouts/index.ts';
import { Area, type BotContext, choiceIn, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import type { ConfirmedActionName } from '../texts/operator.ru.ts';
import { showAccount } from './accounts.ts';
import { showBot } from './beta.ts';
import { showBroadcast } from './broadcasts.ts';
import { showContest } from './contests.ts';
import { showDeposit } from './deposits.ts';
import { showOrder } from './moderation.ts';
import { by } from './overview.ts';
import { showPayout } from './payouts.ts';
import { showUser } from './users.ts';

/**
 * An action that an operator confirms before it is carried out. Carrying it out twice changes nothing the second time.
 */
interface ConfirmedAction {
  /** Describes the subject for the question (amount, title). Returns undefined when the subject no longer exists. */
  describe(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<string | undefined>;
  /** Returns the toast text. */
  carryOut(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<string>;
  /** The screen that the operator came from and returns to. */
  show(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<void>;
  /** The button name of that screen. */
  readonly back: string;
}

const accountName: ConfirmedAction['describe'] = async ({ db }, _ctx, id) => (await findAccount(db, id))?.name;
const contestName: ConfirmedAction['describe'] = async ({ db }, _ctx, id) => (await findContest(db, id))?.name;
const payoutAmount: ConfirmedAction['describe'] = async ({ db }, { formats }, id) => {
  const payout = await findPayout(db, id);
  return payout && formats.rubles(payout.amountKopecks);
};

const ACTIONS: Readonly<Record<ConfirmedActionName, ConfirmedAction>> = {
  approve: {
    describe: payoutAmount,
    async carryOut(deps, ctx, payoutId) {
      const { operator, payouts } = ctx.texts.shared;
      const outcome = await approvePayout(deps, { ...by(ctx), payoutId });
      if (outcome.kind === 'not_found') return ctx.texts.operator.gone;
      if (outcome.kind === 'frozen') return operator.freezes.liftFirst;
      return outcome.kind === 'done'
        ? operator.payouts.approved
        : operator.alreadyDecided(payouts.statuses[outcome.status]);
    },
    show: showPayout,
    back: 'op.pay',
  },
  decline: {
    async describe({ db }, { formats }, id) {
      const request = await findDepositRequest(db, id);
      return request && formats.rubles(request.amountKopecks);
    },
    async carryOut(deps, ctx, requestId) {
      const { operator, shared } = ctx.texts;
      const outcome = await declineDeposit(deps, { ...by(ctx), requestId });
      if (outcome.kind === 'not_found') return operator.gone;
      return outcome.kind === 'declined'
        ? operator.deposits.declined
        : shared.operator.alreadyDecided(shared.deposits.statuses[outcome.status]);
    },
    show: showDeposit,
    back: 'op.dep',
  },
  unban: {
    describe: accountName,
    async carryOut(deps, ctx, accountId) {
      const { accounts } = ctx.texts.shared.operator;
      const outcome = await unbanAccount(deps, { ...by(ctx), accountId });
      if (outcome.kind === 'not_banned') return accounts.notBanned;
      return accounts.unbanned;
    },
    show: showAccount,
    back: 'op.a',
  },
  unuser: {
    describe: async (_deps, _ctx, id) => String(id),
    async carryOut(deps, ctx, userId) {
      const { operator, shared } = ctx.texts;
      const isChanged = await unbanUserId(deps, { ...by(ctx), userId });
      return isChanged ? operator.users.unbanned : shared.operator.unchanged;
    },
    show: showUser,
    back: 'op.u',
  },
  unfreeze: {
    describe: accountName,
    async carryOut(deps, ctx, accountId) {
      const { freezes, unchanged } = ctx.texts.shared.operator;
      const outcome = await unfreezeAccount(deps, { ...by(ctx), accountId });
      return outcome.kind === 'done' ? freezes.lifted : unchanged;
    },
    show: showAccount,
    back: 'op.a',
  },
  unfreezepay: {
    describe: payoutAmount,
    async carryOut(deps, ctx, payoutId) {
      const { freezes, unchanged } = ctx.texts.shared.operator;
      const outcome = await unfreezePayout(deps, { ...by(ctx), payoutId });
      return outcome.kind === 'done' ? freezes.lifted : unchanged;
    },
    show: showPayout,
    back: 'op.pay',
  },
  resume: {
    describe: async ({ db }, _ctx, id) => (await findOrders(db, [id]))[0]?.title,
    async carryOut(deps, ctx, orderId) {
      const { operator } = ctx.texts.shared;
      const outcome = await resumeOrder(deps, { ...by(ctx), orderId });
      switch (outcome.kind) {
        case 'done':
          return operator.orders.resumed;
        case 'owner_banned':
          return operator.ownerBanned;
        case 'unchanged':
        case 'not_allowed':
          return operator.unchanged;
        case 'not_found':
          return ctx.texts.operator.gone;
      }
    },
    show: showOrder,
    back: 'op.mod',
  },
  prizes: {
    describe: contestName,
    async carryOut(deps, ctx, contestId) {
      const { operator, contests } = ctx.texts.shared;
      const outcome = await approveContest(deps, { ...by(ctx), contestId });
      switch (outcome.kind) {
        case 'approved':
          return operator.contests.approved;
        case 'too_early':
          return operator.contests.tooEarly;
        case 'not_allowed':
          return operator.alreadyDecided(contests.statuses[outcome.status]);
        case 'not_found':
          return ctx.texts.operator.gone;
      }
    },
    show: showContest,
    back: 'op.con',
  },
  cancel: {
    describe: contestName,
    async carryOut(deps, ctx, contestId) {
      const { operator, contests } = ctx.texts.shared;
      const outcome = await cancelContest(deps, { ...by(ctx), contestId });
      if (outcome.kind === 'not_found') return ctx.texts.operator.gone;
      return outcome.kind === 'cancelled'
        ? operator.contests.cancelled
        : operator.alreadyDecided(contests.statuses[outcome.status]);
    },
    show: showContest,
    back: 'op.con',
  },
  stop: {
    async describe({ db }, { formats }, id) {
      const broadcast = await findBroadcast(db, id);
      return broadcast && formats.count(Math.max(0, broadcast.total - broadcast.sent - broadcast.failed));
    },
    async carryOut(deps, ctx, broadcastId) {
      const { broadcasts } = ctx.texts.operator;
      return (await endBroadcast(deps, { ...by(ctx), broadcastId })) ? broadcasts.stopped : broadcasts.notSending;
    },
    show: showBroadcast,
    back: 'op.cast',
  },
  beta: {
    describe: async ({ db }, _ctx, id) => (await findBot(db, id))?.username,
    async carryOut(deps, ctx, botId) {
      const { beta } = ctx.texts.operator;
      const count = await changeBeta(deps, { ...by(ctx), botId, isGranted: false });
      return count === 0 ? beta.noTokens : beta.revoked;
    },
    show: showBot,
    back: 'op.bot',
  },
};

const NAMES = Object.keys(ACTIONS) as ConfirmedActionName[];

/** The confirmation step of actions that need no reason. */
export function confirmActionArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.confirm', async (ctx, given, subject) => {
    const [name, id] = [choiceIn(given, NAMES), idIn(subject)];
    const about = await ACTIONS[name].describe(deps, ctx, id);
    if (about === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    return ctx.talk.show({
      text: ctx.texts.operator.confirm[name]({ id, about }),
      rows: [[press(ctx.texts.common.yes, 'op.yes', name, id), press(ctx.texts.common.no, ACTIONS[name].back, id)]],
    });
  });

  area.onPress('op.yes', async (ctx, given, subject) => {
    const [action, id] = [ACTIONS[choiceIn(given, NAMES)], idIn(subject)];
    if ((await action.describe(deps, ctx, id)) === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    ctx.talk.toast(await action.carryOut(deps, ctx, id));
    return action.show(deps, ctx, id);
  });
  return area;
}
