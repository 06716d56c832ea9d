import { Type } from 'typebox';
import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { readRubles } from '../../../core/locale.ts';
import type { Kopecks } from '../../../core/money.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import {
  isPayoutDestination,
  PAYOUT_METHODS,
  type Payout,
  type PayoutMethod,
  payoutMethods,
  requestPayout,
} from '../../../modules/payouts/index.ts';
import { Area, type BotContext, choiceIn, newNonce, nonceIn, StaleButton, withSupport } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { wizardDraft } from '../draft.ts';
import { press, withNote } from '../screen.ts';
import { toBalance } from './balance-screen.ts';
import { notifyOperators } from './notify-operators.ts';

const WithdrawDraft = Type.Object({
  method: Type.Optional(Type.Unsafe<PayoutMethod>({ type: 'string', enum: PAYOUT_METHODS })),
  amountKopecks: Type.Optional(Type.Integer({ minimum: 1 })),
  destination: Type.Optional(Type.String({ maxLength: 256 })),
  /** The idempotency key in the last summary: its button confirms only that summary. */
  nonce: Type.Optional(Type.String({ maxLength: 32 })),
});
const withdrawDraft = wizardDraft('payout', WithdrawDraft);

/** Withdrawals: asks for method, amount and recipient, then for confirmation. */
export function withdrawArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  const { payouts } = deps;

  area.onPress('bal.out', async (ctx) => {
    const { balance, shared } = ctx.texts;
    const { rubles } = ctx.formats;
    const withdrawableKopecks = await readWithdrawable(deps, ctx);
    if (withdrawableKopecks < payouts.minimumKopecks) {
      const amounts = { withdrawable: rubles(withdrawableKopecks), minimum: rubles(payouts.minimumKopecks) };
      return ctx.talk.show({ text: balance.tooLittle(amounts), rows: [[back(ctx)]] });
    }
    await withdrawDraft.keep(ctx, {});
    const [only, ...others] = payoutMethods(payouts);
    if (only !== undefined && others.length === 0) return chooseMethod(ctx, only);
    return ctx.talk.show({
      text: balance.chooseMethod,
      rows: [
        ...payoutMethods(payouts).map((method) => [press(shared.payouts.methods[method], 'bal.via', method)]),
        [back(ctx)],
      ],
    });
  });
  area.onPress('bal.via', (ctx, method) => chooseMethod(ctx, choiceIn(method, PAYOUT_METHODS)));

  async function chooseMethod(ctx: BotContext, method: PayoutMethod): Promise<void> {
    await withdrawDraft.keep(ctx, { method });
    await askAmount(ctx);
  }

  async function askAmount(ctx: BotContext, problem?: string): Promise<void> {
    const { balance } = ctx.texts;
    const { rubles } = ctx.formats;
    const withdrawableKopecks = await readWithdrawable(deps, ctx);
    const amounts = { withdrawable: rubles(withdrawableKopecks), minimum: rubles(payouts.minimumKopecks) };
    await ctx.talk.ask('bal.amount', [], {
      text: withNote(problem, balance.askAmount(amounts)),
      rows: [[press(balance.all({ amount: amounts.withdrawable }), 'bal.all')], [cancel(ctx)]],
    });
  }

  area.onText('bal.amount', async (ctx, text) => {
    const amount = readRubles(text);
    return amount === undefined ? askAmount(ctx, ctx.texts.shared.inputs.wrongAmount) : enterAmount(ctx, amount);
  });
  area.onPress('bal.all', async (ctx) => enterAmount(ctx, await readWithdrawable(deps, ctx)));

  async function enterAmount(ctx: BotContext, amount: Kopecks): Promise<void> {
    const { shared } = ctx.texts;
    const { rubles } = ctx.formats;
    const { method } = withdrawDraft.of(ctx);
    if (method === undefined) throw new StaleButton('an amount without its method');
    if (amount < payouts.minimumKopecks) {
      return askAmount(ctx, shared.payouts.belowMinimum(rubles(payouts.minimumKopecks)));
    }
    const withdrawableKopecks = await readWithdrawable(deps, ctx);
    if (amount > withdrawableKopecks)
      return askAmount(ctx, shared.payouts.aboveWithdrawable(rubles(withdrawableKopecks)));
    await withdrawDraft.keep(ctx, { method, amountKopecks: Number(amount) });
    return askDestination(ctx, method);
  }

  async function askDestination(ctx: BotContext, method: PayoutMethod, problem?: string): Promise<void> {
    const { balance } = ctx.texts;
    const { telegramUserId: id } = ctx.person;
    await ctx.talk.ask('bal.dest', [], {
      text: withNote(problem, balance.askDestination[method]),
      rows: [method === 'crypto-pay' ? [press(balance.toMyself({ id }), 'bal.me')] : [], [cancel(ctx)]],
    });
  }

  area.onText('bal.dest', (ctx, text) => enterDestination(ctx, text.trim()));
  area.onPress('bal.me', (ctx) => enterDestination(ctx, String(ctx.person.telegramUserId)));

  async function enterDestination(ctx: BotContext, destination: string): Promise<void> {
    const { balance, common, shared } = ctx.texts;
    const { method, amountKopecks } = withdrawDraft.of(ctx);
    if (method === undefined || amountKopecks === undefined) throw new StaleButton('a recipient without an amount');
    if (!isPayoutDestination(method, destination)) return askDestination(ctx, method, balance.wrongDestination[method]);
    const nonce = newNonce();
    await withdrawDraft.keep(ctx, { method, amountKopecks, destination, nonce });
    await ctx.talk.expectNothing();
    await ctx.talk.show({
      text: lines(
        balance.payoutSummary({
          amount: ctx.formats.rubles(BigInt(amountKopecks)),
          method: shared.payouts.methods[method],
          destination,
        }),
        ...(deps.operatorIds.size === 0 ? [EMPTY_LINE, balance.noOperators] : []),
      ),
      rows: [[press(common.yes, 'bal.ask', nonce), press(common.no, 'balance')]],
    });
  }

  // Keeps the draft, so that a second press or a repeated delivery finds the same request and shows the same payout.
  area.onPress('bal.ask', async (ctx, given) => {
    const { balance, access, shared } = ctx.texts;
    const { rubles } = ctx.formats;
    const { accountId } = ctx.person;
    const { method, amountKopecks, destination, nonce } = withdrawDraft.of(ctx);
    if (nonce !== nonceIn(given) || method === undefined || amountKopecks === undefined || destination === undefined) {
      throw new StaleButton('the summary of another request');
    }
    const request = { accountId, key: `bot:${nonce}`, amountKopecks: BigInt(amountKopecks), method, destination };
    const outcome = await requestPayout(payouts, request);
    switch (outcome.kind) {
      case 'requested':
        await ctx.talk.show({
          text: lines(
            balance.requested({ id: outcome.payout.id, amount: rubles(outcome.payout.amountKopecks) }),
            deps.operatorIds.size === 0 ? balance.noOperators : undefined,
          ),
          rows: [[press(balance.payouts, 'bal.outs'), toBalance(ctx)]],
        });
        return outcome.isRepeat ? undefined : notifyOfPayout(deps, ctx, outcome.payout);
      case 'account_banned':
        return ctx.talk.toast(withSupport(ctx, access.banned), { alert: true });
      case 'withdrawals_frozen':
        return ctx.talk.toast(withSupport(ctx, shared.payouts.frozen), { alert: true });
      case 'method_unavailable':
        return ctx.talk.toast(shared.payouts.methodUnavailable, { alert: true });
      case 'below_minimum':
        return askAmount(ctx, shared.payouts.belowMinimum(rubles(outcome.minimumKopecks)));
      case 'insufficient_funds':
        return askAmount(ctx, shared.payouts.aboveWithdrawable(rubles(outcome.withdrawableKopecks)));
      case 'invalid_destination':
        return askDestination(ctx, method, balance.wrongDestination[method]);
    }
  });
  return area;
}

const cancel = ({ texts }: BotContext) => press(texts.common.cancel, 'balance');
const back = ({ texts }: BotContext) => press(texts.common.back, 'balance');

async function notifyOfPayout(deps: ManagementBotDeps, { person }: BotContext, payout: Payout): Promise<void> {
  const { accountId, name } = person;
  await notifyOperators(deps, ({ balance: { toOperators } }, formats) => ({
    text: toOperators.payout({ id: payout.id, amount: formats.rubles(payout.amountKopecks), accountId, name }),
    rows: [[press(toOperators.open, 'op.pay', payout.id)]],
  }));
}

async function readWithdrawable({ db }: ManagementBotDeps, { person }: BotContext): Promise<Kopecks> {
  return (await readFunds(db, person.accountId)).withdrawableKopecks;
}
