import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
import type { Secrets } from '../../../core/secrets.ts';
import type { TaskKey } from '../task.ts';
import { settleTasks } from './settle-tasks.ts';

/**
 * A click id names a task to the advertiser's side: `?start=<click id>`. It contains the task's key and a signature, so it
 * needs no table and cannot be forged. Telegram allows 64 letters, digits, `_` and `-`.
 */
const SIGNATURE_BYTES = 12;
const MAX_LENGTH = 64;

export function clickIdOf(secrets: Secrets, { userId, botId, orderId }: TaskKey): string {
  const body = [userId, botId, orderId].map((id) => id.toString(36)).join('-');
  return `${body}-${signature(secrets, body).toString('base64url')}`;
}

/** Returns the task of a click id, or undefined when we did not sign it. */
export function readClickId(secrets: Secrets, clickId: string): TaskKey | undefined {
  const match = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([\w-]{16})$/.exec(
    clickId.slice(0, MAX_LENGTH + 1),
  );
  if (match === null) return undefined;
  const [, user, bot, order, given] = match;
  const expected = signature(secrets, `${user}-${bot}-${order}`);
  const presented = Buffer.from(given ?? '', 'base64url');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  const [userId, botId, orderId] = [user, bot, order].map((id) => Number.parseInt(id ?? '', 36));
  return userId === undefined || botId === undefined || orderId === undefined ? undefined : { userId, botId, orderId };
}

function signature(secrets: Secrets, body: string): Buffer {
  return secrets.sign('click-id', body).subarray(0, SIGNATURE_BYTES);
}

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
