import { Html, html } from '../../../core/html.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { type CsvValue, toCsv } from './csv.ts';
import { badge, fileLink, type Tone } from './elements.ts';

type Content<Row> =
  | { readonly cell: (row: Row) => string; readonly value?: (row: Row) => CsvValue }
  /** A cell with markup needs a plain value for the file. */
  | { readonly cell: (row: Row) => Html; readonly value: (row: Row) => CsvValue };

export type Column<Row> = Content<Row> & {
  readonly title: string;
  /** Figures are aligned at the end of their column. */
  readonly isFigure?: boolean;
  /** Left out of the page, because every row has the same value or another column shows it. */
  readonly isInFileOnly?: boolean;
};

/** Builds the usual columns, formatted in the visitor's language. */
interface ColumnBuilder<Row> {
  text(title: string, of: (row: Row) => string): Column<Row>;
  link(title: string, of: (row: Row) => readonly [text: string, href: string]): Column<Row>;
  /** A number that identifies something, without separators. */
  id(title: string, of: (row: Row) => number): Column<Row>;
  count(title: string, of: (row: Row) => number): Column<Row>;
  rubles(title: string, kopecks: (row: Row) => bigint): Column<Row>;
  percent(title: string, of: (row: Row) => number): Column<Row>;
  time(title: string, of: (row: Row) => Date | null): Column<Row>;
  badge(title: string, of: (row: Row) => readonly [tone: Tone, text: string]): Column<Row>;
}

function columnBuilder<Row>({ formats }: Visit): ColumnBuilder<Row> {
  const figure = { isFigure: true } as const;
  return {
    text: (title, cell) => ({ title, cell }),
    link(title, of) {
      const cell = (row: Row): Html => {
        const [text, href] = of(row);
        return html`<a href="${href}">${text}</a>`;
      };
      return { title, cell, value: (row) => of(row)[0] };
    },
    id: (title, value) => ({ ...figure, title, cell: (row) => String(value(row)), value }),
    count: (title, value) => ({ ...figure, title, cell: (row) => formats.count(value(row)), value }),
    rubles: (title, value) => ({ ...figure, title, cell: (row) => formats.rubles(value(row)), value }),
    percent: (title, value) => ({ ...figure, title, cell: (row) => formats.percent(value(row)), value }),
    time(title, value) {
      const cell = (row: Row): Html => {
        const time = value(row);
        return time === null ? html`–` : html`<time>${formats.moment(time)}</time>`;
      };
      return { title, cell, value };
    },
    badge: (title, of) => ({ title, cell: (row) => badge(...of(row)), value: (row) => of(row)[1] }),
  };
}

export interface TableSpec<Row> {
  /** Part of the address and of the file name. */
  readonly name: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly columns: (build: ColumnBuilder<Row>) => readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty: Html | string;
  /** The position at which the next page of the list starts. */
  readonly next?: NextPage | undefined;
  /** The buttons of a row; files leave them out. */
  readonly actions?: (row: Row) => Html | undefined;
  /** Shown between the heading and the rows. */
  readonly lead?: Html;
}

/** Lists from new to old continue `before` a row, lists from old to new `after` it. */
export type NextPage = { readonly before: string | number } | { readonly after: number };

export const PAGE_ROWS = 25;
export const FILE_ROWS = 5_000;

/** Returns how many rows to read: one more than shown reveals whether another page follows. */
export const rowLimit = (visit: Visit, name: string): number => (visit.csv === name ? FILE_ROWS : PAGE_ROWS) + 1;

/** Splits rows read with `rowLimit`: `last` is the last row of the page when another page follows. */
export function pageOf<Row>(
  visit: Visit,
  name: string,
  found: readonly Row[],
): { readonly rows: readonly Row[]; readonly last: Row | undefined } {
  const rows = found.slice(0, rowLimit(visit, name) - 1);
  return { rows, last: found.length > rows.length ? rows.at(-1) : undefined };
}

export function buildTable<Row>(visit: Visit, spec: TableSpec<Row>): BuiltTable {
  const columns = spec.columns(columnBuilder(visit));
  return {
    name: spec.name,
    html: renderTable(visit, spec, columns),
    csv: () =>
      toCsv(
        columns.map(({ title }) => title),
        spec.rows.map((row) => columns.map((column) => fileValue(column, row))),
      ),
  };
}

function fileValue<Row>(column: Column<Row>, row: Row): CsvValue {
  if (column.value !== undefined) return column.value(row);
  const shown = column.cell(row);
  return shown instanceof Html ? '' : shown;
}

/** On a phone the rows become cards; the roles keep it a table for screen readers. */
function renderTable<Row>(visit: Visit, spec: TableSpec<Row>, columns: readonly Column<Row>[]): Html {
  const id = `table-${spec.name}`;
  const isEmpty = spec.rows.length === 0;
  return html`<section class="panel table-panel" aria-labelledby="${id}">
    <div class="panel-head"><h2 id="${id}">${spec.title}</h2>${!isEmpty && fileLink(visit, spec.name)}</div>
    ${spec.note !== undefined && html`<p class="note">${spec.note}</p>`}${spec.lead}
    ${isEmpty ? html`<div class="empty">${spec.empty}</div>` : renderRows(visit, spec, columns, id)}
    ${pager(visit, spec.next)}
  </section>`;
}

function renderRows<Row>(
  visit: Visit,
  { rows, actions }: TableSpec<Row>,
  all: readonly Column<Row>[],
  labelId: string,
): Html {
  const columns = all.filter(({ isInFileOnly = false }) => !isInFileOnly);
  const figureClass = ({ isFigure = false }: Column<Row>) => isFigure && html` class="figure"`;
  const heads = columns.map(
    (column) => html`<th role="columnheader" scope="col"${figureClass(column)}>${column.title}</th>`,
  );
  const cells = (row: Row): Html[] =>
    columns.map(
      (column) =>
        html`<td role="cell" data-label="${column.title}"${figureClass(column)}><span>${column.cell(row)}</span></td>`,
    );
  const actionsHead = html`<th role="columnheader" scope="col"><span class="unseen">${visit.texts.common.actionsOf}</span></th>`;
  return html`<table role="table" aria-labelledby="${labelId}">
    <thead role="rowgroup"><tr role="row">${heads}${actions && actionsHead}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cells(row)}${actions && html`<td role="cell" class="row-actions">${actions(row)}</td>`}</tr>`)}</tbody>
  </table>`;
}

/** Links to the next page of a list and back to its beginning; other parts of the query stay. */
function pager({ path, query, texts }: Visit, next: NextPage | undefined): Html | undefined {
  const isFirst = !query.has('before') && !query.has('after');
  if (next === undefined && isFirst) return undefined;
  const start = new URLSearchParams(query);
  for (const cursor of ['before', 'after']) start.delete(cursor);
  const on = new URLSearchParams(start);
  for (const [cursor, position] of Object.entries(next ?? {})) on.set(cursor, String(position));
  const isUpwards = query.has('after') || (next !== undefined && 'after' in next);
  const { pages, older, newest, later, toStart } = texts.common;
  const link = (target: URLSearchParams, label: string, rel?: Html) =>
    html`<a class="button" href="${target.size === 0 ? path : `${path}?${target}`}"${rel}>${label}</a>`;
  return html`<nav class="buttons" aria-label="${pages}">${!isFirst && link(start, isUpwards ? toStart : newest)}${next && link(on, isUpwards ? later : older, html` rel="next"`)}</nav>`;
}
