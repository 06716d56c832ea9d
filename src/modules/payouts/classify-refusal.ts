import { SECOND_MS } from '../../core/clock.ts';
import type { CryptoPayRefusal } from './crypto-pay.ts';

/**
 * How long an attempt without a reply may still be carried out, by the provider or by a worker that was suspended before
 * its call. Within this time a refusal of a later attempt does not prove that the earlier one failed. The service's clock
 * measures it: a jump of the sandbox's clock ends it early, and the next attempt then finds a late transfer by its spend id.
 */
export const DOUBT_SECONDS = 15 * 60;

/** The provider has seen this spend id before: the money is sent, or is being sent. */
export const SPENT = 'SPEND_ID_ALREADY_USED';

/** Refusals that concern the service and not the payout, such as an empty wallet. The payout is tried again later. */
const SERVICE_CODES: ReadonlySet<number> = new Set([401, 403, 404, 405, 429]);
const SERVICE_NAMES =
  /^(NOT_ENOUGH_COINS|INSUFFICIENT_FUNDS|METHOD_DISABLED|METHOD_NOT_ALLOWED|TRANSFERS?_DISABLED|UNAUTHORIZED|APP_.+|IP_.+|TOO_MANY_REQUESTS|FLOOD.*)$/;

export type RefusalKind =
  /** Nothing was sent and nothing will be: the money returns. */
  | 'failed'
  /** Nothing was sent; another attempt may succeed. */
  | 'try_again'
  /** An earlier attempt may still be carried out. */
  | 'in_doubt';

/** Returns what a refusal means. `doubtSince` is the time of an earlier attempt that got no reply. */
export function classifyRefusal({ code, name }: CryptoPayRefusal, doubtSince: Date | null, now: Date): RefusalKind {
  if (name === SPENT) return 'in_doubt';
  if (doubtSince !== null && now.getTime() - doubtSince.getTime() < DOUBT_SECONDS * SECOND_MS) return 'in_doubt';
  return SERVICE_CODES.has(code) || SERVICE_NAMES.test(name) ? 'try_again' : 'failed';
}

const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 10 * 60;

/** Returns the pause in seconds before the next attempt. */
export function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts, 10));
}
