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
  const drawable = text.replace(UNDRAWABLE, '').replace(STACKED_MARKS, '$1').trim();
  const shown = escapeHtml(shorten(drawable, size, room));
  const weight = isBold ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${color}" text-anchor="${anchor}"${weight}>${shown}</text>`;
}

/** More than two marks on one letter would paint over the lines above. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

const WIDE = /[WMwmЖШЩЮЫФМжшщюыфм@%—\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the most that the character can need, relative to the font size. */
function roomFor(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  if (WIDE.test(character)) return 1.02;
  return /\p{Lu}/u.test(character) ? 0.78 : AVERAGE_WIDTH;
}

/** Cuts a text that could be wider than its room: a title of capital letters is much wider than the average. */
function shorten(text: string, size: number, room: number): string {
  const characters = [...text];
  const widths = characters.map((character) => roomFor(character) * size);
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return text;
  let used = size;
  const most = widths.findIndex((width) => {
    used += width;
    return used > room;
  });
  return `${characters.slice(0, Math.max(1, most)).join('').trimEnd()}…`;
}

export const round = (value: number): number => Math.round(value * 100) / 100;

/** Returns the labelled values of an axis: round, evenly spaced, including zero. The first and the last are its ends. */
export function ticksFor(values: readonly number[], { isWhole }: { readonly isWhole: boolean }): readonly number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return [0, 1];
  const step = roundStep((high - low) / WANTED_STEPS, isWhole);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Multiplication avoids the rounding errors that adding up tenths accumulates.
  return Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
}

const WANTED_STEPS = 5;

/** Returns the smallest of 1, 2, 5, 10, 20, 50… that is large enough. */
function roundStep(least: number, isWhole: boolean): number {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= least * 0.999_999);
  const found = step ?? 10 * magnitude;
  return isWhole ? Math.max(1, Math.round(found)) : found;
}

const tidy = (value: number): number => Number(value.toPrecision(12)) + 0;

/** Returns the position of a value on an axis from `bottom` up to `top`, in picture units. */
export function positionOf(value: number, ticks: readonly number[], bottom: number, top: number): number {
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return bottom - ((value - low) / (high - low)) * (bottom - top);
}
