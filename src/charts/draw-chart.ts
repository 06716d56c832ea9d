import type { Chart } from './chart.ts';
import { type Axis, drawPanel, PANEL_HEIGHT } from './draw-panel.ts';
import { ticksFor } from './scale.ts';
import { drawText, round, widthOf } from './text.ts';

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
