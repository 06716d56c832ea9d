import { SECOND_MS } from '../../core/clock.ts';
import type { CryptoPayAnswer } from './crypto-pay.ts';

/**
 * For how long an attempt without an answer may still be carried out by the provider, or by a worker of ours that was
 * frozen before its call. Until then a refusal of a later attempt does not prove that the earlier one came to nothing.
 * It is counted by the service's clock: whoever makes the sandbox's clock leap ends it early, and then a transfer that
 * was carried out late is found by the next attempt, under its spend id.
 */
export const DOUBT_SECONDS = 15 * 60;

/** The provider has seen this spend id before: the money is sent, or is being sent this moment. */
export const SPENT = 'SPEND_ID_ALREADY_USED';

/** Refusals that say nothing about the payout but that something of ours must be mended: it is tried again later. */
const OUR_CODES: ReadonlySet<number> = new Set([401, 403, 404, 405, 429]);
const OUR_NAMES =
  /^(NOT_ENOUGH_COINS|INSUFFICIENT_FUNDS|METHOD_DISABLED|METHOD_NOT_ALLOWED|TRANSFERS?_DISABLED|UNAUTHORIZED|APP_.+|IP_.+|TOO_MANY_REQUESTS|FLOOD.*)$/;

export type Refusal = Extract<CryptoPayAnswer<unknown>, { kind: 'refused' }>;

export type Verdict =
  /** Not sent, and it never will be: the money returns. */
  | 'failed'
  /** Not sent; another try may succeed. */
  | 'try_again'
  /** An earlier attempt may still be under way. */
  | 'in_doubt';

/** What a refusal means. `doubtSince` is when an earlier attempt went without an answer. */
export function judgeRefusal({ code, name }: Refusal, doubtSince: Date | null, now: Date): Verdict {
  if (name === SPENT) return 'in_doubt';
  if (doubtSince !== null && now.getTime() - doubtSince.getTime() < DOUBT_SECONDS * SECOND_MS) return 'in_doubt';
  return OUR_CODES.has(code) || OUR_NAMES.test(name) ? 'try_again' : 'failed';
}

const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 10 * 60;

export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts, 10));
}
