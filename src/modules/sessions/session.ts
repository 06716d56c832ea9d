import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/clock.ts';
import type { Language } from '../../core/locale.ts';

/** `browser`: signed in by a one-time link. `app`: signed in by Telegram's init data; it may do less. */
export type SessionKind = 'browser' | 'app';
export type Theme = 'light' | 'dark';

/** A sign-in to the console on one device. */
export interface Session {
  readonly id: number;
  readonly kind: SessionKind;
  /** Whether an operator opened the session. It ends when that person is no longer an operator. */
  readonly isOperator: boolean;
  /** Whether the owner's account is banned. Such a session reaches only the cases of the account. */
  readonly isBanned: boolean;
  readonly device: string;
  readonly theme: Theme | null;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly expiresAt: Date;
  /** The page that shows the stored flash. */
  readonly flashPath: string | null;
  readonly owner: SessionOwner;
}

export interface SessionOwner {
  readonly accountId: number;
  readonly telegramUserId: number;
  readonly name: string;
  /** The chosen language, or the language of the owner's Telegram; null if neither is known. */
  readonly language: Language | null;
}

/** How long a sign-in link of the management bot is valid. */
export const CODE_MS = 5 * MINUTE_MS;

/** A session ends `idleMs` after its last use and `longestMs` after its start. */
export const LIFETIMES: Readonly<Record<SessionKind, { readonly idleMs: number; readonly longestMs: number }>> = {
  browser: { idleMs: 12 * HOUR_MS, longestMs: 7 * DAY_MS },
  app: { idleMs: HOUR_MS, longestMs: 12 * HOUR_MS },
};

/** The last use is stored at most this often, to avoid a write for every page. */
export const SEEN_EVERY_MS = MINUTE_MS;

const SECRET_BYTES = 32;
const SECRET_SHAPE = /^[\w-]{43}$/;

/** Returns 256 random bits, for codes and cookies. */
export function generateSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Checks the shape of a secret, so that malformed ones cause no query. */
export function looksLikeSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET_SHAPE.test(text);
}

export function isAlive(session: Pick<Session, 'kind' | 'seenAt' | 'expiresAt'>, at: Date): boolean {
  return session.expiresAt > at && session.seenAt.getTime() + LIFETIMES[session.kind].idleMs > at.getTime();
}
