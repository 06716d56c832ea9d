import { clip, lines } from '../../../core/html.ts';
import { sumKopecks } from '../../../core/money.ts';
import { findOwnOrder } from '../../../modules/orders/index.ts';
import { type AdvertiserDay, reportOrderDays } from '../../../modules/statistics/index.ts';
import { describeSubscribers } from '../../../modules/tasks/index.ts';
import { Area, choiceIn, idIn } from '../bot-context.ts';
import { drawDays, PERIODS } from '../days-chart.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { knownShares } from './filters/filter-screens.ts';

/** Limited by the length of a caption. */
const MAX_SHARES = 8;

/** Statistics of an order by day, as a chart. */
export function orderStatisticsArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('o.stat', async (ctx, id, chosen) => {
    const period = choiceIn(chosen, PERIODS);
    const order = await findOwnOrder(deps.db, { accountId: ctx.person.accountId, orderId: idIn(id) });
    const now = deps.clock.now();
    const days = await reportOrderDays(deps.reports, { orderId: order.id, days: Number(period), now });
    const { statistics, list } = ctx.texts.advertiser;
    const kopecks = days.map((day) => day.chargeKopecks - day.returnedChargeKopecks);
    const title = `${list.number(order.id)} ${clip(order.title, 40)}`;
    const money = { name: statistics.spent, kopecks };
    const photo = await drawDays(deps, ctx, { title, days, money, words: statistics });
    const sum = (pick: (day: AdvertiserDay) => number): string =>
      ctx.formats.count(days.reduce((total, day) => total + pick(day), 0));
    const subscribers = await describeSubscribers({ db: deps.reports, clock: deps.clock }, order);
    await ctx.talk.show({
      text: lines(
        statistics.caption({
          id: order.id,
          title: clip(order.title, 64),
          period: statistics.periods[period],
          counted: sum((day) => day.counted),
          reversed: sum((day) => day.reversed),
          spent: ctx.formats.rubles(sumKopecks(kopecks)),
        }),
        subscribers.length === 0 ? undefined : statistics.knownOfSubscribers,
        ...knownShares(ctx, subscribers).slice(0, MAX_SHARES),
      ),
      ...(photo !== undefined && { photo }),
      rows: [
        PERIODS.map((one) =>
          press(`${one === period ? '✅ ' : ''}${statistics.periods[one]}`, 'o.stat', order.id, one),
        ),
        [press(ctx.texts.common.back, 'order', order.id)],
      ],
    });
  });
  return area;
}
