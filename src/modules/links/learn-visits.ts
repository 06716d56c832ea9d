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

/** The only writer of profiles in this module: nothing reaches the audience without a proven user id. */
export interface VisitLearner {
  learn(visit: ProvenVisit): Promise<void>;
  drain(): Promise<void>;
}

/** Visits that come together are learned in one commit. */
export function createVisitLearner(db: Database): VisitLearner {
  const lessons = batchOf(
    async (visits: readonly ProvenVisit[]) => {
      // In the order of users, so that two processes which learn of the same ones do not lock each other out.
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

/** The keys by which targeting knows them. What is unknown this time leaves what was learned before. */
function valuesOf(userId: number, { country, city, deviceType, os }: Visitor, at: Date): Record<string, unknown> {
  return { country, city, device_type: deviceType, os, account_age_years: estimateAccountAge(userId, at).years };
}
