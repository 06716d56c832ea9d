import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import type { Secrets } from '../../../core/secrets.ts';
import { readClickId } from '../click-id.ts';
import { settleTasks } from './settle-tasks.ts';

export interface Postback {
  readonly clickId: string;
  readonly status: 'approved' | 'rejected';
  /** HMAC-SHA256, in hex, of `<click id>:<status>` under the order's secret. */
  readonly signature: string;
}

/** Returns the secret with which an order's advertiser signs. It is derived, so it is not stored. */
export function postbackSecret(secrets: Secrets, orderId: number): string {
  return secrets.sign('postback', String(orderId)).toString('hex');
}

export function signPostback(secret: string, { clickId, status }: Omit<Postback, 'signature'>): string {
  return createHmac('sha256', secret).update(`${clickId}:${status}`).digest('hex');
}

/**
 * Applies an advertiser's decision to a pending task. Returns false when the click id or the signature is not valid. A
 * repeated postback, or one for a task that is no longer pending, changes nothing.
 */
export async function recordPostback(
  deps: { readonly db: Database; readonly clock: Clock; readonly secrets: Secrets },
  postback: Postback,
): Promise<boolean> {
  const key = readClickId(deps.secrets, postback.clickId);
  if (key === undefined) return false;
  const expected = Buffer.from(signPostback(postbackSecret(deps.secrets, key.orderId), postback));
  const given = Buffer.from(postback.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  await settleTasks(deps.db, [{ ...key, stayed: postback.status === 'approved', onlyPending: true }], deps.clock.now());
  return true;
}
