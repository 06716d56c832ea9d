import type { Queryable } from '../../core/database.ts';
import type { Offer } from './offer.ts';
import { OFFER_COLUMNS, type OfferRow, toOffer } from './offer-rows.ts';

/**
 * Takes reversible offers whose next look is due, and puts that look off by a lease: another worker passes them by, and
 * when this one is killed they fall due again by themselves.
 */
export async function claimDueOffers(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<Offer[]> {
  const rows = await db.query<OfferRow>(
    `WITH due AS (
       SELECT user_id, bot_id, order_id FROM offers
       WHERE state IN ('pending', 'held', 'paid') AND next_check_at <= $1
       ORDER BY next_check_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
     UPDATE offers o SET next_check_at = $2 FROM due
     WHERE o.user_id = due.user_id AND o.bot_id = due.bot_id AND o.order_id = due.order_id
     RETURNING ${OFFER_COLUMNS}`,
    [now, leaseUntil, limit],
  );
  return rows.map(toOffer);
}

/** The offers for which leaving this resource would take a reward back. */
export async function findReversibleOffers(db: Queryable, userId: number, resourceId: number): Promise<Offer[]> {
  const rows = await db.query<OfferRow>(
    `SELECT ${OFFER_COLUMNS} FROM offers o
     WHERE o.user_id = $1 AND o.resource_id = $2 AND o.state IN ('held', 'paid')`,
    [userId, resourceId],
  );
  return rows.map(toOffer);
}
