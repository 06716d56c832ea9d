import type { Kopecks } from '../../core/money.ts';
import { isOpen, type Offer } from './offer.ts';

/** As much of an offer as its confirm depends on. */
export type Standing = Pick<Offer, 'state' | 'expiresAt' | 'rewardKopecks' | 'holdSeconds'>;

/** What a confirm came to. Closed, so that every way to present it must handle every case. */
export type ConfirmOutcome =
  | { readonly kind: 'counted'; readonly rewardKopecks: Kopecks; readonly inHold: boolean }
  /** Counted if the advertiser's side agrees; the reward waits in hold. */
  | { readonly kind: 'pending'; readonly rewardKopecks: Kopecks }
  | { readonly kind: 'not_counted' }
  | { readonly kind: 'not_subscribed' }
  | { readonly kind: 'not_shown' }
  | { readonly kind: 'banned' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'order_not_found' };

/** What is known before Telegram is asked: either the answer, or that it has to be asked. */
export function decideBeforeCheck(
  offer: Standing | undefined,
  { isBanned, now }: { isBanned: boolean; now: Date },
): ConfirmOutcome | 'check' {
  if (isBanned) return { kind: 'banned' };
  if (offer === undefined) return { kind: 'not_shown' };
  switch (offer.state) {
    case 'pending':
    case 'held':
    case 'paid':
    case 'settled':
      return outcomeOf(offer);
    case 'reversed':
    case 'notgetted':
      return 'check';
    case 'offered':
    case 'expired':
      return isOpen(offer, now) ? 'check' : { kind: 'not_shown' };
  }
}

/** What to do with a task whose user is a member, as it stands under the lock. */
export type MemberDecision = 'count' | 'refuse' | 'keep';

export function decideForMember(
  offer: Standing,
  { wasMemberBefore, now }: { wasMemberBefore: boolean; now: Date },
): MemberDecision {
  if (offer.state === 'reversed') return 'refuse';
  if (!isOpen(offer, now)) return 'keep';
  return wasMemberBefore ? 'refuse' : 'count';
}

/** A repeat gets the answer of the first time, whatever has become of the reward since. */
export function countedOutcome({ rewardKopecks, holdSeconds }: Standing): ConfirmOutcome {
  return { kind: 'counted', rewardKopecks, inHold: holdSeconds > 0 };
}

/** The answer for a task that the confirm left as it found it. */
export function outcomeOf(offer: Standing | undefined): ConfirmOutcome {
  switch (offer?.state) {
    case 'pending':
      return { kind: 'pending', rewardKopecks: offer.rewardKopecks };
    case 'held':
    case 'paid':
    case 'settled':
      return countedOutcome(offer);
    case 'reversed':
    case 'notgetted':
      return { kind: 'not_counted' };
    case 'offered':
    case 'expired':
    case undefined:
      return { kind: 'not_shown' };
  }
}
