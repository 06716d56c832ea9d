import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '../../core/clock.ts';

/** The signed data that Telegram passes to the Mini App, reduced to the fields that we use. */
export type InitData =
  | {
      readonly kind: 'valid';
      readonly userId: number;
      readonly startParam: string | undefined;
      /** The signature. Telegram creates a new one for each opening, so it identifies the opening. */
      readonly hash: Buffer;
    }
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };

/** Telegram's clock and ours may differ by this much. */
const CLOCK_SKEW_MS = MINUTE_MS;

/**
 * Checks the signature by Telegram's rule: HMAC-SHA-256 over the sorted `name=value` lines, keyed with the bot token
 * under "WebAppData".
 */
export function readInitData(
  text: string,
  { botToken, maxAgeSeconds, now }: { botToken: string; maxAgeSeconds: number; now: Date },
): InitData {
  const pairs = [...new URLSearchParams(text)];
  const fields = new Map(pairs);
  const hash = fields.get('hash');
  // Refuse repeated names: the signature would cover one value and the code could read another.
  if (fields.size !== pairs.length || hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return { kind: 'invalid' };
  fields.delete('hash');
  const lines = [...fields].map(([name, value]) => `${name}=${value}`).sort();
  const key = createHmac('sha256', 'WebAppData').update(botToken).digest();
  const expected = createHmac('sha256', key).update(lines.join('\n')).digest();
  const signature = Buffer.from(hash, 'hex');
  if (!timingSafeEqual(expected, signature)) return { kind: 'invalid' };

  const ageMs = now.getTime() - Number(fields.get('auth_date')) * SECOND_MS;
  if (!(ageMs >= -CLOCK_SKEW_MS)) return { kind: 'invalid' };
  if (ageMs > maxAgeSeconds * SECOND_MS) return { kind: 'expired' };
  const userId = userIn(fields.get('user'));
  if (userId === undefined) return { kind: 'invalid' };
  return { kind: 'valid', userId, startParam: fields.get('start_param'), hash: signature };
}

function userIn(json: string | undefined): number | undefined {
  if (json === undefined) return undefined;
  try {
    const user: unknown = JSON.parse(json);
    const id: unknown = typeof user === 'object' && user !== null && 'id' in user ? user.id : undefined;
    return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : undefined;
  } catch {
    return undefined;
  }
}
