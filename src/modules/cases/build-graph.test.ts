import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGraph } from './build-graph.ts';

const accounts = { type: 'account', nameOf: (id: number) => `Owner ${id}` } as const;

test('a graph joins each account with what it shares, and numbers devices instead of showing their marks', () => {
  const graph = buildGraph(
    [
      { kind: 'device', key: 'a1b2c3', label: '', ids: [1, 2] },
      { kind: 'channel', key: '7', label: 'News', ids: [1, 3] },
    ],
    accounts,
  );
  assert.deepEqual(
    graph.nodes.map(({ id, label }) => `${id} ${label}`),
    ['account:1 Owner 1', 'account:2 Owner 2', 'device:1 1', 'account:3 Owner 3', 'channel:7 News'],
  );
  assert.deepEqual(graph.edges, [
    { from: 'account:1', to: 'device:1' },
    { from: 'account:2', to: 'device:1' },
    { from: 'account:1', to: 'channel:7' },
    { from: 'account:3', to: 'channel:7' },
  ]);
  assert.ok(!JSON.stringify(graph).includes('a1b2c3'));
});

test('a graph stays readable: what would exceed 40 nodes is left out', () => {
  const things = Array.from({ length: 30 }, (_, n) => ({
    kind: 'channel' as const,
    key: String(n),
    label: `Channel ${n}`,
    ids: [n * 2, n * 2 + 1],
  }));
  const { nodes, edges } = buildGraph(things, accounts);
  assert.ok(nodes.length <= 40);
  const ids = new Set(nodes.map(({ id }) => id));
  assert.ok(edges.every(({ from, to }) => ids.has(from) && ids.has(to)));
});
