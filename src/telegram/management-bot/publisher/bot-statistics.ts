import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { sumKopecks } from '../../../core/money.ts';
import { reportBotDays } from '../../../modules/statistics/index.ts';
import { type Area, choiceIn } from '../bot-context.ts';
import { drawDays, PERIODS } from '../days-chart.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { botIn } from './bot-page.ts';

export function botStatistics(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botStat', async (ctx, id, chosen) => {
    const period = choiceIn(chosen, PERIODS);
    const bot = await botIn(deps, ctx, id);
    const { common, publisher } = ctx.texts;
    const { statistics } = publisher;
    const days = await reportBotDays(deps.reports, { botId: bot.id, days: Number(period), now: deps.clock.now() });
    const kopecks = days.map((day) => day.rewardKopecks - day.reversedRewardKopecks);
    const money = { name: statistics.revenue, kopecks };
    const photo = await drawDays(deps, ctx, { title: `@${bot.username}`, days, money, words: statistics });
    const caption = statistics.caption({
      username: bot.username,
      days: statistics.days[period],
      counted: ctx.formats.count(days.reduce((sum, day) => sum + day.counted, 0)),
      reversed: ctx.formats.count(days.reduce((sum, day) => sum + day.reversed, 0)),
      revenue: ctx.formats.rubles(sumKopecks(kopecks)),
    });
    await ctx.talk.show({
      text: photo === undefined ? lines(caption, EMPTY_LINE, statistics.noPicture) : caption,
      ...(photo !== undefined && { photo }),
      rows: [
        PERIODS.filter((other) => other !== period).map((other) =>
          press(statistics.days[other], 'botStat', bot.id, other),
        ),
        [press(common.refresh, 'botStat', bot.id, period), press(common.back, 'bot', bot.id)],
      ],
    });
  });
}
