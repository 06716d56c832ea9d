import { Html, html } from '../../../core/html.ts';
import type { BuiltTable, Visit } from '../visit.ts';

import { type CsvValue, toCsv } from './csv.ts';
import { NOTHING } from './pieces.ts';

type Look<Row> =
  | { readonly cell: (row: Row) => string; readonly value?: (row: Row) => CsvValue }
  /** What is more than text on the page has to say what it is in a file. */
  | { readonly cell: (row: Row) => Html; readonly value: (row: Row) => CsvValue };

export type Column<Row> = Look<Row> & {
  readonly title: string;
  /** Figures stand at the end of their column, below each other. */
  readonly isFigure?: boolean;
  /** Not on the page, where another column says it. */
  readonly isInFileOnly?: boolean;
};

export interface TableSpec<Row> {
  /** In the address and in the name of the file. */
  readonly name: string;
  readonly title: string;
  /** Says what the figures mean, where the heads of the columns do not. */
  readonly note?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Said instead of a table without rows: what would be here, and how it gets here. */
  readonly empty: Html | string;
  /** Where the list goes on: a query of this page. */
  readonly next?: string | undefined;
  /** The buttons of a row; they are not part of a file. */
  readonly actions?: (row: Row) => Html;
  /** Below the heading, above the rows. */
  readonly lead?: Html;
}

/** How many rows a page of a list has, and a file at most. */
export const PAGE_ROWS = 25;
export const FILE_ROWS = 5_000;

/** How many rows to ask a store for: one more than is shown tells whether there are more. */
export const rowsWanted = (visit: Visit, name: string): number => (visit.csv === name ? FILE_ROWS : PAGE_ROWS) + 1;

export const rowsShown = <Row>(visit: Visit, name: string, found: readonly Row[]): readonly Row[] =>
  found.slice(0, rowsWanted(visit, name) - 1);

export function buildTable<Row>(visit: Visit, spec: TableSpec<Row>): BuiltTable {
  return {
    name: spec.name,
    html: draw(visit, spec),
    csv: () =>
      toCsv(
        spec.columns.map(({ title }) => title),
        spec.rows.map((row) => spec.columns.map((column) => fileValue(column, row))),
      ),
  };
}

function fileValue<Row>(column: Column<Row>, row: Row): CsvValue {
  if (column.value !== undefined) return column.value(row);
  const shown = column.cell(row);
  return shown instanceof Html ? '' : shown;
}

/** On a phone the rows become cards; the roles keep it a table for those who listen. */
function draw<Row>(visit: Visit, spec: TableSpec<Row>): Html {
  const id = `table-${spec.name}`;
  return html`<section class="panel table-panel" aria-labelledby="${id}">
    <div class="panel-head"><h2 id="${id}">${spec.title}</h2>${spec.rows.length === 0 ? NOTHING : fileLink(visit, spec.name)}</div>
    ${spec.note === undefined ? NOTHING : html`<p class="note">${spec.note}</p>`}${spec.lead ?? NOTHING}
    ${spec.rows.length === 0 ? html`<div class="empty">${spec.empty}</div>` : drawRows(visit, spec, id)}
    ${pagesLinks(visit, spec.next)}
  </section>`;
}

function drawRows<Row>(visit: Visit, { columns: all, rows, actions }: TableSpec<Row>, labelId: string): Html {
  const columns = all.filter(({ isInFileOnly = false }) => !isInFileOnly);
  const heads = columns.map(
    ({ title, isFigure }) => html`<th role="columnheader" scope="col"${figureClass(isFigure)}>${title}</th>`,
  );
  const { actionsOf } = visit.texts.common;
  return html`<table role="table" aria-labelledby="${labelId}">
    <thead role="rowgroup"><tr role="row">${heads}${actions === undefined ? NOTHING : html`<th role="columnheader" scope="col"><span class="unseen">${actionsOf}</span></th>`}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => drawRow(row, columns, actions))}</tbody>
  </table>`;
}

function drawRow<Row>(row: Row, columns: readonly Column<Row>[], actions: TableSpec<Row>['actions']): Html {
  const cells = columns.map(
    (column) =>
      html`<td role="cell" data-label="${column.title}"${figureClass(column.isFigure)}><span>${column.cell(row)}</span></td>`,
  );
  return html`<tr role="row">${cells}${actions === undefined ? NOTHING : html`<td role="cell" class="row-actions">${actions(row)}</td>`}</tr>`;
}

const figureClass = (isFigure: boolean | undefined): Html => (isFigure === true ? html` class="figure"` : NOTHING);

function fileLink(visit: Visit, name: string): Html {
  const query = new URLSearchParams(visit.query);
  query.set('format', 'csv');
  query.set('table', name);
  for (const cursor of ['before', 'after']) query.delete(cursor);
  return html`<a class="quiet-button" href="${`${visit.path}?${query}`}" download>${visit.texts.common.csv}</a>`;
}

/** Lists go on by a place in them, so there is a way on and a way back to the beginning. */
function pagesLinks(visit: Visit, next: string | undefined): Html {
  const { pages, older, newest } = visit.texts.common;
  const isFirst = !visit.query.has('before');
  if (next === undefined && isFirst) return NOTHING;
  const start = isFirst ? NOTHING : html`<a class="button" href="${visit.path}">${newest}</a>`;
  const on =
    next === undefined ? NOTHING : html`<a class="button" href="${`${visit.path}?${next}`}" rel="next">${older}</a>`;
  return html`<nav class="buttons" aria-label="${pages}">${start}${on}</nav>`;
}
