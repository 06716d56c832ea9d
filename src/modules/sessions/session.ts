import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/clock.ts';
import type { Language } from '../../core/locale.ts';

/** `browser`: by a one-time link. `app`: inside Telegram, which vouches for the person; it reaches less. */
export type SessionKind = 'browser' | 'app';
export type Theme = 'light' | 'dark';

/** Somebody who is signed in to the console, on one device. */
export interface Session {
  readonly id: number;
  readonly kind: SessionKind;
  /** Opened by an operator, who still is one. */
  readonly isOperator: boolean;
  readonly device: string;
  readonly theme: Theme | null;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly expiresAt: Date;
  /** The page that has something to say, once. */
  readonly flashPath: string | null;
  readonly owner: SessionOwner;
}

export interface SessionOwner {
  readonly accountId: number;
  readonly telegramUserId: number;
  readonly name: string;
  /** Chosen, or that of their Telegram; null when neither is known. */
  readonly language: Language | null;
}

/** How long the link of the management bot is good for. */
export const CODE_MS = 5 * MINUTE_MS;

/** A session ends so long after its last use, and after so long in any case. */
export const LIFETIMES: Readonly<Record<SessionKind, { readonly idleMs: number; readonly longestMs: number }>> = {
  browser: { idleMs: 12 * HOUR_MS, longestMs: 7 * DAY_MS },
  app: { idleMs: HOUR_MS, longestMs: 12 * HOUR_MS },
};

/** How exactly the last use is known; a write for every page would be one too many. */
export const SEEN_EVERY_MS = MINUTE_MS;

const SECRET_BYTES = 32;
const SECRET_SHAPE = /^[\w-]{43}$/;

/** For codes and cookies alike: 256 random bits. */
export function generateSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Cheap to answer, so that noise never reaches the database. */
export function looksLikeSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET_SHAPE.test(text);
}

export function isAlive(session: Pick<Session, 'kind' | 'seenAt' | 'expiresAt'>, at: Date): boolean {
  return session.expiresAt > at && session.seenAt.getTime() + LIFETIMES[session.kind].idleMs > at.getTime();
}
