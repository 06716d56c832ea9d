import { systemClock } from '../../core/clock.ts';
import { forgetOldEvents } from '../../modules/events/index.ts';
import { forgetSessions } from '../../modules/sessions/index.ts';
import { forgetOldJob } from '../forget-old.ts';
import type { Area, Base } from './area.ts';

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
