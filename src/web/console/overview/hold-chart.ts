import type { Language } from '../../../core/locale.ts';
import type { UpcomingReleases } from '../../../modules/statistics/index.ts';
import { buildChart } from '../parts/chart.ts';
import type { BuiltTable, Visit } from '../visit.ts';

/** What leaves hold and when, if the users stay. */
export function holdChart(visit: Visit, { releases, totalKopecks, laterKopecks }: UpcomingReleases): BuiltTable {
  const { texts, formats } = visit;
  const format = (value: number | bigint): string => formats.rubles(BigInt(value));
  const soon = releases.map(({ releaseAt, amountKopecks }) => ({
    label: hour(visit.language, releaseAt),
    value: releaseAt,
    amountKopecks,
  }));
  const later =
    laterKopecks > 0n ? [{ label: texts.charts.later, value: texts.charts.later, amountKopecks: laterKopecks }] : [];
  const columns = [...soon, ...later];
  return buildChart(visit, {
    name: 'holds',
    title: texts.charts.holds,
    note: texts.charts.holdsNote,
    headline: format(totalKopecks),
    columnTitle: texts.common.time,
    columns,
    kind: 'bars',
    series: [
      { name: texts.charts.released, tone: 1, values: columns.map(({ amountKopecks }) => amountKopecks), format },
    ],
    empty: texts.charts.noHolds,
  });
}

/** `27 нояб., 08:30`: short enough to stand below a bar. */
function hour(language: Language, time: Date): string {
  return new Intl.DateTimeFormat(language === 'ru' ? 'ru-RU' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Moscow',
  }).format(time);
}
