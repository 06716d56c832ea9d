import { drawChart, PictureFailed, renderPng } from '../../../charts/index.ts';
import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { sumKopecks, toRubles } from '../../../core/money.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import { type PublisherDay, reportBotDays } from '../../../modules/statistics/index.ts';
import { type Area, type BotContext, choiceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { botIn } from './bot-page.ts';

const PERIODS = ['7', '30'] as const;
type Period = (typeof PERIODS)[number];

export function botStatistics(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botStat', async (ctx, id, period) => {
    const days = choiceIn(period, PERIODS);
    const bot = await botIn(deps, ctx, id);
    await showStatistics(deps, ctx, bot, days);
  });
}

async function showStatistics(deps: ManagementBotDeps, ctx: BotContext, bot: Bot, period: Period): Promise<void> {
  const { common, publisher } = ctx.texts;
  const { statistics } = publisher;
  const days = await reportBotDays(deps.db, { botId: bot.id, days: Number(period), now: deps.clock.now() });
  const picture = await renderPng(drawChart(chartOf(ctx, bot, days))).catch((error: unknown) => {
    if (!(error instanceof PictureFailed)) throw error;
    deps.log.warn({ err: error }, 'chart not drawn');
    return undefined;
  });
  const caption = statistics.caption({
    username: bot.username,
    days: statistics.days[period],
    counted: ctx.formats.count(days.reduce((sum, day) => sum + day.counted, 0)),
    reversed: ctx.formats.count(days.reduce((sum, day) => sum + day.reversed, 0)),
    revenue: ctx.formats.rubles(sumKopecks(days.map(netKopecks))),
  });
  await ctx.talk.show({
    text: picture === undefined ? lines(caption, EMPTY_LINE, statistics.noPicture) : caption,
    ...(picture === undefined ? {} : { photo: picture }),
    rows: [
      PERIODS.filter((other) => other !== period).map((other) =>
        press(statistics.days[other], 'botStat', bot.id, other),
      ),
      [press(common.refresh, 'botStat', bot.id, period), press(common.back, 'bot', bot.id)],
    ],
  });
}

const netKopecks = (day: PublisherDay): bigint => day.rewardKopecks - day.reversedRewardKopecks;

function chartOf({ person, texts, formats }: BotContext, bot: Bot, days: readonly PublisherDay[]) {
  const { statistics } = texts.publisher;
  const names = days.map(({ day }) => formats.day(day));
  const counted = days.map((day) => day.counted);
  const reversed = days.map((day) => -day.reversed);
  const net = days.map(netKopecks);
  return {
    language: person.language,
    title: `@${bot.username}`,
    subtitle: `${names[0] ?? ''} – ${names.at(-1) ?? ''}`,
    columns: names,
    panels: [
      {
        title: statistics.subscribers,
        headline: formats.count([...counted, ...reversed].reduce((sum, value) => sum + value, 0)),
        isWhole: true,
        whenEmpty: statistics.nothing,
        series: [
          { name: statistics.counted, color: 'blue', values: counted },
          { name: statistics.reversed, color: 'red', values: reversed },
        ],
      },
      {
        title: statistics.revenue,
        headline: formats.rubles(sumKopecks(net)),
        isWhole: false,
        whenEmpty: statistics.nothing,
        series: [{ name: statistics.revenue, color: 'green', values: net.map(toRubles) }],
      },
    ],
  } as const;
}
