import { type Clock, DAY_MS } from '../../../core/clock.ts';
import type { Database } from '../../../core/database.ts';
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
  type KnownUser,
} from '../../targeting/index.ts';
import { readRecentSubscribers } from './subscribers-store.ts';

export interface AudienceEstimate {
  /** Users whom the service knows, and how many of them an order with these filters would be shown to. */
  readonly knownUsers: number;
  readonly matchingUsers: number;
  /** Whether every known user was looked at; otherwise the number is scaled up from a sample. */
  readonly isExact: boolean;
  /** The most that a subscription costs. */
  readonly chargeKopecks: Kopecks;
  /** For each filter in use, of how many users its value is known. Unknown passes. */
  readonly knowledge: readonly FilterKnowledge[];
}

export interface FilterKnowledge {
  readonly key: FilterKey;
  /** Out of 100 users; whole, and never 0 or 100 unless that is exact. */
  readonly knownPercent: number;
}

const SAMPLE = 5_000;

/** How many users a set of filters reaches and what a subscription then costs. For the order wizard. */
export async function estimateAudience(
  deps: { readonly db: Database; readonly clock: Clock },
  { filters, priceKopecks }: { filters: Filters; priceKopecks: Kopecks },
): Promise<AudienceEstimate> {
  const now = deps.clock.now();
  const { total, users } = await sampleUsers(deps.db, SAMPLE, now);
  const facts = users.map((user) => factsOf(remembered(user, now)));
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

/** What is known now of the users who subscribed to an order last, for each of its filters. For its statistics. */
export async function describeSubscribers(
  deps: { readonly db: Database; readonly clock: Clock },
  { id, filters }: { readonly id: number; readonly filters: Filters },
): Promise<readonly FilterKnowledge[]> {
  if (Object.keys(filters).length === 0) return [];
  const now = deps.clock.now();
  const userIds = await readRecentSubscribers(deps.db, id, RECENT_SUBSCRIBERS);
  const users = await readKnownUsers(deps.db, userIds, now);
  return knowledgeOf(
    filters,
    users.map((user) => factsOf(remembered(user, now))),
  );
}

/** Where the user sees the task is told with each request and never stored, so nothing can be said of it beforehand. */
const TOLD_WITH_REQUESTS: ReadonlySet<FilterKey> = new Set(['chat_context']);

function knowledgeOf(filters: Filters, users: readonly Facts[]): FilterKnowledge[] {
  if (users.length === 0) return [];
  return FILTERS.flatMap(({ key }, index) => {
    if (filters[key] === undefined || TOLD_WITH_REQUESTS.has(key)) return [];
    const known = users.filter((facts) => facts[index] !== undefined).length;
    const percent = (known / users.length) * 100;
    return [{ key, knownPercent: percent > 50 ? Math.floor(percent) : Math.ceil(percent) }];
  });
}

/** The user as the next request will most likely show them. */
function remembered(user: SampledUser, now: Date): KnownUser {
  const sent = user.facts as Pick<KnownUser, 'languageCode' | 'isPremium' | 'name' | 'hasUsername'>;
  const firstSeenMs = user.firstSeenAt?.getTime() ?? now.getTime();
  return {
    ...sent,
    chatContext: undefined,
    daysSinceFirstSeen: Math.floor((now.getTime() - firstSeenMs) / DAY_MS),
    learned: user.learned,
  };
}
