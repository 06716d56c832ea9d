import { DAY_MS } from '../../core/clock.ts';
import type { Kopecks } from '../../core/money.ts';
import type { CaseKind, ResourceChange } from './case.ts';

/**
 * When figures become a case. Each rule is one comparison, so that an operator can repeat it by hand. The figures are those
 * of the last 30 days, and only what happened after the last decision about the same subject.
 */
export const PERIOD_DAYS = 30;

/** Every large chat bans a user now and then. The same limits pause an order. */
const LEAST_REMOVALS = 3;
const LEAST_REMOVED_PERCENT = 5;

export const isRemovalFraud = ({ removed, counted }: { removed: number; counted: number }): boolean =>
  removed >= LEAST_REMOVALS && removed * 100 >= counted * LEAST_REMOVED_PERCENT;

/** Hours before the end of the window in which lost access looks like an attempt to avoid the payment. */
export const LAST_HOURS = 6;
const LEAST_NEAR_END = 3;
/** Access lost so often is no accident, whenever it happens. */
const LEAST_TIMES = 3;

export const isAccessFraud = ({ nearWindowEnd, times }: { nearWindowEnd: number; times: number }): boolean =>
  nearWindowEnd >= LEAST_NEAR_END || times >= LEAST_TIMES;

const LEAST_ANSWERS = 20;
const LEAST_APPROVED_PERCENT = 50;

/** Whether the advertiser's side rejects too much. An order with under 20 % pauses; under 50 % an operator looks at it. */
export const isApprovalFraud = ({ rejected, approved }: { rejected: number; approved: number }): boolean =>
  rejected + approved >= LEAST_ANSWERS && approved * 100 < (rejected + approved) * LEAST_APPROVED_PERCENT;

/** A few subscriptions between connected accounts may be a test of the bot. */
const LEAST_SELF_DEALING = 5;

export const isSelfDealing = ({ subscriptions }: { subscriptions: number }): boolean =>
  subscriptions >= LEAST_SELF_DEALING;

/** 0 means that no amount is too large. */
export const isLargePayout = (amountKopecks: Kopecks, limitKopecks: Kopecks): boolean =>
  limitKopecks > 0n && amountKopecks > limitKopecks;

/** A resource when an operator approved it, or as it is now. */
export interface ResourceLook {
  readonly title: string;
  readonly link: string;
  readonly chatTitle: string | null;
  readonly chatUsername: string | null;
}

/** Returns the changes that matter. A corrected word in a title or a new invite link does not. */
export function findChanges(moderated: ResourceLook, now: ResourceLook): ResourceChange[] {
  const changes: ResourceChange[] = [];
  if (isOtherTitle(moderated.title, now.title)) {
    changes.push({ field: 'title', before: moderated.title, after: now.title });
  }
  const [before, after] = [publicName(moderated.link), publicName(now.link)];
  if (before !== undefined && after !== undefined && before !== after) {
    changes.push({ field: 'link', before: moderated.link, after: now.link });
  }
  // Without a title Telegram never described the chat, so there is nothing to compare.
  if (moderated.chatTitle === null || now.chatTitle === null) return changes;
  if (isOtherTitle(moderated.chatTitle, now.chatTitle)) {
    changes.push({ field: 'chat_title', before: moderated.chatTitle, after: now.chatTitle });
  }
  const [oldName, newName] = [moderated.chatUsername ?? '', now.chatUsername ?? ''];
  if (oldName.toLowerCase() !== newName.toLowerCase()) {
    changes.push({ field: 'chat_username', before: oldName, after: newName });
  }
  return changes;
}

/** Returns the name in `https://t.me/name`, in lower case; undefined for an invite link. */
const publicName = (link: string): string | undefined =>
  /^https:\/\/t\.me\/(\w{4,64})(?:[/?]|$)/.exec(link.toLowerCase())?.[1];

const LEAST_COMMON_PERCENT = 50;

/** Whether less than half of the words are the same. Emoji, punctuation and case do not count. */
function isOtherTitle(before: string, after: string): boolean {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const all = new Set([...old, ...fresh]);
  if (all.size === 0) return false;
  const common = [...old].filter((word) => fresh.has(word)).length;
  return common * 100 < all.size * LEAST_COMMON_PERCENT;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 50) ?? [],
  );

/** A state lasts, unlike an event. After a decision about it, an operator is not asked again for this time. */
const QUIET_DAYS = 7;

/** Whether a new case may be opened although an earlier one of the same kind and subject was decided. */
export function canReopen(kind: CaseKind, decidedAt: Date, now: Date): boolean {
  return kind !== 'low_quality' || now.getTime() - decidedAt.getTime() >= QUIET_DAYS * DAY_MS;
}

/**
 * Returns the money at risk of a publisher: the rewards of the period, as far as they are still here. What left the service
 * before can only become a debt.
 */
export function publisherRisk(earnedKopecks: Kopecks, presentKopecks: Kopecks): Kopecks {
  const least = earnedKopecks < presentKopecks ? earnedKopecks : presentKopecks;
  return least > 0n ? least : 0n;
}
