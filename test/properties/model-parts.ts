import type { OrderTerms } from './terms.ts';

export interface ModelOrder extends OrderTerms {
  quantity: number;
  status: 'active' | 'paused' | 'completed' | 'cancelled';
  escrow: number;
}

export interface Task {
  readonly user: number;
  readonly bot: number;
  readonly order: number;
  readonly isExtra: boolean;
  readonly shownAt: number;
  /** True when a check at the showing found no membership. */
  wasOutside: boolean;
  expiresAt: number;
  /** The end of the last round that showed the task. */
  roundEndsAt: number;
  state: 'open' | 'expired' | 'counted' | 'settled' | 'reversed' | 'notgetted';
  countedAt: number;
  isReleased: boolean;
}

export interface Round {
  /** The orders of the round, sorted by their first showing. */
  readonly places: readonly number[];
  readonly requested: number;
  readonly endsAt: number;
}

export interface Asked {
  readonly user: number;
  readonly bot: number;
  readonly isExtra: boolean;
  readonly wasSlow: boolean;
}

export interface ModelBot {
  readonly owner: number;
  readonly roundMinutes: number;
}

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** Returns the end of the time for a confirm: a day after the round, or after the expiry of an extra task. */
export const confirmUntil = ({ isExtra, expiresAt, roundEndsAt }: Task): number =>
  (isExtra ? expiresAt : roundEndsAt) + DAY;

export const isClosed = ({ status }: ModelOrder): boolean => status === 'completed' || status === 'cancelled';

/** Returns the number of the day. Runs start at noon, so day 0 has twelve hours left. */
export const dayOf = (time: number): number => Math.floor((time + DAY / 2) / DAY);
