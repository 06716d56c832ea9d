import { type Html, html } from '../../../core/html.ts';
import { percentOf, REVIEW_DAYS, reviewEarnings } from '../../../modules/operators/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { badge, facts, NOTHING, panel, tile, tiles } from '../parts/pieces.ts';
import type { Visit } from '../visit.ts';
import { accountLink } from './operator-path.ts';

/** Where an account's money comes from: what an operator sees before approving its payout. */
export async function reviewPanel(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  visit: Visit,
  accountId: number,
): Promise<Html> {
  const { rubles, count, percent } = visit.formats;
  const words = visit.texts.operator.review;
  const review = await reviewEarnings(deps, accountId);
  const { unsettledPercent, reversalPercent, counterparties } = review;
  const figures = tiles(
    tile(words.balance, rubles(review.funds.availableKopecks)),
    tile(
      words.unsettled,
      rubles(review.reversibleKopecks),
      unsettledPercent === null ? undefined : words.ofRewards(percent(unsettledPercent)),
    ),
    tile(
      words.counted,
      count(review.counted),
      reversalPercent === null ? undefined : words.reversed(percent(reversalPercent)),
    ),
    tile(words.advertisers, count(review.advertisers)),
  );
  const paid = counterparties.map((one): [string, Html] => {
    const share = percent(percentOf(one.rewardKopecks, review.rewardKopecks) ?? 0);
    const line = words.line({ amount: rubles(one.rewardKopecks), share, count: count(one.subscriptions) });
    const mark = one.isConnected ? html` ${badge('bad', words.sameOwner)}` : NOTHING;
    return [one.name, html`${accountLink(visit, one.accountId)}: ${line}${mark}`];
  });
  const list = paid.length === 0 ? html`<p>${words.none}</p>` : html`<h3>${words.counterparties}</h3>${facts(...paid)}`;
  return panel(words.title, html`${figures}${list}`, { note: words.note(REVIEW_DAYS), id: 'review' });
}
