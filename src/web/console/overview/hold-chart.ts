import type { UpcomingReleases } from '../../../modules/statistics/index.ts';
import { buildChart } from '../parts/chart.ts';
import type { BuiltTable, Visit } from '../visit.ts';

/** Shows which amounts leave hold and when, provided that the users stay subscribed. */
export function holdChart(visit: Visit, { releases, totalKopecks, laterKopecks }: UpcomingReleases): BuiltTable {
  const { common, charts } = visit.texts;
  const format = (value: number | bigint): string => visit.formats.rubles(BigInt(value));
  // `27 нояб., 08:30` is short enough to stand below a bar.
  const shortTime = new Intl.DateTimeFormat(visit.language === 'ru' ? 'ru-RU' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Moscow',
  });
  const columns = releases.map(({ releaseAt, amountKopecks }) => ({
    label: shortTime.format(releaseAt),
    value: releaseAt as Date | string,
    amountKopecks,
  }));
  if (laterKopecks > 0n) columns.push({ label: charts.later, value: charts.later, amountKopecks: laterKopecks });
  return buildChart(visit, {
    name: 'holds',
    title: charts.holds,
    note: charts.holdsNote,
    headline: format(totalKopecks),
    columnTitle: common.time,
    columns,
    kind: 'bars',
    series: [{ name: charts.released, tone: 1, values: columns.map(({ amountKopecks }) => amountKopecks), format }],
    empty: charts.noHolds,
  });
}
