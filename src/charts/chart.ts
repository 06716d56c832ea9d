import type { Language } from '../core/locale.ts';

/** A picture of some figures over days (or any other columns): panels one below the other that share their columns. */
export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  readonly language: Language;
  /** What stands below each column, oldest first; when there are many, some are left out. */
  readonly columns: readonly string[];
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  /** A sum or the like, at the right of the title. */
  readonly headline?: string | undefined;
  /** Drawn on top of each other: what is positive upwards from zero, what is negative downwards. */
  readonly series: readonly Series[];
  /** Figures that have no halves: people, not rubles. */
  readonly isWhole: boolean;
  /** Said instead of bars when every figure is zero. */
  readonly whenEmpty: string;
}

interface Series {
  readonly name: string;
  readonly color: Color;
  /** One for each column. */
  readonly values: readonly number[];
}

export const COLORS = {
  blue: '#3390ec',
  green: '#31a85c',
  orange: '#ef8b24',
  red: '#e5484d',
  grey: '#9aa4b2',
} as const;
type Color = keyof typeof COLORS;
