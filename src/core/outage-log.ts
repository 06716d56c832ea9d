/** Logs the first failure of an outage and then one line per minute. Without it, a retry loop could fill the disk. */
export interface OutageLog {
  /** Calls `write` with the number of failures since its last call, if a line is due. */
  failed(write: (failures: number) => void): void;
  /** Calls `write` if an outage was logged, and ends that outage. */
  recovered(write: () => void): void;
}

const EVERY_MS = 60_000;

export function createOutageLog(nowMs: () => number = () => performance.now()): OutageLog {
  let failures = 0;
  let lastLineAt: number | undefined;
  return {
    failed(write) {
      failures++;
      if (lastLineAt !== undefined && nowMs() - lastLineAt < EVERY_MS) return;
      lastLineAt = nowMs();
      write(failures);
      failures = 0;
    },
    recovered(write) {
      if (lastLineAt === undefined) return;
      lastLineAt = undefined;
      failures = 0;
      write();
    },
  };
}
