import { html } from '../../../core/html.ts';
import { findContest, listContests, readStandings, statusOf } from '../../../modules/contests/index.ts';
import { Area, type BotContext, idIn, pageIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { arrows, PAGE_SIZE, pageOf, press } from '../screen.ts';
import { toOverview } from './overview.ts';

const MOST_LISTED = 200;
const SHOWN_STANDINGS = 20;

/** Contests for operators. */
export function contestsArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('op.cons', async (ctx, number) => {
    const { operator, shared } = ctx.texts;
    const from = pageIn(number) * PAGE_SIZE;
    const found = await listContests(deps.db, Math.min(MOST_LISTED, from + PAGE_SIZE + 1));
    const page = pageOf(found.slice(from), pageIn(number));
    await ctx.talk.show({
      text: found.length === 0 ? html`🏆 ${shared.operator.contests.empty}` : operator.contests.title,
      rows: [
        [press(operator.contests.create, 'op.newcon')],
        ...page.items.map((contest) => {
          const status = shared.contests.statuses[statusOf(contest, deps.clock.now())];
          return [press(operator.contests.line({ id: contest.id, name: contest.name, status }), 'op.con', contest.id)];
        }),
        arrows(page, 'op.cons'),
        [toOverview(ctx)],
      ],
    });
  });

  area.onPress('op.con', (ctx, id) => showContest(deps, ctx, idIn(id)));
  return area;
}

export async function showContest(deps: ManagementBotDeps, ctx: BotContext, contestId: number): Promise<void> {
  const { operator, shared, common } = ctx.texts;
  const { rubles, moment, count } = ctx.formats;
  const contest = await findContest(deps.db, contestId);
  if (contest === undefined) return ctx.talk.toast(operator.gone);
  const status = statusOf(contest, deps.clock.now());
  const isOver = status === 'finished' || status === 'cancelled';
  const hasBegun = status !== 'scheduled' && status !== 'cancelled';
  const standings = hasBegun ? await readStandings(deps.contests, contest, SHOWN_STANDINGS) : [];
  await ctx.talk.show({
    text: operator.contests.page({
      id: contest.id,
      name: contest.name,
      status: shared.contests.statuses[status],
      from: moment(contest.startsAt),
      until: moment(contest.endsAt),
      prizes: contest.prizesKopecks.map(rubles).join(', '),
      standings: standings.map(({ rank, accountId, score, revenueKopecks }) => ({
        rank,
        accountId,
        revenue: rubles(revenueKopecks),
        score: count(score),
        prize: rank <= contest.prizesKopecks.length ? rubles(contest.prizesKopecks[rank - 1] ?? 0n) : undefined,
      })),
      isWaiting: status === 'waiting',
    }),
    rows: [
      status === 'waiting' ? [press(operator.contests.approve, 'op.confirm', 'prizes', contestId)] : [],
      [
        ...(isOver ? [] : [press(operator.contests.cancel, 'op.confirm', 'cancel', contestId)]),
        press(common.refresh, 'op.con', contestId),
      ],
      [press(operator.contests.list, 'op.cons'), toOverview(ctx)],
    ],
  });
}
