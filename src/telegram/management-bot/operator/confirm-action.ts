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
import type { SureWhat } from '../texts/operator.ru.ts';
import { showAccount } from './accounts.ts';
import { showBot } from './beta.ts';
import { showBroadcast } from './broadcasts.ts';
import { by } from './by-operator.ts';
import { showContest } from './contests.ts';
import { showDeposit } from './deposits.ts';
import { showOrder } from './moderation.ts';
import { showPayout } from './payouts.ts';
import { showUser } from './users.ts';

/** A decision that is asked about once before it is carried out. Carried out twice, the second time changes nothing. */
interface Decision {
  /** What it is about, in a word; nothing when that is gone. */
  about(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<string | undefined>;
  /** Answers what flies over the chat. */
  carryOut(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<string>;
  /** Where the operator came from and returns to. */
  show(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<void>;
  readonly back: string;
}

const DECISIONS: Readonly<Record<SureWhat, Decision>> = {
  approve: {
    async about({ db }, { formats }, id) {
      const payout = await findPayout(db, id);
      return payout && formats.rubles(payout.amountKopecks);
    },
    async carryOut(deps, ctx, payoutId) {
      const { operator, balance } = ctx.texts;
      const outcome = await approvePayout(deps, { ...by(ctx), payoutId });
      if (outcome.kind === 'not_found') return operator.gone;
      if (outcome.kind === 'frozen') return operator.freeze.refused;
      return outcome.kind === 'done'
        ? operator.payouts.approved
        : operator.alreadyDone({ status: balance.payoutStatuses[outcome.status] });
    },
    show: showPayout,
    back: 'op.pay',
  },
  decline: {
    async about({ db }, { formats }, id) {
      const request = await findDepositRequest(db, id);
      return request && formats.rubles(request.amountKopecks);
    },
    async carryOut(deps, ctx, requestId) {
      const { operator } = ctx.texts;
      const outcome = await declineDeposit(deps, { ...by(ctx), requestId });
      if (outcome.kind === 'not_found') return operator.gone;
      return outcome.kind === 'declined'
        ? operator.deposits.declined
        : operator.alreadyDone({ status: operator.deposits.statuses[outcome.status] });
    },
    show: showDeposit,
    back: 'op.dep',
  },
  unban: {
    about: async ({ db }, _ctx, id) => (await findAccount(db, id))?.name,
    async carryOut(deps, ctx, accountId) {
      const { accounts } = ctx.texts.operator;
      const outcome = await unbanAccount(deps, { ...by(ctx), accountId });
      if (outcome.kind === 'not_banned') return accounts.notBanned;
      for (const botId of outcome.botIds) deps.tokens.forgetBot(botId);
      return accounts.unbanned;
    },
    show: showAccount,
    back: 'op.a',
  },
  unuser: {
    about: async (_deps, _ctx, id) => String(id),
    async carryOut(deps, ctx, userId) {
      const { users } = ctx.texts.operator;
      return (await unbanUserId(deps, { ...by(ctx), userId })) ? users.unbanned : users.already;
    },
    show: showUser,
    back: 'op.u',
  },
  unfreeze: {
    about: async ({ db }, _ctx, id) => (await findAccount(db, id))?.name,
    async carryOut(deps, ctx, accountId) {
      const { freeze } = ctx.texts.operator;
      const outcome = await unfreezeAccount(deps, { ...by(ctx), accountId });
      return outcome.kind === 'done' ? freeze.lifted : freeze.unchanged;
    },
    show: showAccount,
    back: 'op.a',
  },
  unfreezepay: {
    async about({ db }, { formats }, id) {
      const payout = await findPayout(db, id);
      return payout && formats.rubles(payout.amountKopecks);
    },
    async carryOut(deps, ctx, payoutId) {
      const { freeze } = ctx.texts.operator;
      const outcome = await unfreezePayout(deps, { ...by(ctx), payoutId });
      return outcome.kind === 'done' ? freeze.lifted : freeze.unchanged;
    },
    show: showPayout,
    back: 'op.pay',
  },
  resume: {
    about: async ({ db }, _ctx, id) => (await findOrders(db, [id]))[0]?.title,
    async carryOut(deps, ctx, orderId) {
      const { stop, gone } = ctx.texts.operator;
      const outcome = await resumeOrder(deps, { ...by(ctx), orderId });
      switch (outcome.kind) {
        case 'done':
          return stop.resumed;
        case 'owner_banned':
          return stop.ownerBanned;
        case 'unchanged':
        case 'not_allowed':
          return stop.unchanged;
        case 'not_found':
          return gone;
      }
    },
    show: showOrder,
    back: 'op.mod',
  },
  prizes: {
    about: async ({ db }, _ctx, id) => (await findContest(db, id))?.name,
    async carryOut(deps, ctx, contestId) {
      const { operator, balance } = ctx.texts;
      const outcome = await approveContest(deps, { ...by(ctx), contestId });
      switch (outcome.kind) {
        case 'approved':
          return operator.contests.approved;
        case 'too_early':
          return operator.contests.tooEarly;
        case 'not_allowed':
          return operator.alreadyDone({ status: balance.contestStatuses[outcome.status] });
        case 'not_found':
          return operator.gone;
      }
    },
    show: showContest,
    back: 'op.con',
  },
  cancel: {
    about: async ({ db }, _ctx, id) => (await findContest(db, id))?.name,
    async carryOut(deps, ctx, contestId) {
      const { operator, balance } = ctx.texts;
      const outcome = await cancelContest(deps, { ...by(ctx), contestId });
      if (outcome.kind === 'not_found') return operator.gone;
      return outcome.kind === 'cancelled'
        ? operator.contests.cancelled
        : operator.alreadyDone({ status: balance.contestStatuses[outcome.status] });
    },
    show: showContest,
    back: 'op.con',
  },
  stop: {
    async about({ db }, { formats }, id) {
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
    about: async ({ db }, _ctx, id) => (await findBot(db, id))?.username,
    async carryOut(deps, ctx, botId) {
      const { beta } = ctx.texts.operator;
      const count = await changeBeta(deps, { ...by(ctx), botId, isGranted: false });
      return count === 0 ? beta.noTokens : beta.revoked;
    },
    show: showBot,
    back: 'op.bot',
  },
};

const WHATS = Object.keys(DECISIONS) as SureWhat[];

/** Decisions that need no words: asked about once, then carried out. */
export function sureArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.sure', async (ctx, what, given) => {
    const [chosen, id] = [choiceIn(what, WHATS), idIn(given)];
    const about = await DECISIONS[chosen].about(deps, ctx, id);
    if (about === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    return ctx.talk.show({
      text: ctx.texts.operator.sure[chosen]({ id, about }),
      rows: [
        [press(ctx.texts.common.yes, 'op.yes', chosen, id), press(ctx.texts.common.no, DECISIONS[chosen].back, id)],
      ],
    });
  });

  area.onPress('op.yes', async (ctx, what, given) => {
    const [decision, id] = [DECISIONS[choiceIn(what, WHATS)], idIn(given)];
    if ((await decision.about(deps, ctx, id)) === undefined) return ctx.talk.toast(ctx.texts.operator.gone);
    ctx.talk.toast(await decision.carryOut(deps, ctx, id));
    return decision.show(deps, ctx, id);
  });
  return area;
}
