import type { Queryable } from '../core/database.ts';
import type { Job } from '../jobs/index.ts';
import { type LedgerReport, verifyLedger } from '../modules/ledger/index.ts';

export interface LedgerWatchDeps {
  readonly db: Queryable;
  readonly onVerified: (report: LedgerReport) => void;
  readonly log: { error(details: object, message: string): void };
}

/** Enough to start an investigation; `sponsorgate verify-ledger` lists all faults. */
const LOGGED_FAULTS = 20;

/**
 * Returns the job that recomputes the ledger from its transfers every 15 minutes. It is a job and not part of a scrape,
 * because it reads every transfer.
 */
export function createLedgerWatch({ db, onVerified, log }: LedgerWatchDeps): Job {
  return {
    name: 'verify-ledger',
    everySeconds: 15 * 60,
    async run() {
      const report = await verifyLedger(db);
      onVerified(report);
      if (report.balanced) return;
      const faults = report.faults.slice(0, LOGGED_FAULTS);
      log.error({ faults, count: report.faults.length }, 'the ledger does not add up');
    },
  };
}
