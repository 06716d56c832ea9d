import { batchOf } from '../../core/batcher.ts';
import type { Database } from '../../core/database.ts';
import { learnValues, type ProfileSource } from '../audience/index.ts';
import { estimateAccountAge } from './account-age.ts';
import type { Visitor } from './link.ts';

/** A visit by a user whose identity is proven. */
interface ProvenVisit {
  readonly userId: number;
  readonly who: Visitor;
  readonly source: Extract<ProfileSource, 'smart_link' | 'mini_app'>;
  readonly at: Date;
}

/** The only writer of profile values in this module. It takes only visits with a proven user id. */
export interface VisitLearner {
  learn(visit: ProvenVisit): Promise<void>;
  drain(): Promise<void>;
}

/** Stores visits that arrive together in one transaction. */
export function createVisitLearner(db: Database): VisitLearner {
  const lessons = batchOf(
    async (visits: readonly ProvenVisit[]) => {
      // Sort by user, so that two processes that store the same users cannot deadlock.
      const ordered = visits.toSorted((a, b) => a.userId - b.userId || a.at.getTime() - b.at.getTime());
      await db.transaction(async (tx) => {
        for (const { userId, who, source, at } of ordered) {
          await learnValues(tx, userId, valuesOf(userId, who, at), { source, at });
        }
      });
      return visits.map(() => undefined);
    },
    { maxBatch: 64 },
  );
  return { learn: (visit) => lessons.submit(visit), drain: () => lessons.drain() };
}

/** Returns the values under the keys that targeting uses. An unknown value does not overwrite a stored one. */
function valuesOf(userId: number, { country, city, deviceType, os }: Visitor, at: Date): Record<string, unknown> {
  return { country, city, device_type: deviceType, os, account_age_years: estimateAccountAge(userId, at).years };
}
