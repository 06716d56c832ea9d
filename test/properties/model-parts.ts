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
  /** A check at the showing found the user outside. */
  wasOutside: boolean;
  expiresAt: number;
  /** The end of the last round that showed it. */
  roundEndsAt: number;
  state: 'open' | 'expired' | 'counted' | 'settled' | 'reversed' | 'notgetted';
  countedAt: number;
  isReleased: boolean;
}

export interface Round {
  /** The orders of the round in the order in which they were first shown. */
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

/** A task can be confirmed for a day after its round; an extra task, which has none, for a day after its expiry. */
export const confirmUntil = ({ isExtra, expiresAt, roundEndsAt }: Task): number =>
  (isExtra ? expiresAt : roundEndsAt) + DAY;

export const isClosed = ({ status }: ModelOrder): boolean => status === 'completed' || status === 'cancelled';

/** Runs begin at noon, so the first day has twelve hours left. */
export const dayOf = (time: number): number => Math.floor((time + DAY / 2) / DAY);
