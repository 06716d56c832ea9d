import { COLORS } from './chart.ts';
import { drawText, round } from './text.ts';

/** A node of a graph. `side` is the column in which it stands. */
interface PictureNode {
  readonly id: string;
  readonly label: string;
  readonly side: 'left' | 'right';
}

export interface GraphPicture {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** The width at which a phone shows the picture unscaled. */
const WIDTH = 1080;
const MARGIN = 52;
const HEADER_HEIGHT = 130;
const ROW = 66;
const RADIUS = 13;
const LABEL_SIZE = 27;
/** The labels of the left column end, and those of the right one begin, this far from the middle. */
const HALF_GAP = 190;
const INK = '#17212b';

/** Returns the graph as an SVG document: two columns of names with lines between them. Every text is escaped. */
export function drawGraph({ title, nodes, edges }: GraphPicture): string {
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  const columns = (['left', 'right'] as const).map((side) => nodes.filter((node) => node.side === side));
  const rows = Math.max(1, ...columns.map(({ length }) => length));
  columns.forEach((column, index) => {
    // A shorter column stands in the middle of the longer one, so that lines cross less.
    const top = HEADER_HEIGHT + ((rows - column.length) * ROW) / 2 + ROW / 2;
    const x = WIDTH / 2 + (index === 0 ? -HALF_GAP : HALF_GAP);
    column.forEach(({ id }, row) => {
      places.set(id, { x, y: top + row * ROW });
    });
  });
  const height = HEADER_HEIGHT + rows * ROW + MARGIN;
  const room = WIDTH / 2 - HALF_GAP - RADIUS - 16 - MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="Inter">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    drawText(title, { x: MARGIN, y: 82, size: 46, color: INK, isBold: true, room: WIDTH - 2 * MARGIN }),
    ...edges.flatMap(({ from, to }) => {
      const [a, b] = [places.get(from), places.get(to)];
      if (a === undefined || b === undefined) return [];
      return [
        `<line x1="${round(a.x)}" y1="${round(a.y)}" x2="${round(b.x)}" y2="${round(b.y)}" stroke="${COLORS.grey}" stroke-width="3"/>`,
      ];
    }),
    ...nodes.flatMap(({ id, label, side }) => {
      const place = places.get(id);
      if (place === undefined) return [];
      const isLeft = side === 'left';
      const x = place.x + (isLeft ? -1 : 1) * (RADIUS + 16);
      const color = isLeft ? COLORS.blue : COLORS.orange;
      return [
        `<circle cx="${round(place.x)}" cy="${round(place.y)}" r="${RADIUS}" fill="${color}"/>`,
        drawText(label, {
          x,
          y: place.y + LABEL_SIZE / 3,
          size: LABEL_SIZE,
          color: INK,
          anchor: isLeft ? 'end' : 'start',
          room,
        }),
      ];
    }),
    '</svg>',
  ].join('\n');
}
