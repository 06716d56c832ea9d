import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHARED_TEXTS } from '../../../texts/index.ts';
import { TEXTS } from '../texts/index.ts';
import type { Visit } from '../visit.ts';
import { drawGraph } from './graph.ts';

const visit = { shared: SHARED_TEXTS.en, texts: TEXTS.en } as unknown as Visit;

test('a graph has a line per edge, an escaped label per node, and the same as text', () => {
  const { source } = drawGraph(visit, {
    nodes: [
      { id: 'account:1', type: 'account', label: 'Eve <script>' },
      { id: 'account:2', type: 'account', label: 'Mallory' },
      { id: 'device:1', type: 'device', label: '1' },
    ],
    edges: [
      { from: 'account:1', to: 'device:1' },
      { from: 'account:2', to: 'device:1' },
    ],
  });
  assert.equal(source.match(/<line /g)?.length, 2);
  assert.equal(source.match(/<circle /g)?.length, 3);
  assert.ok(!source.includes('<script>'));
  assert.match(source, /role="img" aria-labelledby="graph-title graph-desc"/);
  assert.match(source, /<li>account Eve &#60;script&#62; – device 1<\/li><li>account Mallory – device 1<\/li>/);
});

test('an edge to a node that is missing is left out', () => {
  const { source } = drawGraph(visit, {
    nodes: [{ id: 'user:1', type: 'user', label: '1' }],
    edges: [{ from: 'user:1', to: 'device:9' }],
  });
  assert.ok(!source.includes('<line '));
  assert.ok(!source.includes('<li>'));
});
