import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts';
import type { ContestReport } from '../../../modules/contests/index.ts';
import { readStandings, reportContests } from '../../../modules/contests/index.ts';
import { Area, type BotContext, idIn, pageIn, StaleButton } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press } from '../screen.ts';

const SHOWN_PRIZES = 10;
const SHOWN_LEADERS = 10;

/** Contests for participants. */
export function contestsArea({ contests }: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('contests', async (ctx, number) => {
    const { balance, common, shared } = ctx.texts;
    const reports = await reportContests(contests, ctx.person.accountId);
    const from = pageIn(number) * PAGE_SIZE;
    const page = pageOf(reports.slice(from, from + PAGE_SIZE + 1), pageIn(number));
    await ctx.talk.show({
      text: reports.length === 0 ? balance.noContests : balance.contestsTitle,
      rows: [
        ...page.items.map(({ contest, status, rank }) => {
          const label = { name: contest.name, status: shared.contests.statuses[status], rank };
          return [press(balance.contestButton(label), 'bal.con', contest.id)];
        }),
        arrows(page, 'contests'),
        [press(common.home, 'home')],
      ],
    });
  });

  area.onPress('bal.con', async (ctx, id) => {
    const contestId = idIn(id);
    const report = (await reportContests(contests, ctx.person.accountId)).find(
      ({ contest }) => contest.id === contestId,
    );
    if (report === undefined) throw new StaleButton('a contest that is not shown');
    const hasBegun = report.status !== 'scheduled' && report.status !== 'cancelled';
    const leaders = hasBegun ? await readStandings(contests, report.contest, SHOWN_LEADERS) : [];
    await ctx.talk.show({
      text: ctx.texts.balance.contest({
        ...describe(ctx, report),
        leaders: leaders.map(({ rank, accountId, revenueKopecks }) => ({
          rank,
          accountId,
          score: ctx.formats.rubles(revenueKopecks),
          isMe: accountId === ctx.person.accountId,
        })),
      }),
      rows: [[press(ctx.texts.common.refresh, 'bal.con', contestId)], [press(ctx.texts.common.back, 'contests')]],
    });
  });
  return area;
}

function describe({ texts, formats }: BotContext, report: ContestReport) {
  const { contest, status, rank, score, revenueKopecks, prizeKopecks } = report;
  const { rubles, moment, count } = formats;
  return {
    name: contest.name,
    status: texts.shared.contests.statuses[status],
    from: moment(contest.startsAt),
    until: moment(contest.endsAt),
    left: status === 'running' ? texts.balance.left(partsOf(report.remainingSeconds)) : undefined,
    participants: count(report.participants),
    own: rank === null ? undefined : { rank, score: count(score), revenue: rubles(revenueKopecks) },
    prize: prizeKopecks !== null && prizeKopecks > 0n ? rubles(prizeKopecks) : undefined,
    prizes: contest.prizesKopecks
      .slice(0, SHOWN_PRIZES)
      .map((amount, index) => ({ place: index + 1, amount: rubles(amount) })),
    morePrizes: Math.max(0, contest.prizesKopecks.length - SHOWN_PRIZES),
  };
}

/** Rounds up to whole minutes, so that a running contest never shows zero. */
function partsOf(seconds: number): { days: number; hours: number; minutes: number } {
  const ms = Math.ceil((seconds * SECOND_MS) / MINUTE_MS) * MINUTE_MS;
  return {
    days: Math.floor(ms / DAY_MS),
    hours: Math.floor((ms % DAY_MS) / HOUR_MS),
    minutes: Math.floor((ms % HOUR_MS) / MINUTE_MS),
  };
}
