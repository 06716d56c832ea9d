import { lastBusinessDays } from '../../../core/clock.ts';
import { type Html, html } from '../../../core/html.ts';
import { countryName } from '../../../core/place-names.ts';
import {
  type ClickReport,
  type ClicksOf,
  changeLink,
  createLink,
  deleteLink,
  type Link,
  listLinks,
  reportClicks,
  totalClicks,
} from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { buildChart } from '../parts/chart.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { copyable, facts, readPeriod, stepLink } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, done, type Page, readCursor, readId, type Visit } from '../visit.ts';
import { inputOf, linkForm, readDraft } from './link-form.ts';
import { LINKS, linkCrumbs, linkNotFound, nameOf, pathOf, requireLink } from './link-path.ts';

/** The pages of smart links. */
export function linkPages(router: ConsoleRouter, deps: ConsoleDeps): void {
  for (const addPages of [linkList, linkPage, linkActions]) addPages(router, deps);
}

interface Draft {
  readonly url: string;
  readonly name: string;
  readonly error?: string;
}

function linkList(router: ConsoleRouter, { db, clock, publicUrl }: ConsoleDeps): void {
  async function show(visit: Visit, draft: Draft): Promise<Page> {
    const { accountId } = visit.owner;
    const { links: words, common, menu } = visit.texts;
    const beforeId = readCursor(visit.query);
    const found = await listLinks(db, { accountId, beforeId, limit: rowLimit(visit, 'links') });
    const { rows, last } = pageOf(visit, 'links', found);
    const ids = rows.map(({ id }) => id);
    const clicksOf = await totalClicks(db, ids);
    const addressOf = ({ code }: Link): string => `${publicUrl()}/l/${code}`;
    const table = buildTable(visit, {
      name: 'links',
      title: words.listTitle,
      note: words.listNote,
      rows,
      next: last && { before: last.id },
      empty: words.empty,
      columns: ({ link, text, count, time }) => [
        link(common.name, (row) => [nameOf(row), pathOf(row)]),
        { title: words.short, cell: (row) => copyable(visit, addressOf(row), words.short), value: addressOf },
        text(words.target, ({ url }) => url),
        count(words.rules, ({ rules }) => rules.length),
        count(words.clicks, ({ id }) => clicksOf.get(id) ?? 0),
        time(words.since, ({ createdAt }) => createdAt),
      ],
    });
    return { title: menu.links, body: html`${table.html}${newPanel(visit, draft)}`, tables: [table] };
  }

  router.page(LINKS, (visit) => show(visit, { url: '', name: '' }));

  router.action(
    LINKS,
    async (visit, sent) => {
      const [url, name] = [sent.get('url')?.trim() ?? '', sent.get('name')?.trim() ?? ''];
      const link = { accountId: visit.owner.accountId, url, name, at: clock.now() };
      const outcome = await db.transaction((tx) => createLink(tx, link));
      if (outcome.kind === 'saved') return done(pathOf(outcome.link), visit.texts.links.created);
      return { ...(await show(visit, { url, name, error: visit.texts.links.wrongUrl })), status: 422 };
    },
    { back: () => LINKS },
  );
}

function newPanel(visit: Visit, { url, name, error }: Draft): Html {
  const words = visit.texts.links;
  const fields = html`${textField({
    name: 'url',
    label: words.target,
    hint: words.targetHint,
    value: url,
    maxLength: 2_048,
    isRequired: true,
    error,
  })}${textField({ name: 'name', label: words.name, hint: words.nameHint, value: name, maxLength: 200 })}`;
  return html`<section class="panel"><h2>${words.newTitle}</h2><p class="note">${words.newNote}</p>${form(visit, { action: LINKS, fields, submit: words.create })}</section>`;
}

function linkPage(router: ConsoleRouter, { db, clock, publicUrl }: ConsoleDeps): void {
  router.page(`${LINKS}/:id`, async (visit) => {
    const link = await requireLink(db, visit);
    const words = visit.texts.links;
    const deviceNames: Readonly<Record<string, string>> = visit.shared.filters.values;
    const { days: count, choices } = readPeriod(visit);
    const days = lastBusinessDays(count, clock.now());
    const report = await reportClicks(db, { linkId: link.id, from: days[0] ?? '', to: days.at(-1) ?? '' });
    const figures = [
      clicksChart(visit, report, days),
      shareTable(visit, 'countries', words.byCountry, report.country, (code) => countryName(code, visit.language)),
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

function linkActions(router: ConsoleRouter, { db, clock }: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });

  const saveLink = async (visit: Visit, sent: URLSearchParams) => {
    const draft = readDraft(sent);
    const change = { linkId: readId(visit), accountId: visit.owner.accountId, ...inputOf(draft) };
    const outcome = await db.transaction((tx) => changeLink(tx, change));
    if (outcome.kind === 'not_found') throw linkNotFound();
    if (outcome.kind === 'invalid') {
      const link = await requireLink(db, visit);
      return {
        title: nameOf(link),
        crumbs: linkCrumbs(visit),
        status: 422,
        body: html`<p class="flash bad" role="alert">${visit.texts.links.checkFields}</p>${linkForm(visit, link, draft, outcome.errors)}`,
      };
    }
    return done(back(visit), visit.texts.common.saved);
  };
  router.action(`${LINKS}/:id`, saveLink, { back });

  confirmedAction(router, `${LINKS}/:id/delete`, {
    back,
    async ask(visit) {
      const { removeAsk: title, removeText: text, remove: submit } = visit.texts.links;
      return { title, text, submit, crumbs: linkCrumbs(visit, await requireLink(db, visit)) };
    },
    async act(visit) {
      const link = { linkId: readId(visit), accountId: visit.owner.accountId, at: clock.now() };
      if (!(await db.transaction((tx) => deleteLink(tx, link)))) throw linkNotFound();
      return done(LINKS, visit.texts.links.removed);
    },
  });
}
