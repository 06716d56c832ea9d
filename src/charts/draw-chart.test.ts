import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Chart, COLORS, type Panel } from './chart.ts';
import { CHART_WIDTH, chartHeight, drawChart } from './draw-chart.ts';

interface Bar {
  readonly color: string;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly tip: number;
}

/** Returns the bars of a picture, read from their outlines. */
function barsOf(svg: string): Bar[] {
  return [...svg.matchAll(/<path class="bar" d="([^"]+)" fill="([^"]+)"/g)].map(([, path = '', color = '']) => {
    const numbers = (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
    const xs = numbers.filter((_, index) => index % 2 === 0);
    const ys = numbers.filter((_, index) => index % 2 === 1);
    const base = ys[0] ?? Number.NaN;
    const tip = ys.find((y) => Math.abs(y - base) === Math.max(...ys.map((one) => Math.abs(one - base))));
    return { color, left: Math.min(...xs), right: Math.max(...xs), base, tip: tip ?? Number.NaN };
  });
}

const heightOf = ({ base, tip }: Bar): number => base - tip;
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

function chart(values: readonly number[], change: Partial<Chart> & Partial<Panel> = {}): Chart {
  const { title = 'Title', subtitle = 'May', language = 'en', columns = values.map((_, i) => `${i + 1} May`) } = change;
  const series = change.series ?? [{ name: 'one', color: 'blue', values }];
  const panel = { title: 'Panel', isWhole: true, whenEmpty: 'Nothing', ...change, series };
  return { title, subtitle, language, columns, panels: change.panels ?? [panel] };
}

describe('a chart', () => {
  it('draws bars in proportion to their values, side by side, in order, inside the picture', () => {
    const values = [10, 20, 5, 40, 1];
    const bars = barsOf(drawChart(chart(values)));
    assert.equal(bars.length, values.length);
    const [first] = bars;
    assert.ok(first);
    for (const [index, bar] of bars.entries()) {
      const expected = (heightOf(first) * (values[index] ?? 0)) / 10;
      assert.ok(Math.abs(heightOf(bar) - expected) < 0.1, `bar ${index} is ${heightOf(bar)} and not ${expected} high`);
      assert.ok(bar.left > 0 && bar.right < CHART_WIDTH && bar.tip > 0);
      if (index > 0) assert.ok(bar.left > (bars[index - 1]?.right ?? 0));
    }
  });

  it('draws negative values downwards from the same line, in red, on the same scale', () => {
    const [up, down] = barsOf(drawChart(chart([30, -60], { isWhole: false })));
    assert.ok(up && down);
    assert.equal(up.base, down.base);
    assert.ok(up.tip < up.base && down.tip > down.base);
    assert.ok(Math.abs(heightOf(down) + 2 * heightOf(up)) < 0.1);
    assert.deepEqual([up.color, down.color], [COLORS.blue, COLORS.red]);
    assert.ok(textsOf(drawChart(chart([30, -60]))).includes('−60'));
  });

  it('stacks the series of a column and names them', () => {
    const series = [
      { name: 'counted', color: 'blue', values: [4, 0] },
      { name: 'more', color: 'green', values: [2, 3] },
    ] as const;
    const svg = drawChart(chart([0, 0], { series }));
    const [low, high, alone] = barsOf(svg);
    assert.ok(low && high && alone);
    assert.equal(low.tip, high.base);
    assert.equal(low.left, high.left);
    assert.equal(alone.base, low.base);
    assert.ok(textsOf(svg).includes('counted') && textsOf(svg).includes('more'));
  });

  it('draws no bar for zero, shows a text when all values are zero, and accepts one column or none', () => {
    assert.equal(barsOf(drawChart(chart([5, 0, 5]))).length, 2);
    const empty = drawChart(chart([0, 0, 0]));
    assert.equal(barsOf(empty).length, 0);
    assert.ok(textsOf(empty).includes('Nothing'));
    assert.equal(barsOf(drawChart(chart([7]))).length, 1);
    assert.equal(barsOf(drawChart(chart([]))).length, 0);
  });

  it('shortens huge numbers in the reader’s language and stays inside the picture', () => {
    const values = [123_456_789_012, 1, -99_999_999_999];
    const english = drawChart(chart(values));
    assert.ok(textsOf(english).includes('100bn') || textsOf(english).includes('100B'), textsOf(english).join());
    const russian = textsOf(drawChart(chart(values, { language: 'ru' }))).map((text) => text.replace(/\s/g, ' '));
    assert.ok(russian.includes('100 млрд'), russian.join());
    for (const bar of barsOf(english)) assert.ok(bar.left > 0 && bar.right <= CHART_WIDTH);
    const tiny = barsOf(english)[1];
    assert.ok(tiny && heightOf(tiny) >= 3, 'a small value stays visible beside large ones');
  });

  it('writes a figure at every bar, or at none when one does not fit', () => {
    const figures = (values: readonly number[]): string[] =>
      [...drawChart(chart(values)).matchAll(/font-size="25"[^>]*>([^<]*)</g)].map(([, figure = '']) => figure);
    assert.deepEqual(figures([1, 2, 3, -3, 0, 1, 2]), ['1', '2', '3', '−3', '1', '2']);
    const withLong = [1, 2, 3, -1.23e17, 0, 1, 2];
    assert.deepEqual(figures(withLong), []);
    assert.ok(!textsOf(drawChart(chart(withLong))).some((text) => text.includes('…')), 'nothing is cut off');
  });

  it('leaves out labels that do not fit, but never that of the last day', () => {
    const columns = Array.from({ length: 30 }, (_, i) => `day ${i + 1}`);
    const labels = textsOf(
      drawChart(
        chart(
          columns.map((_, i) => i),
          { columns },
        ),
      ),
    ).filter((text) => /^day/.test(text));
    assert.ok(labels.length >= 5 && labels.length < 15, labels.join());
    assert.equal(labels.at(-1), 'day 30');
  });

  it('escapes every text, removes characters that cannot be drawn and shortens long texts', () => {
    const evil = `</text><script>alert("1")</script>&\u0000\u0008\ud800 👾👨‍👩‍👧 ${'я'.repeat(500)}`;
    const svg = drawChart(
      chart([1], {
        title: evil,
        subtitle: evil,
        columns: [evil],
        headline: evil,
        whenEmpty: evil,
        series: [
          { name: evil, color: 'blue', values: [1] },
          { name: evil, color: 'red', values: [0] },
        ],
      }),
    );
    assert.doesNotMatch(svg, /<script|"1"|&(?!#)|\p{Cc}(?<!\n)|\p{Extended_Pictographic}(?<![\d#*©®])/u);
    assert.ok(svg.isWellFormed());
    for (const text of textsOf(svg)) assert.ok(text.length < 400, text);
  });

  it('is as high as its panels need', () => {
    const { panels, ...rest } = chart([1]);
    const double = { ...rest, panels: [...panels, ...panels] };
    assert.ok(chartHeight(double) > chartHeight({ panels }) + 300);
    assert.ok(drawChart(double).includes(`height="${chartHeight(double)}"`));
    assert.equal(barsOf(drawChart(double)).length, 2);
  });
});
