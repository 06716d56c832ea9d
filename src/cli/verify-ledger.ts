import { provideDatabase } from '../composition/provide-database.ts';
import { provideReports } from '../composition/provide-reports.ts';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/index.ts';
import { verifyLedger } from '../modules/ledger/index.ts';

/** `sponsorgate verify-ledger`: recomputes every balance from the transfers. Exits 1 when something does not add up. */
export async function verifyBooks(config: Config): Promise<void> {
  const server = await provideDatabase(config, () => undefined);
  const db = openDatabase({ url: server.url, onError: () => undefined });
  try {
    const reports = await provideReports(config, db, (reason) =>
      console.log(`The read replica is left out (${reason}); the primary is read.`),
    );
    try {
      const age = reports.ageSeconds();
      const report = await verifyLedger(reports);
      if (age !== undefined) console.log(`Read from the replica, which is ${age} s behind.`);
      console.log(`${report.accounts.length} accounts, all balances together ${report.totalKopecks} kopecks`);
      for (const fault of report.faults) console.log(`FAULT: ${fault}`);
      console.log(report.balanced ? 'The ledger is balanced.' : `The ledger has ${report.faults.length} faults.`);
      if (!report.balanced) process.exitCode = 1;
    } finally {
      await reports.close();
    }
  } finally {
    await db.close();
    await server.stop();
  }
}
