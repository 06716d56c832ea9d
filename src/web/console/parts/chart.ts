import { positionOf, ticksFor } from '../../../charts/text.ts';
import { type Html, html } from '../../../core/html.ts';
import type { Language } from '../../../core/locale.ts';
import { toRubles } from '../../../core/money.ts';
import type { BuiltTable, Visit } from '../visit.ts';
import { type CsvValue, toCsv } from './csv.ts';
import { fileLink } from './elements.ts';

interface Series {
  readonly name: string;
  /** One of the three colours of a chart. */
  readonly tone: 1 | 2 | 3;
  /** One value per column. A `bigint` is kopecks; null means that there is no figure. */
  readonly values: readonly (number | bigint | null)[];
  readonly format: (value: number | bigint) => string;
}

export interface ChartSpec {
  readonly name: string;
  readonly title: string;
  /** Explains the figures. */
  readonly note: string;
  readonly headline?: string;
  /** Names the columns: days, hours. */
  readonly columnTitle: string;
  /** `href` leads to the details of a column. */
  readonly columns: readonly { readonly label: string; readonly value: CsvValue; readonly href?: string }[];
  /** The total of the period before. Compares the headline with it. */
  readonly before?: { readonly text: string; readonly changePercent: number | null } | undefined;
  readonly isPercent?: boolean;
  /** Bars are stacked: positive values upwards, negative values downwards. */
  readonly kind: 'bars' | 'line';
  readonly isWhole?: boolean;
  readonly series: readonly Series[];
  readonly empty: string;
  /** Links to other views of the same figures. */
  readonly choices?: Html;
}

/** Units of the drawing; the style sheet stretches it to the available size. */
const COLUMN = 10;
const HEIGHT = 100;
const BAR = 7;

/** A chart as SVG, with its figures as a table below and as a file. The axes are HTML text, so they do not shrink. */
export function buildChart(visit: Visit, spec: ChartSpec): BuiltTable {
  return {
    name: spec.name,
    html: drawFigure(visit, spec),
    csv: () =>
      toCsv(
        [spec.columnTitle, ...spec.series.map(({ name }) => name)],
        spec.columns.map(({ value }, index) => [value, ...spec.series.map(({ values }) => values[index] ?? null)]),
      ),
  };
}

function drawFigure(visit: Visit, spec: ChartSpec): Html {
  const id = `chart-${spec.name}`;
  const isEmpty = spec.series.every(({ values }) => values.every((value) => value === null || Number(value) === 0));
  const legend = spec.series.map(({ name, tone }) => html`<li class="s${tone}">${name}</li>`);
  return html`<figure class="panel chart" id="${id}">
    <figcaption><div class="panel-head"><h2 id="${id}-title">${spec.title}</h2>${spec.headline !== undefined && html`<strong class="headline">${spec.headline}</strong>`}</div>
    ${spec.before && drawChange(visit, spec.before)}<p class="note" id="${id}-note">${spec.note}</p>${spec.series.length > 1 && html`<ul class="legend">${legend}</ul>`}${spec.choices}</figcaption>
    ${isEmpty ? html`<p class="empty">${spec.empty}</p>` : html`${drawPlot(visit.language, spec, id)}${drawFigures(visit, spec)}`}
  </figure>`;
}

function drawPlot(language: Language, spec: ChartSpec, id: string): Html {
  const ticks = ticksFor(endsOf(spec), { isWhole: spec.isWhole ?? false });
  const format = axisFormat(language, spec);
  const width = spec.columns.length * COLUMN;
  const y = (value: number): number => round(positionOf(value, ticks, HEIGHT, 0));
  const grid = ticks.map(
    (tick) =>
      html`<line class="grid${tick === 0 ? ' zero' : ''}" x1="0" x2="${width}" y1="${y(tick)}" y2="${y(tick)}"/>`,
  );
  const labels = [...ticks].reverse().map((tick) => html`<span>${format(tick)}</span>`);
  return html`<div class="plot" role="group" aria-labelledby="${id}-title">
    <div class="y-axis" aria-hidden="true">${labels}</div>
    <svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-note">${grid}${spec.kind === 'bars' ? drawBars(spec, y) : drawLines(spec, y)}${drawColumns(spec)}</svg>
    <div class="x-axis" aria-hidden="true">${endsAndMiddle(spec).map((label) => html`<span>${label}</span>`)}</div>
  </div>`;
}

/** Labels of the axis carry their unit: `1,5 тыс. ₽`, `₽1.5K`, `50%`. */
function axisFormat(language: Language, { series, isPercent = false }: ChartSpec): (tick: number) => string {
  const isMoney = series.some(({ values }) => values.some((value) => typeof value === 'bigint'));
  const format = new Intl.NumberFormat(language === 'ru' ? 'ru-RU' : 'en-GB', {
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
    ...(isMoney && { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' }),
    ...(isPercent && { style: 'percent' }),
  });
  return (tick) => format.format(isPercent ? tick / 100 : tick).replace('-', '−');
}

/** Compares the headline with the period before: `▲ 12% · ₽100.00 in the period before`. */
function drawChange({ formats, texts }: Visit, { text, changePercent }: NonNullable<ChartSpec['before']>): Html {
  const sign = changePercent === null || changePercent === 0 ? '' : changePercent > 0 ? '▲ ' : '▼ ';
  const change =
    changePercent !== null &&
    html`<span class="change ${changePercent < 0 ? 'down' : 'up'}">${sign}${formats.percent(Math.abs(changePercent))}</span> `;
  return html`<p class="compare">${change}${texts.charts.before(text)}</p>`;
}

/** Returns the change in percent; null when there is nothing to compare with. */
export const changePercent = (now: number | bigint, before: number | bigint): number | null =>
  Number(before) <= 0 ? null : Math.round((Number(now) / Number(before) - 1) * 1_000) / 10;

function formatValue({ values, format }: Series, column: number): string {
  const value = values[column] ?? null;
  return value === null ? '–' : format(value);
}

const numberOf = (value: number | bigint | null | undefined): number =>
  typeof value === 'bigint' ? toRubles(value) : (value ?? 0);

function endsOf({ kind, series, columns }: ChartSpec): number[] {
  if (kind === 'line') return series.flatMap(({ values }) => values.map(numberOf));
  return columns.flatMap((_, column) => {
    const values = series.map((one) => numberOf(one.values[column]));
    return [
      values.reduce((sum, value) => sum + Math.max(0, value), 0),
      values.reduce((sum, value) => sum + Math.min(0, value), 0),
    ];
  });
}

function drawBars({ columns, series }: ChartSpec, y: (value: number) => number): Html[] {
  return columns.flatMap((_, column) => {
    let [up, down] = [0, 0];
    return series.flatMap(({ tone, values }) => {
      const value = numberOf(values[column]);
      if (value === 0) return [];
      const from = value > 0 ? up : down;
      if (value > 0) up += value;
      else down += value;
      const [top, bottom] = [Math.min(y(from), y(from + value)), Math.max(y(from), y(from + value))];
      const x = round(column * COLUMN + (COLUMN - BAR) / 2);
      return html`<rect class="bar s${tone}" x="${x}" y="${top}" width="${BAR}" height="${round(bottom - top)}"/>`;
    });
  });
}

/** A column without a figure interrupts the line. Every point is also a dot, so that a single point stays visible. */
function drawLines({ series }: ChartSpec, y: (value: number) => number): Html[] {
  return series.flatMap(({ tone, values }) => {
    const points = values.map((value, column) =>
      value === null ? undefined : `${round((column + 0.5) * COLUMN)} ${y(numberOf(value))}`,
    );
    const line = points
      .map((point, index) => (point === undefined ? '' : `${points[index - 1] === undefined ? 'M' : 'L'}${point}`))
      .join('');
    const dots = points.map((point) => (point === undefined ? '' : `M${point}h0`)).join('');
    return [html`<path class="line s${tone}" d="${line}"/>`, html`<path class="dots s${tone}" d="${dots}"/>`];
  });
}

/** Invisible rectangles that show the figures of their column as a tooltip. */
function drawColumns({ columns, series }: ChartSpec): Html[] {
  return columns.map(({ label, href }, column) => {
    const figures = series.map((one) => `${one.name}: ${formatValue(one, column)}`);
    const target = href !== undefined && html` data-href="${href}"`;
    return html`<rect class="column"${target} x="${column * COLUMN}" y="0" width="${COLUMN}" height="${HEIGHT}"><title>${`${label}\n${figures.join('\n')}`}</title></rect>`;
  });
}

function endsAndMiddle({ columns }: ChartSpec): string[] {
  const last = columns.length - 1;
  const places = columns.length < 3 ? [0, last] : [0, Math.round(last / 2), last];
  return [...new Set(places)].map((place) => columns[place]?.label ?? '');
}

function drawFigures(visit: Visit, { name, title, columnTitle, columns, series }: ChartSpec): Html {
  const heads = series.map((one) => html`<th scope="col" class="figure">${one.name}</th>`);
  const rows = columns.map(({ label, href }, column) => {
    const cells = series.map((one) => html`<td class="figure">${formatValue(one, column)}</td>`);
    return html`<tr><th scope="row">${href === undefined ? label : html`<a href="${href}">${label}</a>`}</th>${cells}</tr>`;
  });
  return html`<details class="figures"><summary>${visit.texts.common.figures}</summary>
    <table><caption class="unseen">${title}</caption><thead><tr><th scope="col">${columnTitle}</th>${heads}</tr></thead><tbody>${[...rows].reverse()}</tbody></table>
    ${fileLink(visit, name)}
  </details>`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
