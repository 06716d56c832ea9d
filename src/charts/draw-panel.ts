import { COLORS, type Panel } from './chart.ts';
import { positionOf } from './scale.ts';
import { drawText, round, widthOf } from './text.ts';

export interface Axis {
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

export const PANEL_HEIGHT = 396;
const TITLE_SIZE = 32;
const HEADLINE_ROOM = 480;
const PLOT_TOP = 106;
/** With more columns there is no room for a figure at each bar. */
const MOST_WITH_FIGURES = 10;
const FIGURE_SIZE = 25;
const MOST_BAR_WIDTH = 160;
const INK = '#17212b';
const FAINT_INK = '#707a86';

export function drawPanel(panel: Panel, axis: Axis, top: number): string {
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
