import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** Crypto Pay signs the body as it sends it, byte by byte, with the SHA-256 of the app's token as the key. */
export function isSignedBy(token: string, rawBody: Buffer, signature: string): boolean {
  const key = createHash('sha256').update(token).digest();
  const expected = createHmac('sha256', key).update(rawBody).digest();
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const PaidNotice = Type.Object({
  update_type: Type.Literal('invoice_paid'),
  payload: Type.Object({
    invoice_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    status: Type.Literal('paid'),
  }),
});

/** The invoice that a notice calls paid; nothing when it speaks of something else. */
export function paidInvoiceIn(rawBody: Buffer): number | undefined {
  try {
    const notice: unknown = JSON.parse(rawBody.toString('utf8'));
    return Value.Check(PaidNotice, notice) ? notice.payload.invoice_id : undefined;
  } catch {
    return undefined;
  }
}
