import { type Chart, drawChart, PictureFailed, renderPng } from '../../../charts/index.ts';
import { clip, lines } from '../../../core/html.ts';
import { sumKopecks, toRubles } from '../../../core/money.ts';
import { findOwnOrder, type Order } from '../../../modules/orders/index.ts';
import { type AdvertiserDay, reportOrderDays } from '../../../modules/statistics/index.ts';
import { describeSubscribers } from '../../../modules/tasks/index.ts';
import { Area, type BotContext, choiceIn, idIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { knownShares } from './filters/filter-screens.ts';

/** Limited by the length of a caption. */
const MAX_SHARES = 8;

const PERIODS = ['7', '30'] as const;

/** Statistics of an order by day, as a chart. */
export function orderStatisticsArea(deps: ManagementBotDeps): Area {
  const area = new Area();
  area.onPress('o.stat', async (ctx, id, chosen) => {
    const period = choiceIn(chosen, PERIODS);
    const order = await findOwnOrder(deps.db, { accountId: ctx.person.accountId, orderId: idIn(id) });
    const now = deps.clock.now();
    const days = await reportOrderDays(deps.db, { orderId: order.id, days: Number(period), now });
    const photo = await picture(drawChart(chartOf(ctx, order, days)));
    const { statistics } = ctx.texts.advertiser;
    const sum = (pick: (day: AdvertiserDay) => number): string =>
      ctx.formats.count(days.reduce((total, day) => total + pick(day), 0));
    const subscribers = await describeSubscribers(deps, order);
    await ctx.talk.show({
      text: lines(
        statistics.caption({
          id: order.id,
          title: clip(order.title, 64),
          period: statistics.periods[period],
          counted: sum((day) => day.counted),
          reversed: sum((day) => day.reversed),
          spent: ctx.formats.rubles(sumKopecks(days.map(spentOn))),
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

  /** Returns undefined when drawing fails; the figures are shown without a chart. */
  async function picture(svg: string): Promise<Buffer | undefined> {
    try {
      return await renderPng(svg);
    } catch (error) {
      if (!(error instanceof PictureFailed)) throw error;
      deps.log.warn({ err: error }, 'chart not drawn');
      return undefined;
    }
  }
  return area;
}

const spentOn = (day: AdvertiserDay): bigint => day.chargeKopecks - day.returnedChargeKopecks;

function chartOf({ person, texts, formats }: BotContext, order: Order, days: readonly AdvertiserDay[]): Chart {
  const { statistics } = texts.advertiser;
  const names = days.map(({ day }) => formats.day(day));
  const spent = days.map(spentOn);
  return {
    language: person.language,
    title: `${texts.advertiser.list.number(order.id)} ${clip(order.title, 40)}`,
    subtitle: `${names[0] ?? ''} – ${names.at(-1) ?? ''}`,
    columns: names,
    panels: [
      {
        title: statistics.subscribers,
        headline: formats.count(days.reduce((sum, { counted, reversed }) => sum + counted - reversed, 0)),
        isWhole: true,
        whenEmpty: statistics.nothing,
        series: [
          { name: statistics.counted, color: 'blue', values: days.map(({ counted }) => counted) },
          { name: statistics.reversed, color: 'red', values: days.map(({ reversed }) => -reversed) },
        ],
      },
      {
        title: statistics.spent,
        headline: formats.rubles(sumKopecks(spent)),
        isWhole: false,
        whenEmpty: statistics.nothing,
        series: [{ name: statistics.spent, color: 'green', values: spent.map(toRubles) }],
      },
    ],
  };
}
