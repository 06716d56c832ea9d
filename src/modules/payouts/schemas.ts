import { Type } from 'typebox';
import { PAYOUT_METHODS } from './payout.ts';

export const PAYOUTS_LIMIT = { max: 100, default: 20 } as const;

/** A query carries numbers as text. */
export const PayoutsQuery = Type.Object({
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

export const PayoutsAnswer = Type.Object({
  payouts: Type.Array(
    Type.Object({
      payout_id: Type.Integer(),
      amount: Type.Number({ description: 'Rubles.' }),
      method: Type.String({ description: PAYOUT_METHODS.join(' or ') }),
      status: Type.String({ description: 'requested, approved, sent, rejected or failed.' }),
      created_at: Type.String(),
      sent_at: Type.Optional(Type.String()),
      reference: Type.Optional(Type.String({ description: 'What proves the payment; present once it is sent.' })),
      reason: Type.Optional(Type.String({ description: 'Why it was rejected or failed. The money has returned.' })),
    }),
  ),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});
