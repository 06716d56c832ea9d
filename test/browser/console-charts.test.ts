import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { readCsv } from '../console/visitor.ts';
import { useConsole } from './console-service.ts';

const world = useConsole();

interface Box {
  readonly tone: string;
  readonly column: number;
  /** Relative to the height of the drawing. */
  readonly top: number;
  readonly height: number;
}

/** Returns the bars on the screen; columns are counted back from today. */
async function barsOf(page: Page, chart: string): Promise<Box[]> {
  const svg = page.locator(`#chart-${chart} svg`);
  const frame = await boxOf(svg);
  const columns = await svg.locator('.column').count();
  const bars: Box[] = [];
  for (const bar of await svg.locator('.bar').all()) {
    const box = await boxOf(bar);
    const middle = box.x + box.width / 2 - frame.x;
    bars.push({
      tone: (await bar.getAttribute('class'))?.replace('bar ', '') ?? '',
      column: Math.floor((middle / frame.width) * columns) - columns + 1,
      top: (box.y - frame.y) / frame.height,
      height: box.height / frame.height,
    });
  }
  return bars;
}

/** Compares with a tolerance of a hundredth of the drawing, because of the size of a pixel. */
function assertBars(found: readonly Box[], expected: readonly Box[]): void {
  const place = ({ tone, column }: Box): string => `${tone} in column ${column}`;
  assert.deepEqual(found.map(place), expected.map(place));
  for (const [index, { top, height }] of expected.entries()) {
    const bar = found[index];
    const isThere = bar !== undefined && Math.abs(bar.top - top) <= 0.01 && Math.abs(bar.height - height) <= 0.01;
    assert.ok(isThere, `${JSON.stringify(bar)} is not at ${top}, ${height} high`);
  }
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  assert.ok(box !== null, 'it is on the screen');
  return box;
}

const round = (value: number): number => Math.round(value * 100) / 100;

describe('the charts of the overview', () => {
  it('draw revenue upwards and reversals downwards, each on its day', async () => {
    const opened = await world.open();
    await opened.visit('/console?days=7');
    // 28 ₽ three days ago, of which 7 were reversed; 14 ₽ yesterday; 7 ₽ today. The axis is from −10 to 30.
    assertBars(await barsOf(opened.page, 'revenue'), [
      { tone: 's1', column: -3, top: 0.05, height: 0.7 },
      { tone: 's2', column: -3, top: 0.75, height: 0.175 },
      { tone: 's1', column: -1, top: 0.4, height: 0.35 },
      { tone: 's1', column: 0, top: 0.575, height: 0.175 },
    ]);
    // 4 counted and one of them reversed, 2, 1. The axis goes from −1 to 4.
    assertBars(await barsOf(opened.page, 'subscriptions'), [
      { tone: 's3', column: -3, top: 0, height: 0.8 },
      { tone: 's2', column: -3, top: 0.8, height: 0.2 },
      { tone: 's3', column: -1, top: 0.4, height: 0.4 },
      { tone: 's3', column: 0, top: 0.6, height: 0.2 },
    ]);
    // One reward of 7 ₽ is in hold; the axis goes to 8.
    assertBars(await barsOf(opened.page, 'holds'), [{ tone: 's1', column: 0, top: 0.125, height: 0.875 }]);
    // Every shown task was confirmed: 100 % on three days, no figure between them.
    const line = await opened.page.locator('#chart-conversion .line').getAttribute('d');
    assert.equal(line, 'M35 0M55 0L65 0');
    // 40 ₽ spent and 10 returned today; the axis goes from −10 to 40.
    assertBars(await barsOf(opened.page, 'spending'), [
      { tone: 's1', column: 0, top: 0, height: 0.8 },
      { tone: 's2', column: 0, top: 0.8, height: 0.2 },
    ]);
    opened.assertQuiet();
    await opened.close();
  });

  it('show their figures as a table, as a file and as tooltips', async () => {
    const opened = await world.open();
    const { page } = opened;
    await opened.visit('/console?days=7');
    const chart = page.locator('#chart-revenue');
    await chart.getByText('Show the figures').click();
    assert.deepEqual(await chart.locator('tbody tr').first().locator('th, td').allInnerTexts(), [
      await chart.locator('.x-axis span').last().innerText(),
      '₽7.00',
      '₽0.00',
    ]);
    await chart.locator('.column').last().hover();
    assert.match(await chart.locator('.chart-tip').innerText(), /Earned: ₽7\.00\s+Taken back: ₽0\.00$/);
    const [download] = await Promise.all([page.waitForEvent('download'), chart.getByText('Download CSV').click()]);
    assert.match(download.suggestedFilename(), /^sponsorgate-revenue-\d{4}-\d\d-\d\d\.csv$/);
    const rows = readCsv(await readFile(await download.path(), 'utf8'));
    assert.deepEqual(
      rows.slice(-3).map((row) => row.slice(1)),
      [
        ['0.00', '0.00'],
        ['14.00', '0.00'],
        ['7.00', '0.00'],
      ],
    );
    await opened.close();
  });

  it('have enough contrast in dark mode and readable axes on a phone', async () => {
    const colours = async (scheme: 'light' | 'dark'): Promise<string[]> => {
      const opened = await world.open({ colorScheme: scheme, viewport: { width: 390, height: 844 } });
      await opened.visit('/console?days=7');
      const styleOf = (selector: string, property: string): Promise<unknown> =>
        opened.page.evaluate(`getComputedStyle(document.querySelector('#chart-revenue${selector}')).${property}`);
      const found = [
        await styleOf(' .bar', 'fill'),
        await styleOf('', 'backgroundColor'),
        await styleOf(' .y-axis span', 'fontSize'),
      ].map(String);
      await opened.close();
      return found;
    };
    const [light, dark] = [await colours('light'), await colours('dark')];
    assert.match(`${light[0]} ${dark[0]}`, /^rgb\(.+\) rgb\(.+\)$/);
    assert.notEqual(light[0], dark[0]);
    assert.notEqual(light[1], dark[1]);
    assert.deepEqual([light[2], dark[2]], ['12px', '12px']);
  });
});

describe('other charts', () => {
  it('of a bot, an order and a link show their figures', async () => {
    const opened = await world.open();
    const { page } = opened;
    await opened.visit(`/console/bots/${world.estate.botId}?days=7`);
    assert.equal((await barsOf(page, 'revenue')).length, 4);
    await opened.visit(`/console/orders/${world.estate.orderId}?days=7`);
    assertBars(await barsOf(page, 'subscribers'), [
      { tone: 's3', column: 0, top: 0, height: 0.8 },
      { tone: 's2', column: 0, top: 0.8, height: 0.2 },
    ]);
    const steps = await Promise.all(
      (await page.locator('.funnel li').all()).map(async (step) => {
        const [bar, track] = [await boxOf(step.locator('.bar')), await boxOf(step.locator('.track'))];
        return round(bar.width / track.width);
      }),
    );
    assert.deepEqual(steps, [1, 0.8, 0.6], 'shown 5, confirmed 4, kept 3');
    await opened.visit(`/console/links/${world.estate.linkId}?days=7`);
    assertBars(await barsOf(page, 'clicks'), [{ tone: 's1', column: 0, top: 0, height: 1 }]);
    opened.assertQuiet();
    await opened.close();
  });
});
