import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawGraph, type GraphPicture } from './draw-graph.ts';
import { createPngRenderer } from './render-png.ts';

const GRAPH: GraphPicture = {
  title: 'Case 7',
  nodes: [
    { id: 'account:1', label: 'account Eve <b>', side: 'left' },
    { id: 'account:2', label: 'account 2', side: 'left' },
    { id: 'device:1', label: 'device 1', side: 'right' },
  ],
  edges: [
    { from: 'account:1', to: 'device:1' },
    { from: 'account:2', to: 'device:1' },
    { from: 'account:2', to: 'missing' },
  ],
};

const numbersIn = (svg: string, tag: string, name: string): number[] =>
  [...svg.matchAll(new RegExp(`<${tag} [^>]*\\b${name}="([\\d.]+)"`, 'g'))].map(([, value]) => Number(value));

describe('the picture of a graph', () => {
  it('draws every node and each line between two of them, and escapes names', () => {
    const svg = drawGraph(GRAPH);
    assert.equal(svg.match(/<circle /g)?.length, 3);
    assert.equal(svg.match(/<line /g)?.length, 2, 'a line to an unknown node is left out');
    assert.ok(svg.includes('account Eve &#60;b&#62;') && !svg.includes('Eve <b>'));
    const [x1, x2] = [numbersIn(svg, 'line', 'x1'), numbersIn(svg, 'line', 'x2')];
    assert.ok(
      x1.every((x, i) => x < (x2[i] ?? 0)),
      'lines go from the left to the right column',
    );
  });

  it('grows with its longer column and stays inside the picture', () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      id: `user:${i}`,
      label: 'W'.repeat(300),
      side: 'left' as const,
    }));
    const svg = drawGraph({ ...GRAPH, nodes: [...many, ...GRAPH.nodes] });
    const [height = 0] = numbersIn(svg, 'svg', 'height');
    assert.ok(numbersIn(svg, 'circle', 'cy').every((y) => y > 100 && y < height));
    assert.ok(svg.includes('…'), 'a long name is cut');
    assert.ok(!Number.isNaN(height) && height < 4_000, 'Telegram accepts the picture');
  });

  it('can be rendered, also without nodes', async () => {
    const renderer = createPngRenderer();
    try {
      for (const graph of [GRAPH, { title: '', nodes: [], edges: [] }]) {
        const png = await renderer.render(drawGraph(graph));
        assert.equal(png.subarray(1, 4).toString(), 'PNG');
      }
    } finally {
      await renderer.close();
    }
  });
});
