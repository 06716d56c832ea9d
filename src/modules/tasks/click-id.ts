import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../core/secrets.ts';
import type { TaskKey } from './task.ts';

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
