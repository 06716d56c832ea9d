import { businessDay, DAY_MS } from '../../../core/clock.ts';
import { html } from '../../../core/html.ts';
import { type ClickReport, type ClicksOf, reportClicks } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildChart } from '../parts/chart.ts';
import { copyable, DAY_CHOICES, dayChoices, facts } from '../parts/pieces.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, choiceIn, type Page, type Visit } from '../visit.ts';
import { linkForm } from './link-form.ts';
import { LINKS, linkCrumbs, linkIn, nameOf, pathOf } from './link-path.ts';

export function linkPage(router: ConsoleRouter, { db, clock, publicUrl }: ConsoleDeps): void {
  router.page(`${LINKS}/:id`, async (visit): Promise<Page> => {
    const link = await linkIn({ db }, visit);
    const words = visit.texts.links;
    const chosen = choiceIn(visit.query, 'days', DAY_CHOICES);
    const days = lastDays(Number(chosen), clock.now());
    const report = await reportClicks(db, { linkId: link.id, from: days[0] ?? '', to: days.at(-1) ?? '' });
    const chart = clicksChart(visit, report, days);
    const parts = [
      shareTable(visit, 'countries', words.byCountry, report.country, (code) => countryName(visit, code)),
      shareTable(
        visit,
        'devices',
        words.byDevice,
        report.device_type,
        (type) => visit.texts.filters.values[type] ?? type,
      ),
      shareTable(visit, 'systems', words.byOs, report.os, (os) => os),
    ];
    return {
      title: nameOf(link),
      section: LINKS,
      crumbs: linkCrumbs(visit),
      aside: dayChoices(visit, chosen),
      body: html`<section class="panel">${facts(
        [words.short, copyable(visit, `${publicUrl()}/l/${link.code}`, words.short)],
        [words.target, link.url],
        [words.since, visit.formats.moment(link.createdAt)],
      )}</section>
        <div class="charts">${chart.html}${parts.map((part) => part.html)}</div>
        ${linkForm(visit, link)}
        <section class="panel"><h2>${words.removeTitle}</h2><p class="note">${words.removeText}</p><p><a class="button danger-link" href="${`${pathOf(link)}/delete`}">${words.remove}…</a></p></section>`,
      tables: [chart, ...parts],
    };
  });
}

/** The business days up to today, oldest first. */
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
  word: (value: string) => string,
): BuiltTable {
  const { texts, formats } = visit;
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  const share = ({ clicks }: ClicksOf): number => (total === 0 ? 0 : Math.round((clicks / total) * 1_000) / 10);
  return buildTable(visit, {
    name,
    title,
    rows,
    empty: texts.charts.empty,
    columns: [
      { title, cell: ({ value }) => (value === undefined ? texts.common.unknown : word(value)) },
      {
        title: texts.links.clicks,
        cell: ({ clicks }) => formats.count(clicks),
        value: ({ clicks }) => clicks,
        isFigure: true,
      },
      { title: texts.links.share, cell: (row) => formats.percent(share(row)), value: share, isFigure: true },
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
