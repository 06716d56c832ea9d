import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../texts/index.ts';
import type { Visit } from '../visit.ts';
import { buildChart, type ChartSpec } from './chart.ts';

const visit = { language: 'en', texts: TEXTS.en, path: '/console', query: new URLSearchParams('days=7') } as Visit;

const SPEC: ChartSpec = {
  name: 'money',
  title: 'Money <b>',
  note: 'What it is',
  columnTitle: 'Day',
  columns: ['1 May', '2 May', '3 May', '4 May'].map((label, index) => ({ label, value: `2026-05-0${index + 1}` })),
  kind: 'bars',
  empty: 'Nothing at all',
  series: [
    { name: 'In', tone: 1, values: [100_00n, 0n, 50_00n, 25_50n], format: String },
    { name: 'Out', tone: 2, values: [0n, 0n, -50_00n, 0n], format: String },
  ],
};

interface Bar {
  tone: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const barsOf = (source: string): Bar[] =>
  [...source.matchAll(/<rect class="bar s(\d)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"\/>/g)].map(
    ([, tone = '', x, y, width, height]) => ({
      tone,
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }),
  );

test('bars are proportional to their values, start at one zero line and stand in their columns', () => {
  const { source } = buildChart(visit, SPEC).html;
  // The axis goes from −50 to 100 in steps of 50: 150 rubles are 100 units, and zero is at 66.67.
  assert.deepEqual(barsOf(source), [
    { tone: '1', x: 1.5, y: 0, width: 7, height: 66.67 },
    { tone: '1', x: 21.5, y: 33.33, width: 7, height: 33.34 },
    { tone: '2', x: 21.5, y: 66.67, width: 7, height: 33.33 },
    { tone: '1', x: 31.5, y: 49.67, width: 7, height: 17 },
  ]);
  assert.match(source, /<line class="grid zero" x1="0" x2="40" y1="66\.67" y2="66\.67"\/>/);
  assert.deepEqual([...source.matchAll(/<span>([^<]+)<\/span>/g)].map((match) => match[1]).slice(0, 4), [
    '₽100',
    '₽50',
    '₽0',
    '−₽50',
  ]);
});

test('a line is interrupted where there is no figure, and every point is a dot', () => {
  const line: ChartSpec = {
    ...SPEC,
    kind: 'line',
    series: [{ name: 'Percent', tone: 1, values: [50, 100, null, 0], format: String }],
  };
  const { source } = buildChart(visit, line).html;
  assert.match(source, /<path class="line s1" d="M5 50L15 0M35 100"\/>/);
  assert.match(source, /<path class="dots s1" d="M5 50h0M15 0h0M35 100h0"\/>/);
});

test('the figures are also a table and a file, and texts are escaped', () => {
  const chart = buildChart(visit, SPEC);
  assert.match(chart.html.source, /Money &#60;b&#62;/);
  assert.match(
    chart.html.source,
    /<th scope="row">3 May<\/th><td class="figure">5000<\/td><td class="figure">-5000<\/td>/,
  );
  assert.match(chart.html.source, /href="\/console\?days=7&#38;format=csv&#38;table=money" download/);
  assert.equal(chart.csv().split('\r\n')[3], '2026-05-03,50.00,-50.00');
});

test('a chart without figures shows a text instead of an empty grid', () => {
  const nothing: ChartSpec = { ...SPEC, series: SPEC.series.map((one) => ({ ...one, values: [0n, 0n, 0n, 0n] })) };
  const { source } = buildChart(visit, nothing).html;
  assert.match(source, /Nothing at all/);
  assert.doesNotMatch(source, /<svg/);
});
