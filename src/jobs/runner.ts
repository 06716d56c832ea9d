import { PgBoss } from 'pg-boss';

/** A piece of timed work. It looks for everything that is due by the service's clock, so running it twice is harmless. */
export interface Sweep {
  readonly name: string;
  /** When to look, in cron's five fields. */
  readonly cron: string;
  /** Looks this often besides: cron knows whole minutes only, and what a killed worker left must not wait for one. */
  readonly everySeconds?: number;
  run(signal: AbortSignal): Promise<unknown>;
}

export interface JobsLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface JobRunner {
  stop(): Promise<void>;
}

/** A worker that was killed is noticed by its silence after this long, and its job is given to another. */
const HEARTBEAT_SECONDS = 20;
const SUPERVISE_SECONDS = 10;
const STOP_TIMEOUT_MS = 7_000;

/** Runs the sweeps: each at most once at a time over all processes, in whichever is free. */
export async function startJobs(url: string, sweeps: readonly Sweep[], log: JobsLog): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    application_name: 'sponsorgate jobs',
    max: 3,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on('error', (err) => log.error({ err }, 'job queue'));
  await boss.start();

  const stopping = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  for (const sweep of sweeps) {
    await boss.createQueue(sweep.name, {
      policy: 'stately',
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: 10 * 60,
      retryLimit: 3,
      deleteAfterSeconds: 60 * 60,
    });
    await boss.schedule(sweep.name, sweep.cron);
    await boss.work(sweep.name, { pollingIntervalSeconds: 2 }, async ([job]) => {
      if (job === undefined) return;
      await sweep.run(AbortSignal.any([job.signal, stopping.signal]));
    });
    if (sweep.everySeconds === undefined) continue;
    // Every worker sends; the queue's policy keeps one of them waiting at most.
    const send = (): void => {
      boss.send(sweep.name).catch((err: unknown) => log.error({ err, job: sweep.name }, 'job not queued'));
    };
    timers.push(setInterval(send, sweep.everySeconds * 1000));
  }

  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}
