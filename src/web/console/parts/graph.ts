import { clip, type Html, html } from '../../../core/html.ts';
import type { CaseGraph, NodeType } from '../../../modules/cases/index.ts';
import type { Visit } from '../visit.ts';

/** Units of the drawing. The style sheet fits it into the page; a narrow page scrolls it. */
const ROW = 44;
const PADDING = 26;
const COLUMN = 300;
const RADIUS = 8;
const LABEL = 34;

/** People and accounts on the left, the things that they share on the right. */
const COLUMNS: Readonly<Record<NodeType, 0 | 1>> = { account: 0, user: 0, bot: 1, channel: 1, device: 1, payout: 1 };

/**
 * Draws what accounts or users share as SVG. Screen readers and people who cannot see the lines get the same as a list
 * below it.
 */
export function drawGraph({ shared, texts }: Visit, { nodes, edges }: CaseGraph): Html {
  const words = texts.operator.cases.graph;
  const nameOf = ({ type, label }: { type: NodeType; label: string }): string => shared.cases.nodes[type](label);
  const columns = ([0, 1] as const).map((column) => nodes.filter(({ type }) => COLUMNS[type] === column));
  const places = new Map(
    columns.flatMap((column, x) =>
      column.map(({ id }, y) => [id, { x: PADDING + x * COLUMN, y: PADDING + y * ROW }] as const),
    ),
  );
  const height = PADDING * 2 + Math.max(0, ...columns.map(({ length }) => length - 1)) * ROW;
  const width = PADDING * 2 + COLUMN * 2;
  const lines = edges.map(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a && b && html`<line class="edge" x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"/>`;
  });
  const dots = nodes.map((node) => {
    const place = places.get(node.id);
    if (place === undefined) return html``;
    const name = nameOf(node);
    return html`<g class="node n-${node.type}"><circle cx="${place.x}" cy="${place.y}" r="${RADIUS}"/><text x="${place.x + RADIUS + 6}" y="${place.y + 5}">${clip(name, LABEL)}</text></g>`;
  });
  const sentences = edges.flatMap(({ from, to }) => {
    const [a, b] = [nodes.find(({ id }) => id === from), nodes.find(({ id }) => id === to)];
    return a && b ? [html`<li>${nameOf(a)} – ${nameOf(b)}</li>`] : [];
  });
  return html`<div class="graph" tabindex="0" role="group" aria-label="${words.title}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="graph-title graph-desc"><title id="graph-title">${words.title}</title><desc id="graph-desc">${words.describe(String(nodes.length), String(edges.length))}</desc>${lines.map((line) => html`${line}`)}${dots}</svg></div><details><summary>${words.asText}</summary><ul class="graph-text">${sentences}</ul></details>`;
}
