import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Queryable } from '../../../core/database.ts';
import type { Kopecks } from '../../../core/money.ts';
import { readKnownUsers, type SampledUser, sampleUsers } from '../../audience/index.ts';
import {
  chargeFor,
  type Facts,
  FILTERS,
  type FilterKey,
  type Filters,
  factsOf,
  hiddenBy,
  type UserProfile,
} from '../../targeting/index.ts';
import { readRecentSubscribers } from './show-store.ts';

export interface AudienceEstimate {
  /** All stored users, and those to whom an order with these filters could be shown. */
  readonly knownUsers: number;
  readonly matchingUsers: number;
  /** Whether all stored users were compared; otherwise the number is scaled up from a sample. */
  readonly isExact: boolean;
  /** The highest charge of a subscription. */
  readonly chargeKopecks: Kopecks;
  /** For each filter in use, how many users have a known value. Unknown values pass. */
  readonly knowledge: readonly FilterKnowledge[];
}

export interface FilterKnowledge {
  readonly key: FilterKey;
  /** A whole number; 0 and 100 only when they are exact. */
  readonly knownPercent: number;
}

const SAMPLE = 5_000;

/** Returns how many users the filters reach and what a subscription costs. For the order wizard. */
export async function estimateAudience(
  deps: { readonly db: Queryable; readonly clock: Clock },
  { filters, priceKopecks }: { filters: Filters; priceKopecks: Kopecks },
): Promise<AudienceEstimate> {
  const now = deps.clock.now();
  const { total, users } = await sampleUsers(deps.db, SAMPLE, now);
  const facts = users.map((user) => factsOf(storedProfile(user, now)));
  const matching = facts.filter((user) => hiddenBy(filters, user) === undefined).length;
  return {
    knownUsers: total,
    matchingUsers: users.length === 0 ? 0 : Math.round((matching / users.length) * total),
    isExact: users.length === total,
    chargeKopecks: chargeFor(priceKopecks, filters),
    knowledge: knowledgeOf(filters, facts),
  };
}

const RECENT_SUBSCRIBERS = 1_000;

/** Returns how much is known about the latest subscribers of an order, per filter. For its statistics. */
export async function describeSubscribers(
  deps: { readonly db: Queryable; readonly clock: Clock },
  { id, filters }: { readonly id: number; readonly filters: Filters },
): Promise<readonly FilterKnowledge[]> {
  if (Object.keys(filters).length === 0) return [];
  const now = deps.clock.now();
  const userIds = await readRecentSubscribers(deps.db, id, RECENT_SUBSCRIBERS);
  const users = await readKnownUsers(deps.db, userIds, now);
  return knowledgeOf(
    filters,
    users.map((user) => factsOf(storedProfile(user, now))),
  );
}

/** Known only with each request, so stored users say nothing about it. */
const REQUEST_ONLY: ReadonlySet<FilterKey> = new Set(['chat_context', 'min_quality', 'scored_source']);

function knowledgeOf(filters: Filters, users: readonly Facts[]): FilterKnowledge[] {
  if (users.length === 0) return [];
  return FILTERS.flatMap(({ key }, index) => {
    if (filters[key] === undefined || REQUEST_ONLY.has(key)) return [];
    const known = users.filter((facts) => facts[index] !== undefined).length;
    const percent = (known / users.length) * 100;
    return [{ key, knownPercent: percent > 50 ? Math.floor(percent) : Math.ceil(percent) }];
  });
}

/** Returns the profile that the user's next request will most likely have. */
function storedProfile(user: SampledUser, now: Date): UserProfile {
  const sent = user.facts as Pick<UserProfile, 'languageCode' | 'isPremium' | 'name' | 'hasUsername'>;
  const firstSeenMs = user.firstSeenAt?.getTime() ?? now.getTime();
  return {
    ...sent,
    chatContext: undefined,
    daysSinceFirstSeen: Math.floor((now.getTime() - firstSeenMs) / DAY_MS),
    learned: user.learned,
    isHumanChecked: user.isHumanChecked,
  };
}
