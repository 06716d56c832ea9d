import { type Clock, systemClock } from '../../core/clock.ts';

import type { Database } from '../../core/database.ts';
import type { Job } from '../../jobs/index.ts';
import { forgetAnswers } from '../../modules/accounts/index.ts';
import { forgetValues } from '../../modules/audience/index.ts';
import { forgetCases } from '../../modules/cases/index.ts';
import { findEarliestOpenStart } from '../../modules/contests/index.ts';
import { forgetDevices } from '../../modules/devices/index.ts';
import { forgetOldEvents } from '../../modules/events/index.ts';
import { foldTransfers } from '../../modules/ledger/index.ts';
import { forgetClicks } from '../../modules/links/index.ts';
import { forgetSignals } from '../../modules/quality/index.ts';
import { forgetSessions } from '../../modules/sessions/index.ts';
import { forgetShown } from '../../modules/statistics/index.ts';
import { forgetLists, forgetMemberships, forgetRefusals, forgetTasks } from '../../modules/tasks/index.ts';
import { forgetDialogues } from '../../telegram/index.ts';
import type { Area, Base } from './area.ts';

type Forget = (signal: AbortSignal) => Promise<number>;

/**
 * Returns the job that deletes or folds old rows of tables that have no retention job of their own: docs/retention.md.
 */
export function forgetOldJob({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: { info(details: object, message: string): void };
}): Job {
  const parts = { db, clock };
  const forgets: Readonly<Record<string, Forget>> = {
    lists: (signal) => forgetLists(parts, signal),
    tasks: (signal) => forgetTasks({ ...parts, neededSince: () => findEarliestOpenStart(db) }, signal),
    transfers: (signal) => foldTransfers(parts, signal),
    memberships: (signal) => forgetMemberships(parts, signal),
    values: (signal) => forgetValues(parts, signal),
    shown: (signal) => forgetShown(parts, signal),
    clicks: (signal) => forgetClicks(parts, signal),
    devices: (signal) => forgetDevices(parts, signal),
    refusals: (signal) => forgetRefusals(parts, signal),
    answers: (signal) => forgetAnswers(parts, signal),
    signals: (signal) => forgetSignals(parts, signal),
    cases: (signal) => forgetCases(parts, signal),
    dialogues: (signal) => forgetDialogues(parts, signal),
  };
  return {
    name: 'forget-old',
    everySeconds: 3600,
    async run(signal) {
      const forgotten: Record<string, number> = {};
      const failures: unknown[] = [];
      for (const [what, forget] of Object.entries(forgets)) {
        if (signal.aborted) break;
        try {
          const count = await forget(signal);
          if (count > 0) forgotten[what] = count;
        } catch (error) {
          failures.push(error); // continue, because the parts are independent
        }
      }
      if (Object.keys(forgotten).length > 0) log.info({ forgotten }, 'forgot what was old');
      if (failures.length > 0) throw new AggregateError(failures, 'not everything old could be forgotten');
    },
  };
}

/** Registers the jobs that delete old rows, see docs/retention.md. */
export function registerRetention({ db, clock, log }: Base): Area {
  return {
    jobs: [
      forgetOldJob({ db, clock, log }),
      { name: 'forget-events', everySeconds: 3600, run: (signal) => forgetOldEvents({ db, clock }, signal) },
      {
        name: 'forget-sessions',
        everySeconds: 3600,
        run: (signal) => forgetSessions({ db, clock: systemClock }, signal),
      },
    ],
  };
}
