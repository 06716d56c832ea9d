import { escapeHtml } from '../core/html.ts';

/** The average width of a character relative to the font size. Slightly too large, so that texts are not cut off. */
const AVERAGE_WIDTH = 0.58;

/** Characters that XML forbids or the font lacks: control characters, lone surrogates and emoji. */
const UNDRAWABLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Variation_Selector}]/gu;

export const widthOf = (text: string, size: number): number => [...text].length * size * AVERAGE_WIDTH;

/** Returns escaped text, shortened to the available width. */
export function drawText(
  text: string,
  place: {
    readonly x: number;
    readonly y: number;
    readonly size: number;
    readonly color: string;
    readonly room?: number;
    readonly isBold?: boolean;
    readonly anchor?: 'start' | 'middle' | 'end';
  },
): string {
  const { x, y, size, color, room = Number.POSITIVE_INFINITY, isBold = false, anchor = 'start' } = place;
  const shown = escapeHtml(shorten(text.replace(UNDRAWABLE, '').trim(), size, room));
  const weight = isBold ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${color}" text-anchor="${anchor}"${weight}>${shown}</text>`;
}

function shorten(text: string, size: number, room: number): string {
  if (widthOf(text, size) <= room) return text;
  const most = Math.max(1, Math.floor(room / (size * AVERAGE_WIDTH)) - 1);
  return `${[...text].slice(0, most).join('').trimEnd()}…`;
}

export const round = (value: number): number => Math.round(value * 100) / 100;
