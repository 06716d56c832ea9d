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

/** Told of every run of a sweep in this process, for the figures. */
export type SweepObserver = (sweep: string, succeeded: boolean, milliseconds: number) => void;

export interface JobRunner {
  stop(): Promise<void>;
}

/** A worker that was killed is noticed by its silence after this long, and its job is given to another. */
const HEARTBEAT_SECONDS = 20;
const SUPERVISE_SECONDS = 5;
/**
 * Each process remembers which queues have a job under way and passes those by. By default it remembers that for a
 * minute, also of a job whose worker is dead or was just done: nobody would run that sweep meanwhile.
 */
const REMEMBER_SECONDS = 5;
const STOP_TIMEOUT_MS = 7_000;

/** Runs the sweeps: each at most once at a time over all processes, in whichever is free. */
export async function startJobs(
  url: string,
  sweeps: readonly Sweep[],
  log: JobsLog,
  onRun: SweepObserver = () => undefined,
): Promise<JobRunner> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    application_name: 'sponsorgate jobs',
    max: 3,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    queueCacheIntervalSeconds: REMEMBER_SECONDS,
  });
  // The error itself carries the whole connection with it, keys and all.
  boss.on('error', ({ message }) => log.error({ message }, 'job queue'));

  const stopping = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const stop = async (graceful: boolean): Promise<void> => {
    stopping.abort();
    for (const timer of timers) clearInterval(timer);
    await boss.stop({ graceful, timeout: STOP_TIMEOUT_MS });
  };

  async function startSweep(sweep: Sweep): Promise<void> {
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
      const begin = performance.now();
      try {
        await sweep.run(AbortSignal.any([job.signal, stopping.signal]));
        onRun(sweep.name, true, performance.now() - begin);
      } catch (err) {
        onRun(sweep.name, false, performance.now() - begin);
        // The queue tries again and tells nobody: work that fails every time would go unseen.
        if (!stopping.signal.aborted) log.error({ err, job: sweep.name }, 'job failed');
        throw err;
      }
    });
    if (sweep.everySeconds === undefined) return;
    // Every worker sends; the queue's policy keeps one of them waiting at most.
    const send = (): void => {
      boss.send(sweep.name).catch((err: unknown) => log.error({ err, job: sweep.name }, 'job not queued'));
    };
    timers.push(setInterval(send, sweep.everySeconds * 1000));
  }

  try {
    await boss.start();
    for (const sweep of sweeps) await startSweep(sweep);
  } catch (error) {
    // The half of it that runs would go on, and take jobs away from those who can do them.
    await stop(false).catch(() => undefined);
    throw error;
  }
  return { stop: () => stop(true) };
}
