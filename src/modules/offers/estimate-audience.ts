import { type Clock, DAY_MS } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import { type SampledUser, sampleUsers } from '../audience/index.ts';
import { chargeFor, type Filters, factsOf, hiddenBy, type KnownUser } from '../targeting/index.ts';

export interface AudienceEstimate {
  /** Users whom the service knows, and how many of them an order with these filters would be shown to. */
  readonly knownUsers: number;
  readonly matchingUsers: number;
  /** Whether every known user was looked at; otherwise the number is scaled up from a sample. */
  readonly isExact: boolean;
  readonly chargeKopecks: Kopecks;
}

const SAMPLE = 5_000;

/** How many users a set of filters reaches and what a subscription then costs. For the order wizard. */
export async function estimateAudience(
  deps: { readonly db: Database; readonly clock: Clock },
  { filters, priceKopecks }: { filters: Filters; priceKopecks: Kopecks },
): Promise<AudienceEstimate> {
  const now = deps.clock.now();
  const { total, users } = await sampleUsers(deps.db, SAMPLE, now);
  const matching = users.filter((user) => hiddenBy(filters, factsOf(remembered(user, now))) === undefined).length;
  return {
    knownUsers: total,
    matchingUsers: users.length === 0 ? 0 : Math.round((matching / users.length) * total),
    isExact: users.length === total,
    chargeKopecks: chargeFor(priceKopecks, filters),
  };
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
