import type { CaseGraph, GraphNode } from './case.ts';
import type { SharedThing } from './evidence-store.ts';

/** A larger picture cannot be read. */
const MOST_NODES = 40;

/**
 * Builds the picture of what accounts or users share. A device has no name of its own: its mark is a hash that says
 * nothing, so devices are numbered.
 */
export function buildGraph(
  things: readonly SharedThing[],
  { type, nameOf }: { readonly type: 'account' | 'user'; readonly nameOf: (id: number) => string },
): CaseGraph {
  const nodes = new Map<string, GraphNode>();
  const edges: { from: string; to: string }[] = [];
  let devices = 0;
  for (const { kind, key, label, ids } of things) {
    const isDevice = kind === 'device';
    if (isDevice) devices += 1;
    const thing = { id: `${kind}:${isDevice ? devices : key}`, type: kind, label: isDevice ? String(devices) : label };
    const owners = ids.map((id): GraphNode => ({ id: `${type}:${id}`, type, label: nameOf(id) }));
    const added = [thing, ...owners].filter(({ id }) => !nodes.has(id)).length;
    if (nodes.size + added > MOST_NODES) continue;
    for (const node of [...owners, thing]) nodes.set(node.id, node);
    edges.push(...owners.map(({ id }) => ({ from: id, to: thing.id })));
  }
  return { nodes: [...nodes.values()], edges };
}
