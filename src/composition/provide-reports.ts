import type { Config } from '../config.ts';
import type { Database, ReportDatabase } from '../core/database.ts';
import { openReplica, readFromPrimary } from '../db/index.ts';

interface ProvidedReports extends ReportDatabase {
  close(): Promise<void>;
}

/** Returns the read replica of DATABASE_REPLICA_URL for reports. Without one they read the primary. */
export async function provideReports(
  { databaseReplicaUrl: url }: Pick<Config, 'databaseReplicaUrl'>,
  primary: Pick<Database, 'query'>,
  onLeftOut: (reason: string) => void,
): Promise<ProvidedReports> {
  if (url === undefined) return { ...readFromPrimary(primary), close: async () => undefined };
  return openReplica({ url, primary, onLeftOut });
}
