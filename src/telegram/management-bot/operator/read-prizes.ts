import { readRubles } from '../../../core/locale.ts';
import type { Kopecks } from '../../../core/money.ts';

/** Reads typed prizes by place: `5000, 3000, 1000`. A comma separates prizes; kopecks follow a dot. */
export function readPrizes(text: string, most: number): Kopecks[] | undefined {
  const parts = text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const prizes = parts.map(readRubles);
  if (prizes.length === 0 || prizes.length > most) return undefined;
  return prizes.every((prize) => prize !== undefined && prize > 0n) ? (prizes as Kopecks[]) : undefined;
}
