import type { Html } from '../../../core/html.ts';
import { percentOf, REVIEW_DAYS, reviewEarnings } from '../../../modules/operators/index.ts';
import type { BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';

/** Returns the sources of an account's earnings, for the payout screen. */
export async function reviewLines(deps: ManagementBotDeps, ctx: BotContext, accountId: number): Promise<Html> {
  const { rubles, count, percent } = ctx.formats;
  const review = await reviewEarnings(deps, accountId);
  const share = (value: number | null): string | undefined => (value === null ? undefined : percent(value));
  return ctx.texts.operator.review({
    days: REVIEW_DAYS,
    balance: rubles(review.funds.availableKopecks),
    unsettled: rubles(review.reversibleKopecks),
    unsettledShare: share(review.unsettledPercent),
    counted: count(review.counted),
    reversalShare: share(review.reversalPercent),
    advertisers: count(review.advertisers),
    counterparties: review.counterparties.map(({ accountId: id, name, subscriptions, rewardKopecks, isConnected }) => ({
      accountId: id,
      name,
      amount: rubles(rewardKopecks),
      share: percent(percentOf(rewardKopecks, review.rewardKopecks) ?? 0),
      count: count(subscriptions),
      isConnected,
    })),
  });
}
