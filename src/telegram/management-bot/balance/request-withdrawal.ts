import type { Kopecks } from '../../../core/money.ts';
import type { Payout, PayoutMethod } from '../../../modules/payouts/index.ts';
import { requestPayout } from '../../../modules/payouts/index.ts';
import { type BotContext, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { toBalance } from './balance-screen.ts';
import { notifyOperators } from './notify-operators.ts';
import { draftOf } from './withdraw-draft.ts';

/** The outcome; every kind but `shown` asks the person again. */
export type Withdrawal =
  | { readonly kind: 'shown' }
  | { readonly kind: 'below_minimum'; readonly minimumKopecks: Kopecks }
  | { readonly kind: 'insufficient_funds'; readonly withdrawableKopecks: Kopecks }
  | { readonly kind: 'invalid_destination'; readonly method: PayoutMethod };

/**
 * Requests the payout. Keeps the draft, so that a second press or a repeated delivery finds the same request and shows
 * the same payout.
 */
export async function requestWithdrawal(deps: ManagementBotDeps, ctx: BotContext, nonce: string): Promise<Withdrawal> {
  const { balance, access, shared } = ctx.texts;
  const { accountId } = ctx.person;
  const { method, amountKopecks, destination, nonce: asked } = draftOf(ctx);
  if (asked !== nonce || method === undefined || amountKopecks === undefined || destination === undefined) {
    throw new StaleButton('the summary of another request');
  }
  const outcome = await requestPayout(deps.payouts, {
    accountId,
    key: `bot:${nonce}`,
    amountKopecks: BigInt(amountKopecks),
    method,
    destination,
  });
  switch (outcome.kind) {
    case 'requested':
      await ctx.talk.show({
        text: balance.requested({
          id: outcome.payout.id,
          amount: ctx.formats.rubles(outcome.payout.amountKopecks),
        }),
        rows: [[press(balance.payouts, 'bal.outs'), toBalance(ctx)]],
      });
      if (!outcome.isRepeat) await notifyOfPayout(deps, ctx, outcome.payout);
      return { kind: 'shown' };
    case 'account_banned':
      ctx.talk.toast(access.banned, { alert: true });
      return { kind: 'shown' };
    case 'withdrawals_frozen':
      ctx.talk.toast(shared.payouts.frozen, { alert: true });
      return { kind: 'shown' };
    case 'method_unavailable':
      ctx.talk.toast(shared.payouts.methodUnavailable, { alert: true });
      return { kind: 'shown' };
    case 'invalid_destination':
      return { kind: 'invalid_destination', method };
    case 'below_minimum':
    case 'insufficient_funds':
      return outcome;
  }
}

async function notifyOfPayout(deps: ManagementBotDeps, { person }: BotContext, payout: Payout): Promise<void> {
  const { accountId, name } = person;
  await notifyOperators(deps, ({ balance: { toOperators } }, formats) => ({
    text: toOperators.payout({ id: payout.id, amount: formats.rubles(payout.amountKopecks), accountId, name }),
    rows: [[press(toOperators.open, 'op.pay', payout.id)]],
  }));
}
