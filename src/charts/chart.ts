import type { Language } from '../core/locale.ts';

/** A picture with panels one below the other that share their columns, usually days. */
export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  readonly language: Language;
  /** The labels below the columns, oldest first. When there are too many, some are left out. */
  readonly columns: readonly string[];
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  /** A total, at the right of the title. */
  readonly headline?: string | undefined;
  /** Stacked: positive values upwards from zero, negative values downwards. */
  readonly series: readonly Series[];
  /** True for counts of people, false for rubles. */
  readonly isWhole: boolean;
  /** Shown instead of bars when every value is zero. */
  readonly whenEmpty: string;
}

interface Series {
  readonly name: string;
  readonly color: Color;
  /** One value per column. */
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
