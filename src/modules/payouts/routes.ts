import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../../core/errors.ts';
import { callerOf, requireBeta } from '../../http/caller.ts';
import { isSignedBy, paidInvoiceIn } from './crypto-pay-notification.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { presentPayout } from './present-payout.ts';
import { PAYOUTS_LIMIT, PayoutsAnswer, PayoutsQuery } from './schemas.ts';
import { recordInvoicePaid } from './settle-invoices.ts';
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
