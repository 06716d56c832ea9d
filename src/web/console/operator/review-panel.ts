import { type Html, html } from '../../../core/html.ts';
import { percentOf, REVIEW_DAYS, reviewEarnings } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge, facts, panel, tile, tiles } from '../parts/elements.ts';
import type { Visit } from '../visit.ts';
import { accountLink } from './operator-path.ts';

/** Shows where an account's money comes from, so that an operator can judge its payout. */
export async function reviewPanel(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  visit: Visit,
  accountId: number,
): Promise<Html> {
  const { rubles, count, percent } = visit.formats;
  const words = visit.texts.operator.review;
  const review = await reviewEarnings(deps, accountId);
  const { unsettledPercent, reversalPercent, counterparties } = review;
  const share = (value: number | null, words: (share: string) => string): string | undefined =>
    value === null ? undefined : words(percent(value));
  const figures = tiles(
    tile(words.balance, rubles(review.funds.availableKopecks)),
    tile(words.unsettled, rubles(review.reversibleKopecks), share(unsettledPercent, words.ofRewards)),
    tile(words.counted, count(review.counted), share(reversalPercent, words.reversed)),
    tile(words.advertisers, count(review.advertisers)),
  );
  const paid = counterparties.map((one): [string, Html] => {
    const part = percent(percentOf(one.rewardKopecks, review.rewardKopecks) ?? 0);
    const line = words.line({ amount: rubles(one.rewardKopecks), share: part, count: count(one.subscriptions) });
    const mark = one.isConnected && html` ${badge('bad', words.sameOwner)}`;
    return [one.name, html`${accountLink(visit, one.accountId)}: ${line}${mark}`];
  });
  const list = paid.length === 0 ? html`<p>${words.none}</p>` : html`<h3>${words.counterparties}</h3>${facts(...paid)}`;
  return panel(words.title, html`${figures}${list}`, { note: words.note(REVIEW_DAYS), id: 'review' });
}
