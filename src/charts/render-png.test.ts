import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import { eventually } from '../../test/support/eventually.ts';
import { CHART_WIDTH, chartHeight, drawChart } from './draw-chart.ts';
import { createPngRenderer, PictureFailed } from './render-png.ts';

/** Returns width, height and pixels of a PNG with eight bits for each of four channels. */
function decode(png: Buffer) {
  assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  assert.deepEqual([png[24], png[25]], [8, 6], 'eight bits, RGBA');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const data = inflateSync(Buffer.concat(parts));
  assert.equal(data.length, height * (width * 4 + 1));
  return { width, height, data };
}

const picture = (text: string) => ({
  title: text,
  subtitle: text,
  language: 'ru' as const,
  columns: ['1 мая'],
  panels: [
    { title: text, isWhole: true, whenEmpty: text, series: [{ name: 'a', color: 'blue' as const, values: [3] }] },
  ],
});

describe('the renderer', () => {
  const renderer = createPngRenderer();
  after(() => renderer.close());

  it('returns a PNG with the size of the drawing', async () => {
    const chart = picture('Подписчики, ₽');
    const { width, height } = decode(await renderer.render(drawChart(chart)));
    assert.deepEqual([width, height], [CHART_WIDTH, chartHeight(chart)]);
  });

  it('has distinct glyphs for both languages, currency signs and punctuation', async () => {
    const blank = decode(await renderer.render(drawChart(picture('')))).data;
    const seen = new Set<string>([blank.toString('latin1')]);
    for (const letter of ['Ж', 'я', 'Ё', 'Q', '₽', '−', '№', '@', '«']) {
      const drawn = decode(await renderer.render(drawChart(picture(letter)))).data.toString('latin1');
      assert.ok(!seen.has(drawn), `the font has no glyph for ${letter}`);
      seen.add(drawn);
    }
  });

  it('renders concurrent requests separately', async () => {
    const widths = [40, 50, 60, 70];
    const pictures = await Promise.all(
      widths.map((width) => renderer.render(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"/>`)),
    );
    assert.deepEqual(
      pictures.map((png) => decode(png).width),
      widths,
    );
  });

  it('rejects an invalid drawing and renders the next one', async () => {
    await assert.rejects(renderer.render('no svg at all'), PictureFailed);
    assert.equal(decode(await renderer.render(drawChart(picture('x')))).width, CHART_WIDTH);
  });

  it('rejects a picture that takes too long and renders the next in a new thread', async () => {
    const hurried = createPngRenderer({ timeoutMs: 1 });
    await assert.rejects(hurried.render(drawChart(picture('x'))), /no picture within 1 ms/);
    await assert.rejects(hurried.render(drawChart(picture('x'))), PictureFailed, 'and again');
    await hurried.close();
  });

  it('ends an idle thread and starts another for the next picture', async () => {
    const lazy = createPngRenderer({ idleMs: 1 });
    assert.equal(lazy.isRunning, false, 'not before the first picture');
    for (let i = 0; i < 2; i++) {
      assert.equal(decode(await lazy.render(drawChart(picture('x')))).width, CHART_WIDTH);
      await eventually('the thread has ended', () => !lazy.isRunning);
    }
    await lazy.close();
    await assert.doesNotReject(lazy.close(), 'a second close does nothing');
  });

  it('limits the number of waiting pictures', async () => {
    const busy = createPngRenderer();
    const all = await Promise.allSettled(
      Array.from({ length: 33 }, () => busy.render('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    );
    assert.deepEqual(
      all.map(({ status }) => status),
      [...Array.from({ length: 32 }, () => 'fulfilled'), 'rejected'],
    );
    await busy.close();
  });
});
