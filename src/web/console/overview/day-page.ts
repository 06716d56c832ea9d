import { ApiError } from '../../../core/errors.ts';
import { type DaysScope, listDaySubscriptions } from '../../../modules/statistics/index.ts';
import type { TaskState } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Tone } from '../parts/elements.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type Crumb, readCursor, type Visit } from '../visit.ts';

const TONES: Readonly<Record<TaskState, Tone>> = {
  shown: 'plain',
  unreserved: 'plain',
  expired: 'plain',
  pending: 'accent',
  held: 'accent',
  paid: 'good',
  settled: 'good',
  reversed: 'bad',
  rejected: 'bad',
  notgetted: 'plain',
};

interface Scope {
  readonly scope: DaysScope;
  readonly id: number;
  readonly crumbs: readonly Crumb[];
}

/** Adds the page with the subscriptions of one day, to which the columns of charts lead. */
export function dayPage(
  router: ConsoleRouter,
  { reports }: Pick<ConsoleDeps, 'reports'>,
  path: string,
  scopeOf: (visit: Visit) => Promise<Scope>,
): void {
  router.page(path, async (visit) => {
    const { formats } = visit;
    const { days: words, common } = visit.texts;
    const day = readDay(visit);
    const { scope, id, crumbs } = await scopeOf(visit);
    // The position in the list of one day, which hardly changes any more.
    const skip = readCursor(visit.query) ?? 0;
    const found = await listDaySubscriptions(reports, { scope, id, day, skip, limit: rowLimit(visit, 'day') });
    const { rows, last } = pageOf(visit, 'day', found);
    const isPublisher = scope === 'bot' || scope === 'publisher';
    const table = buildTable(visit, {
      name: 'day',
      title: words.listTitle,
      note: words.note,
      rows,
      empty: words.empty,
      next: last && { before: skip + rows.length },
      columns: ({ time, id: number, text, badge, rubles }) => [
        time(common.time, ({ confirmedAt }) => confirmedAt),
        number(words.user, ({ userId }) => userId),
        text(words.order, ({ orderId, orderName }) => `${orderName} (${orderId})`),
        text(words.bot, ({ botUsername }) => `@${botUsername}`),
        badge(common.status, ({ state }) => [TONES[state], words.states[state]]),
        isPublisher
          ? rubles(words.reward, ({ rewardKopecks }) => rewardKopecks)
          : rubles(words.charge, ({ chargeKopecks }) => chargeKopecks),
      ],
    });
    return {
      title: words.title(formats.day(day)),
      crumbs,
      body: table.html,
      tables: [table],
      figuresAgeSeconds: reports.ageSeconds(),
    };
  });
}

function readDay({ params }: Visit): string {
  const day = params.day ?? '';
  if (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))) return day;
  throw new ApiError('route_not_found', 'There is no such page.');
}
