import { businessDay, DAY_MS } from '../../../core/clock.ts';
import { html } from '../../../core/html.ts';
import { type ClickReport, type ClicksOf, reportClicks } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildChart } from '../parts/chart.ts';
import { copyable, facts, readPeriod, stepLink } from '../parts/elements.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { linkForm } from './link-form.ts';
import { LINKS, linkCrumbs, nameOf, pathOf, requireLink } from './link-path.ts';

export function linkPage(router: ConsoleRouter, { db, clock, publicUrl }: ConsoleDeps): void {
  router.page(`${LINKS}/:id`, async (visit) => {
    const link = await requireLink(db, visit);
    const words = visit.texts.links;
    const deviceNames: Readonly<Record<string, string>> = visit.shared.filters.values;
    const { days: count, choices } = readPeriod(visit);
    const days = lastDays(count, clock.now());
    const report = await reportClicks(db, { linkId: link.id, from: days[0] ?? '', to: days.at(-1) ?? '' });
    const figures = [
      clicksChart(visit, report, days),
      shareTable(visit, 'countries', words.byCountry, report.country, (code) => countryName(visit, code)),
      shareTable(visit, 'devices', words.byDevice, report.device_type, (type) => deviceNames[type] ?? type),
      shareTable(visit, 'systems', words.byOs, report.os, (os) => os),
    ];
    return {
      title: nameOf(link),
      crumbs: linkCrumbs(visit),
      aside: choices,
      body: html`<section class="panel">${facts(
        [words.short, copyable(visit, `${publicUrl()}/l/${link.code}`, words.short)],
        [words.target, link.url],
        [words.since, visit.formats.moment(link.createdAt)],
      )}</section>
        <div class="charts">${figures.map((figure) => figure.html)}</div>
        ${linkForm(visit, link)}
        <section class="panel"><h2>${words.removeTitle}</h2><p class="note">${words.removeText}</p><p>${stepLink(`${pathOf(link)}/delete`, words.remove, 'danger')}</p></section>`,
      tables: figures,
    };
  });
}

/** Returns the business days up to today, oldest first. */
function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    businessDay(new Date(now.getTime() - (count - 1 - index) * DAY_MS)),
  );
}

function clicksChart(visit: Visit, report: ClickReport, days: readonly string[]): BuiltTable {
  const { texts, formats } = visit;
  const clicksOn = new Map(report.day.map(({ value, clicks }) => [value, clicks]));
  const values = days.map((day) => clicksOn.get(day) ?? 0);
  return buildChart(visit, {
    name: 'clicks',
    title: texts.links.byDay,
    note: texts.links.byDayNote,
    headline: formats.count(values.reduce((sum, value) => sum + value, 0)),
    columnTitle: texts.common.day,
    columns: days.map((day) => ({ label: formats.day(day), value: day })),
    kind: 'bars',
    isWhole: true,
    series: [{ name: texts.links.clicks, tone: 1, values, format: (value) => formats.count(value) }],
    empty: texts.charts.empty,
  });
}

function shareTable(
  visit: Visit,
  name: string,
  title: string,
  rows: readonly ClicksOf[],
  wordFor: (value: string) => string,
): BuiltTable {
  const { common, charts, links } = visit.texts;
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  return buildTable(visit, {
    name,
    title,
    rows,
    empty: charts.empty,
    columns: ({ text, count, percent }) => [
      text(title, ({ value }) => (value === undefined ? common.unknown : wordFor(value))),
      count(links.clicks, ({ clicks }) => clicks),
      percent(links.share, ({ clicks }) => (total === 0 ? 0 : Math.round((clicks / total) * 1_000) / 10)),
    ],
  });
}

function countryName({ language }: Visit, code: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
