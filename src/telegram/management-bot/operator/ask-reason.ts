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
import { press, withNote } from '../screen.ts';
import type { ReasonedActionName } from '../texts/operator.ru.ts';
import { showAccount } from './accounts.ts';
import { showOrder } from './moderation.ts';
import { by, readLine } from './overview.ts';
import { showPayout } from './payouts.ts';
import { showUser } from './users.ts';

/** An action that needs a reason or a proof. Carrying it out twice changes nothing the second time. */
interface ReasonedAction {
  /** Returns the toast text. */
  carryOut(deps: ManagementBotDeps, ctx: BotContext, id: number, text: string): Promise<string>;
  /** The screen that the operator came from and returns to. */
  show(deps: ManagementBotDeps, ctx: BotContext, id: number): Promise<void>;
  /** The button name of that screen. */
  readonly back: string;
}

const ACTIONS: Readonly<Record<ReasonedActionName, ReasonedAction>> = {
  order: {
    async carryOut(deps, ctx, orderId, reason) {
      const { operator, orders } = ctx.texts.shared;
      const outcome = await decideOrder(deps, { ...by(ctx), orderId, verdict: { kind: 'reject', reason } });
      switch (outcome.kind) {
        case 'done':
          return operator.orders.rejected;
        case 'not_waiting':
          return operator.alreadyDecided(orders.statuses[outcome.status]);
        case 'owner_banned':
          return operator.ownerBanned;
        case 'not_found':
          return ctx.texts.operator.gone;
      }
    },
    show: showOrder,
    back: 'op.mod',
  },
  payout: {
    async carryOut(deps, ctx, payoutId, reason) {
      const { operator, payouts } = ctx.texts.shared;
      const outcome = await rejectPayout(deps, { ...by(ctx), payoutId, reason });
      if (outcome.kind === 'not_found') return ctx.texts.operator.gone;
      if (outcome.kind === 'frozen') return operator.freezes.liftFirst;
      return outcome.kind === 'done'
        ? operator.payouts.rejected
        : operator.alreadyDecided(payouts.statuses[outcome.status]);
    },
    show: showPayout,
    back: 'op.pay',
  },
  sent: {
    async carryOut(deps, ctx, payoutId, reference) {
      const { operator, payouts } = ctx.texts.shared;
      const outcome = await markPayoutSent(deps, { ...by(ctx), payoutId, reference });
      switch (outcome.kind) {
        case 'done':
          return operator.payouts.sent;
        case 'not_allowed':
          return operator.alreadyDecided(payouts.statuses[outcome.status]);
        case 'frozen':
          return operator.freezes.liftFirst;
        case 'invalid_reference':
          return ctx.texts.shared.inputs.textLength;
        case 'not_found':
          return ctx.texts.operator.gone;
      }
    },
    show: showPayout,
    back: 'op.pay',
  },
  account: {
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
    show: showAccount,
    back: 'op.a',
  },
  freeze: {
    async carryOut(deps, ctx, accountId, reason) {
      const { freezes, unchanged } = ctx.texts.shared.operator;
      const outcome = await freezeAccount(deps, { ...by(ctx), accountId, reason });
      if (outcome.kind === 'not_found') return ctx.texts.operator.gone;
      return outcome.kind === 'done' ? freezes.frozen : unchanged;
    },
    show: showAccount,
    back: 'op.a',
  },
  freezepay: {
    async carryOut(deps, ctx, payoutId, reason) {
      const { operator, payouts } = ctx.texts.shared;
      const outcome = await freezePayout(deps, { ...by(ctx), payoutId, reason });
      if (outcome.kind === 'not_found') return ctx.texts.operator.gone;
      if (outcome.kind === 'not_allowed') {
        return operator.alreadyDecided(payouts.statuses[outcome.status]);
      }
      return outcome.kind === 'done' ? operator.freezes.frozen : operator.unchanged;
    },
    show: showPayout,
    back: 'op.pay',
  },
  pause: {
    async carryOut(deps, ctx, orderId, reason) {
      const { operator, orders } = ctx.texts.shared;
      const outcome = await pauseOrder(deps, { ...by(ctx), orderId, reason });
      switch (outcome.kind) {
        case 'done':
          return operator.orders.stopped;
        case 'not_allowed':
          return operator.alreadyDecided(orders.statuses[outcome.status]);
        case 'unchanged':
        case 'owner_banned':
          return operator.unchanged;
        case 'not_found':
          return ctx.texts.operator.gone;
      }
    },
    show: showOrder,
    back: 'op.mod',
  },
  user: {
    async carryOut(deps, ctx, userId, reason) {
      const isChanged = await banUserId(deps, { ...by(ctx), userId, reason });
      return isChanged ? ctx.texts.operator.users.banned : ctx.texts.shared.operator.unchanged;
    },
    show: showUser,
    back: 'op.u',
  },
};

const NAMES = Object.keys(ACTIONS) as ReasonedActionName[];
const MAX_TEXT = 300;

const ReasonDraft = Type.Object({
  wizard: Type.Literal('reason'),
  what: Type.Unsafe<ReasonedActionName>({ type: 'string', enum: NAMES }),
  id: Type.Integer({ minimum: 1 }),
  text: Type.String({ minLength: 1, maxLength: MAX_TEXT }),
});
type ReasonDraft = Static<typeof ReasonDraft>;

/** The operator types a reason or a proof, confirms it, and the action is carried out. */
export function askReasonArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.reason', (ctx, what, id) => ask(ctx, choiceIn(what, NAMES), idIn(id)));

  async function ask(ctx: BotContext, what: ReasonedActionName, id: number, problem?: string): Promise<void> {
    await ctx.talk.ask('op.reason', [what, id], {
      text: withNote(problem, ctx.texts.operator.reason.ask[what]),
      rows: [[press(ctx.texts.common.cancel, ACTIONS[what].back, id)]],
    });
  }

  area.onText('op.reason', async (ctx, typed, given, subject) => {
    const [what, id] = [choiceIn(given, NAMES), idIn(subject)];
    const text = readLine(typed, MAX_TEXT);
    if (text === undefined) return ask(ctx, what, id, ctx.texts.shared.inputs.textLength);
    await ctx.talk.keepDraft({ wizard: 'reason', what, id, text } satisfies ReasonDraft);
    await ctx.talk.expectNothing();
    return ctx.talk.show({
      text: ctx.texts.operator.reason.confirm[what]({ id, text }),
      rows: [[press(ctx.texts.common.yes, 'op.do', what, id), press(ctx.texts.common.no, ACTIONS[what].back, id)]],
    });
  });

  area.onPress('op.do', async (ctx, given, subject) => {
    const [what, id] = [choiceIn(given, NAMES), idIn(subject)];
    const draft = ctx.talk.draftOf('reason');
    if (!Value.Check(ReasonDraft, draft) || draft.what !== what || draft.id !== id) {
      throw new StaleButton('a decision without its words');
    }
    ctx.talk.toast(await ACTIONS[what].carryOut(deps, ctx, id, draft.text));
    return ACTIONS[what].show(deps, ctx, id);
  });
  return area;
}
