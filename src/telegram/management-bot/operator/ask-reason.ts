import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  banAccount,
  banUserId,
  decideOrder,
  freezeAccount,
  freezePayout,
  markPayoutSent,
  pauseOrder,
  rejectPayout,
} from '../../../modules/operators/index.ts';
import { Area, type BotContext, choiceIn, idIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import type { WhyWhat } from '../texts/operator.ru.ts';
import { showAccount } from './accounts.ts';
import { readLine, withProblem } from './ask-again.ts';
import { by } from './by-operator.ts';
import { showOrder } from './moderation.ts';
import { showPayout } from './payouts.ts';
import { showUser } from './users.ts';

/** A decision that says why. Carried out twice, the second time changes nothing. */
interface Decision {
  /** Answers what flies over the chat. */
  carryOut(deps: ManagementBotDeps, ctx: BotContext, id: number, text: string): Promise<string>;
  /** Where the operator came from and returns to. */
  show(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<void>;
  readonly back: string;
}

const DECISIONS: Readonly<Record<WhyWhat, Decision>> = {
  order: {
    async carryOut(deps, ctx, orderId, reason) {
      const { operator, advertiser } = ctx.texts;
      const outcome = await decideOrder(deps, { ...by(ctx), orderId, verdict: { kind: 'reject', reason } });
      switch (outcome.kind) {
        case 'done':
          return operator.moderation.rejected;
        case 'not_waiting':
          return operator.alreadyDone({ status: advertiser.common.statuses[outcome.status] });
        case 'owner_banned':
          return operator.moderation.ownerBanned;
        case 'not_found':
          return operator.gone;
      }
    },
    show: showOrder,
    back: 'op.mod',
  },
  payout: {
    async carryOut(deps, ctx, payoutId, reason) {
      const { operator, balance } = ctx.texts;
      const outcome = await rejectPayout(deps, { ...by(ctx), payoutId, reason });
      if (outcome.kind === 'not_found') return operator.gone;
      if (outcome.kind === 'frozen') return operator.freeze.refused;
      return outcome.kind === 'done'
        ? operator.payouts.rejected
        : operator.alreadyDone({ status: balance.payoutStatuses[outcome.status] });
    },
    show: showPayout,
    back: 'op.pay',
  },
  sent: {
    async carryOut(deps, ctx, payoutId, reference) {
      const { operator, balance } = ctx.texts;
      const outcome = await markPayoutSent(deps, { ...by(ctx), payoutId, reference });
      switch (outcome.kind) {
        case 'done':
          return operator.payouts.sent;
        case 'not_allowed':
          return operator.alreadyDone({ status: balance.payoutStatuses[outcome.status] });
        case 'frozen':
          return operator.freeze.refused;
        case 'invalid_reference':
          return operator.why.length;
        case 'not_found':
          return operator.gone;
      }
    },
    show: showPayout,
    back: 'op.pay',
  },
  account: {
    async carryOut(deps, ctx, accountId, reason) {
      const { accounts, gone } = ctx.texts.operator;
      const outcome = await banAccount(deps, { ...by(ctx), accountId, reason });
      switch (outcome.kind) {
        case 'banned':
          for (const botId of outcome.botIds) deps.tokens.forgetBot(botId);
          return accounts.banned({ orders: ctx.formats.count(outcome.pausedOrderIds.length) });
        case 'already_banned':
          return accounts.alreadyBanned;
        case 'is_operator':
          return accounts.isOperator;
        case 'not_found':
          return gone;
      }
    },
    show: showAccount,
    back: 'op.a',
  },
  freeze: {
    async carryOut(deps, ctx, accountId, reason) {
      const { freeze, gone } = ctx.texts.operator;
      const outcome = await freezeAccount(deps, { ...by(ctx), accountId, reason });
      if (outcome.kind === 'not_found') return gone;
      return outcome.kind === 'done' ? freeze.done : freeze.unchanged;
    },
    show: showAccount,
    back: 'op.a',
  },
  freezepay: {
    async carryOut(deps, ctx, payoutId, reason) {
      const { operator, balance } = ctx.texts;
      const outcome = await freezePayout(deps, { ...by(ctx), payoutId, reason });
      if (outcome.kind === 'not_found') return operator.gone;
      if (outcome.kind === 'not_allowed') {
        return operator.alreadyDone({ status: balance.payoutStatuses[outcome.status] });
      }
      return outcome.kind === 'done' ? operator.freeze.done : operator.freeze.unchanged;
    },
    show: showPayout,
    back: 'op.pay',
  },
  pause: {
    async carryOut(deps, ctx, orderId, reason) {
      const { operator, advertiser } = ctx.texts;
      const outcome = await pauseOrder(deps, { ...by(ctx), orderId, reason });
      switch (outcome.kind) {
        case 'done':
          return operator.stop.done;
        case 'not_allowed':
          return operator.alreadyDone({ status: advertiser.common.statuses[outcome.status] });
        case 'unchanged':
        case 'owner_banned':
          return operator.stop.unchanged;
        case 'not_found':
          return operator.gone;
      }
    },
    show: showOrder,
    back: 'op.mod',
  },
  user: {
    async carryOut(deps, ctx, userId, reason) {
      const { users } = ctx.texts.operator;
      return (await banUserId(deps, { ...by(ctx), userId, reason })) ? users.banned : users.already;
    },
    show: showUser,
    back: 'op.u',
  },
};

const WHATS = Object.keys(DECISIONS) as WhyWhat[];
const MAX_TEXT = 300;

const WhyDraft = Type.Object({
  wizard: Type.Literal('why'),
  what: Type.Unsafe<WhyWhat>({ type: 'string', enum: WHATS }),
  id: Type.Integer({ minimum: 1 }),
  text: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
});
type WhyDraft = Static<typeof WhyDraft>;

/** Decisions that need words: a reason or a proof is typed, then asked about once, then carried out. */
export function whyArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.why', (ctx, what, id) => ask(ctx, choiceIn(what, WHATS), idIn(id)));

  async function ask(ctx: BotContext, what: WhyWhat, id: number, problem?: string): Promise<void> {
    await ctx.talk.ask('op.why', [what, id], {
      text: withProblem(problem, ctx.texts.operator.why.ask[what]),
      rows: [[press(ctx.texts.common.cancel, DECISIONS[what].back, id)]],
    });
  }

  area.onText('op.why', async (ctx, typed, given, subject) => {
    const [what, id] = [choiceIn(given, WHATS), idIn(subject)];
    const text = readLine(typed, MAX_TEXT);
    if (text === undefined) return ask(ctx, what, id, ctx.texts.operator.why.length);
    await ctx.talk.keepDraft({ wizard: 'why', what, id, text } satisfies WhyDraft);
    await ctx.talk.expectNothing();
    return ctx.talk.show({
      text: ctx.texts.operator.why.sure[what]({ id, text }),
      rows: [[press(ctx.texts.common.yes, 'op.do', what, id), press(ctx.texts.common.no, DECISIONS[what].back, id)]],
    });
  });

  area.onPress('op.do', async (ctx, given, subject) => {
    const [what, id] = [choiceIn(given, WHATS), idIn(subject)];
    const draft = ctx.talk.draftOf('why');
    if (!Value.Check(WhyDraft, draft) || draft.what !== what || draft.id !== id) {
      throw new StaleButton('a decision without its words');
    }
    ctx.talk.toast(await DECISIONS[what].carryOut(deps, ctx, id, draft.text));
    return DECISIONS[what].show(deps, ctx, id);
  });
  return area;
}
