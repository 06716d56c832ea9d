import { type Chart, COLORS, type Panel } from './chart.ts';
import { drawText, positionOf, round, ticksFor, widthOf } from './text.ts';

/** The width at which a phone shows the picture unscaled; all other sizes are chosen for it. */
export const CHART_WIDTH = 1080;
const MARGIN = 52;
const HEADER_HEIGHT = 168;
const FOOTER_HEIGHT = 92;
const GAP = 52;
const LABEL_SIZE = 27;
const LABEL_ROOM = 220;
const INK = '#17212b';
const FAINT_INK = '#707a86';

export const chartHeight = ({ panels }: Pick<Chart, 'panels'>): number =>
  HEADER_HEIGHT + panels.length * PANEL_HEIGHT + Math.max(0, panels.length - 1) * GAP + FOOTER_HEIGHT;

/** Returns the chart as an SVG document. It loads no other files, and every text is escaped. */
export function drawChart(chart: Chart): string {
  const axes = axesOf(chart);
  const height = chartHeight(chart);
  const room = CHART_WIDTH - 2 * MARGIN;
  const panels = chart.panels.map((panel, index) => {
    const axis = axes[index];
    if (axis === undefined) return '';
    return drawPanel(panel, axis, HEADER_HEIGHT + index * (PANEL_HEIGHT + GAP));
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CHART_WIDTH}" height="${height}" font-family="Inter">`,
    `<rect width="${CHART_WIDTH}" height="${height}" fill="#ffffff"/>`,
    drawText(chart.title, { x: MARGIN, y: 82, size: 46, color: INK, isBold: true, room }),
    drawText(chart.subtitle, { x: MARGIN, y: 128, size: 30, color: FAINT_INK, room }),
    ...panels,
    ...drawColumnLabels(chart, axes[0], height - FOOTER_HEIGHT + 60),
    '</svg>',
  ].join('\n');
}

/** All panels start at the same x, so that the days line up. The widest label decides. */
function axesOf({ panels, columns, language }: Chart): Axis[] {
  const locale = language === 'ru' ? 'ru-RU' : 'en-GB';
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 });
  // The typographic minus is as wide as a digit.
  const format = (value: number): string => compact.format(value).replace('-', '−');
  const drafts = panels.map((panel) => {
    const ticks = ticksFor(stackEnds(panel.series), panel);
    return { ticks, labels: ticks.map(format) };
  });
  const widest = Math.max(0, ...drafts.flatMap(({ labels }) => labels.map((label) => widthOf(label, LABEL_SIZE))));
  const left = MARGIN + widest + 18;
  const right = CHART_WIDTH - MARGIN;
  return drafts.map((draft) => ({
    ...draft,
    margin: MARGIN,
    left,
    right,
    columnWidth: (right - left) / Math.max(1, columns.length),
    columnCount: columns.length,
    labelSize: LABEL_SIZE,
    format,
  }));
}

/** Returns how far the bars of each column reach up and down. */
function stackEnds(series: Chart['panels'][number]['series']): number[] {
  const ends: number[] = [];
  const columns = Math.max(0, ...series.map(({ values }) => values.length));
  for (let column = 0; column < columns; column++) {
    const values = series.map((one) => one.values[column] ?? 0);
    ends.push(
      values.reduce((sum, value) => sum + Math.max(0, value), 0),
      values.reduce((sum, value) => sum + Math.min(0, value), 0),
    );
  }
  return ends;
}

/** Draws as many labels as fit. The last column, today, always has a label. */
function drawColumnLabels({ columns }: Chart, axis: Axis | undefined, y: number): string[] {
  if (axis === undefined) return [];
  const roomFor = (label: string): number => Math.min(LABEL_ROOM, widthOf(label, LABEL_SIZE));
  const widest = Math.max(1, ...columns.map(roomFor));
  const every = Math.max(1, Math.ceil((widest + 16) / axis.columnWidth));
  return columns.flatMap((label, index) => {
    if ((columns.length - 1 - index) % every !== 0) return [];
    const middle = axis.left + (index + 0.5) * axis.columnWidth;
    const half = roomFor(label) / 2;
    const x = round(Math.min(CHART_WIDTH - 12 - half, Math.max(12 + half, middle)));
    return drawText(label, { x, y, size: LABEL_SIZE, color: FAINT_INK, anchor: 'middle', room: LABEL_ROOM });
  });
}

interface Axis {
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  readonly margin: number;
  readonly left: number;
  readonly right: number;
  readonly columnWidth: number;
  readonly columnCount: number;
  readonly labelSize: number;
  /** Formats a figure with few characters. */
  format(value: number): string;
}

const PANEL_HEIGHT = 396;
const TITLE_SIZE = 32;
const HEADLINE_ROOM = 480;
const PLOT_TOP = 106;
/** With more columns there is no room for a figure at each bar. */
const MOST_WITH_FIGURES = 10;
const FIGURE_SIZE = 25;
const MOST_BAR_WIDTH = 160;

function drawPanel(panel: Panel, axis: Axis, top: number): string {
  const bottom = top + PANEL_HEIGHT;
  const plotTop = top + PLOT_TOP;
  const y = (value: number): number => positionOf(value, axis.ticks, bottom, plotTop);
  const isEmpty = panel.series.every(({ values }) => values.every((value) => value === 0));
  return [
    ...drawTitle(panel, axis, top + 30),
    ...drawGrid(axis, y, isEmpty),
    ...(isEmpty ? drawNothing(panel, axis, (plotTop + bottom) / 2) : drawBars(panel, axis, y)),
    `<line x1="${round(axis.left)}" x2="${axis.right}" y1="${round(y(0))}" y2="${round(y(0))}" stroke="#8d97a5" stroke-width="2"/>`,
  ].join('\n');
}

/** Draws the title, a legend when there are several series, and the headline at the right. */
function drawTitle({ title, headline = '', series }: Panel, { margin, right }: Axis, y: number): string[] {
  const room = right - margin - Math.min(HEADLINE_ROOM, widthOf(headline, TITLE_SIZE)) - 24;
  const drawn = [drawText(title, { x: margin, y, size: TITLE_SIZE, color: INK, isBold: true, room })];
  if (headline !== '') {
    drawn.push(
      drawText(headline, {
        x: right,
        y,
        size: TITLE_SIZE,
        color: INK,
        isBold: true,
        anchor: 'end',
        room: HEADLINE_ROOM,
      }),
    );
  }
  if (series.length < 2) return drawn;
  let x = margin;
  for (const { name, color } of series) {
    drawn.push(`<circle cx="${round(x + 9)}" cy="${y + 31}" r="9" fill="${COLORS[color]}"/>`);
    drawn.push(drawText(name, { x: x + 28, y: y + 40, size: 27, color: FAINT_INK, room: right - x - 28 }));
    x += 28 + widthOf(name, 27) + 28;
  }
  return drawn;
}

function drawGrid(axis: Axis, y: (value: number) => number, isEmpty: boolean): string[] {
  const { ticks, labels, left, right, labelSize } = axis;
  return ticks.flatMap((tick, index) => {
    if (isEmpty && tick !== 0) return [];
    const at = round(y(tick));
    const label = { x: left - 18, y: at + labelSize * 0.36, size: labelSize, color: FAINT_INK, anchor: 'end' as const };
    return [
      `<line x1="${round(left)}" x2="${right}" y1="${at}" y2="${at}" stroke="#e6eaef" stroke-width="2"/>`,
      drawText(labels[index] ?? '', label),
    ];
  });
}

const drawNothing = ({ whenEmpty }: Panel, { left, right }: Axis, y: number): string[] => [
  drawText(whenEmpty, { x: (left + right) / 2, y, size: 30, color: FAINT_INK, anchor: 'middle', room: right - left }),
];

function drawBars({ series }: Panel, axis: Axis, y: (value: number) => number): string[] {
  const { columnCount, columnWidth, left } = axis;
  const width = Math.min(MOST_BAR_WIDTH, columnWidth * (columnCount > MOST_WITH_FIGURES ? 0.7 : 0.56));
  const drawn: string[] = [];
  const figures: { text: string; x: number; y: number }[] = [];
  for (let column = 0; column < columnCount; column++) {
    const middle = left + (column + 0.5) * columnWidth;
    // The positions at which the next bar of this column starts, upwards and downwards.
    let [up, down] = [0, 0];
    for (const { color, values } of series) {
      const value = values[column] ?? 0;
      if (value === 0) continue;
      const from = value > 0 ? up : down;
      if (value > 0) up += value;
      else down += value;
      const bar = { x: middle - width / 2, width, from: y(from), to: y(from + value) };
      drawn.push(drawBar(bar, value < 0 ? COLORS.red : COLORS[color]));
    }
    if (up > 0) figures.push({ text: axis.format(up), x: middle, y: y(up) - 10 });
    if (down < 0) figures.push({ text: axis.format(down), x: middle, y: y(down) + 28 });
  }
  // Either every bar has its figure or none: a cut-off figure would be wrong, and a missing one looks like a mistake.
  const doFit = figures.every(({ text }) => widthOf(text, FIGURE_SIZE) <= columnWidth);
  if (columnCount > MOST_WITH_FIGURES || !doFit) return drawn;
  const style = { size: FIGURE_SIZE, color: INK, anchor: 'middle' } as const;
  return [...drawn, ...figures.map(({ text, ...place }) => drawText(text, { ...place, ...style }))];
}

/** A bar with a round end. A bar has a minimum height, so that small values stay visible. */
function drawBar(bar: { x: number; width: number; from: number; to: number }, color: string): string {
  const height = Math.max(3, Math.abs(bar.from - bar.to));
  const way = bar.to > bar.from ? 1 : -1;
  const tip = bar.from + way * height;
  const radius = Math.min(8, bar.width / 3, height);
  const [left, right, base] = [round(bar.x), round(bar.x + bar.width), round(bar.from)];
  const [end, shoulder] = [round(tip), round(tip - way * radius)];
  const path = `M${left} ${base} L${left} ${shoulder} Q${left} ${end} ${round(left + radius)} ${end} L${round(right - radius)} ${end} Q${right} ${end} ${right} ${shoulder} L${right} ${base} Z`;
  return `<path class="bar" d="${path}" fill="${color}"/>`;
}
