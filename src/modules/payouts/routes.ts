import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { formatTimestamp } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { toRubles } from '../../core/money.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { isSignedBy, paidInvoiceIn } from './crypto-pay.ts';
import { recordInvoicePaid } from './deposit-invoices.ts';
import { PAYOUT_METHODS, type Payout, type PayoutStatus } from './payout.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { listPayouts, type Position } from './store.ts';

/** `GET /api/v1/payouts`, for tokens with beta access. Mounted behind the `Auth` header. */
export const payoutRoutes =
  ({ db }: Pick<PayoutDeps, 'db'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api/v1/payouts',
      { onRequest: requireBeta, schema: { querystring: PayoutsQuery, response: { 200: PayoutsAnswer } } },
      async (request) => {
        const { bot } = callerOf(request);
        const { query } = request;
        const limit = query.limit === undefined ? PAYOUTS_LIMIT.default : Number(query.limit);
        const after = query.cursor === undefined ? undefined : positionIn(query.cursor);
        const found = await listPayouts(db, { accountId: bot.accountId, limit: limit + 1, after });
        const page = found.slice(0, limit);
        const last = page.at(-1);
        const hasMore = found.length > limit;
        return {
          payouts: page.map(presentPayout),
          next_cursor: hasMore && last !== undefined ? encodeCursor(last) : null,
          has_more: hasMore,
        };
      },
    );
  };

function positionIn(cursor: string): Position {
  const position = decodeCursor(cursor);
  if (position !== undefined) return position;
  const fields = [{ field: 'cursor', message: 'is not a next_cursor of ours' }];
  throw new ApiError('validation_failed', 'Take the cursor from next_cursor of the page before.', { fields });
}

/** `POST /crypto-pay/webhook`. Needs no token: it accepts only bodies that are signed with the app's token. */
export const cryptoPayWebhook =
  (deps: Pick<PayoutDeps, 'db' | 'clock'>, token: string): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The signature covers the raw bytes, so this scope reads bodies without parsing them.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    app.post('/crypto-pay/webhook', async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers['crypto-pay-api-signature'];
      if (typeof signature !== 'string' || !isSignedBy(token, body, signature)) {
        throw new ApiError('invalid_token', 'The notice does not carry the signature of Crypto Pay.');
      }
      const invoiceId = paidInvoiceIn(body);
      if (invoiceId !== undefined) await recordInvoicePaid(deps, invoiceId);
      return { ok: true };
    });
  };

/**
 * Encodes the last payout of a page. The next page starts after that payout and not after a number of rows, so new payouts
 * neither repeat nor hide an entry. A cursor selects among the caller's own payouts, so it needs no signature.
 */
export function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

export function decodeCursor(cursor: string): Position | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^(\d{1,15})\.([1-9]\d{0,14})$/.exec(text);
  // Base64 has several spellings of the same bytes; accept only the one that `encodeCursor` writes.
  if (match === null || Buffer.from(text).toString('base64url') !== cursor) return undefined;
  const createdAt = new Date(Number(match[1]));
  return Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id: Number(match[2]) };
}

/** The statuses of the API. `sending` is internal: it lasts only while the provider is called. */
const WIRE_STATUS: Readonly<Record<PayoutStatus, string>> = {
  requested: 'requested',
  approved: 'approved',
  sending: 'approved',
  sent: 'sent',
  rejected: 'rejected',
  failed: 'failed',
};

export function presentPayout(payout: Payout) {
  const { status, closedAt, reference, reason } = payout;
  return {
    payout_id: payout.id,
    amount: toRubles(payout.amountKopecks),
    method: payout.method,
    status: WIRE_STATUS[status],
    created_at: formatTimestamp(payout.createdAt),
    ...(status === 'sent' && closedAt !== null ? { sent_at: formatTimestamp(closedAt) } : {}),
    ...(reference === null ? {} : { reference }),
    ...(reason === null ? {} : { reason }),
  };
}

const PAYOUTS_LIMIT = { max: 100, default: 20 } as const;

/** A query carries numbers as text. */
const PayoutsQuery = Type.Object({
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      description: `1 to ${PAYOUTS_LIMIT.max}, ${PAYOUTS_LIMIT.default} by default.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: '`next_cursor` of the page before.' }),
  ),
});

const PayoutsAnswer = Type.Object({
  payouts: Type.Array(
    Type.Object({
      payout_id: Type.Integer(),
      amount: Type.Number({ description: 'Rubles.' }),
      method: Type.String({ enum: [...PAYOUT_METHODS] }),
      status: Type.String({ enum: ['requested', 'approved', 'sent', 'rejected', 'failed'] }),
      created_at: Type.String(),
      sent_at: Type.Optional(Type.String()),
      reference: Type.Optional(Type.String({ description: 'What proves the payment; present once it is sent.' })),
      reason: Type.Optional(Type.String({ description: 'Why it was rejected or failed. The money has returned.' })),
    }),
  ),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});
