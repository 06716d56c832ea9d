import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** Returns whether Crypto Pay signed the raw body. The key of the signature is the SHA-256 of the app's token. */
export function isSignedBy(token: string, rawBody: Buffer, signature: string): boolean {
  const key = createHash('sha256').update(token).digest();
  const expected = createHmac('sha256', key).update(rawBody).digest();
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const PaidNotification = Type.Object({
  update_type: Type.Literal('invoice_paid'),
  payload: Type.Object({
    invoice_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    status: Type.Literal('paid'),
  }),
});

/** Returns the id of the invoice that a notification reports as paid; undefined for other notifications. */
export function paidInvoiceIn(rawBody: Buffer): number | undefined {
  try {
    const notification: unknown = JSON.parse(rawBody.toString('utf8'));
    return Value.Check(PaidNotification, notification) ? notification.payload.invoice_id : undefined;
  } catch {
    return undefined;
  }
}
