import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../core/database.ts';
import { traceWork } from '../core/tracing.ts';

/** Timed background work. A run handles all work that is due by the service's clock, so an extra run is harmless. */
export interface Job {
  readonly name: string;
  /** The pause between the end of one run and the start of the next. */
  readonly everySeconds: number;
  /** The pause after a failed run, for work that costs much. Absent: 10 seconds. */
  readonly retrySeconds?: number;
  run(signal: AbortSignal): Promise<unknown>;
}

interface JobsLog {
  error(details: object, message: string): void;
}

/** Called after every run of a job in this process, for the metrics. */
type JobObserver = (job: string, succeeded: boolean, milliseconds: number) => void;

export interface JobRunner {
  stop(): Promise<void>;
}

export interface JobRunnerOptions {
  readonly db: Queryable;
  readonly jobs: readonly Job[];
  readonly log: JobsLog;
  readonly onRun?: JobObserver;
}

const POLL_MS = 1_000;
/** A crashed process stops extending its leases. After this time, another process runs its jobs. */
const LEASE_SECONDS = 20;
const EXTEND_EVERY_MS = 5_000;
/** A failed job is retried after this pause, or after its own pause if that is shorter. */
const RETRY_SECONDS = 10;
/** Shorter than the stop timeout of the whole process. */
const STOP_TIMEOUT_MS = 7_000;

/** Runs the jobs. Each job runs in one process at a time: the first process that leases it when it is due. */
export async function startJobs({ db, jobs, log, onRun }: JobRunnerOptions): Promise<JobRunner> {
  const leaseId = randomUUID();
  const stopping = new AbortController();
  const running = new Map<string, { lost: AbortController; done: Promise<void> }>();

  async function runJob(job: Job, lost: AbortController): Promise<void> {
    const begin = performance.now();
    let error: unknown;
    try {
      const signal = AbortSignal.any([stopping.signal, lost.signal]);
      await traceWork(`job ${job.name}`, { 'job.name': job.name }, () => job.run(signal));
    } catch (thrown) {
      error = thrown;
    }
    onRun?.(job.name, error === undefined, performance.now() - begin);
    const isStopped = stopping.signal.aborted || lost.signal.aborted;
    if (error !== undefined && !isStopped) log.error({ err: error, job: job.name }, 'job failed');
    const pauseSeconds = isStopped
      ? 0
      : error === undefined
        ? job.everySeconds
        : Math.min(job.retrySeconds ?? RETRY_SECONDS, job.everySeconds);
    await releaseJob(db, { name: job.name, leaseId, pauseSeconds });
  }

  async function startDueJobs(): Promise<void> {
    const names = jobs.map(({ name }) => name).filter((name) => !running.has(name));
    for (const name of await leaseDueJobs(db, { names, leaseId, leaseSeconds: LEASE_SECONDS })) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (job === undefined) continue;
      const lost = new AbortController();
      const done = runJob(job, lost)
        // The lease runs out, so the job still runs again.
        .catch((err: unknown) => log.error({ err, job: name }, 'job lease not released'))
        .finally(() => running.delete(name));
      running.set(name, { lost, done });
    }
  }

  /**
   * Extends the leases of running jobs. Stops a job whose lease is lost, because another process may run it already.
   */
  async function extendRunning(): Promise<void> {
    if (running.size === 0) return;
    const held = await extendLeases(db, { names: [...running.keys()], leaseId, leaseSeconds: LEASE_SECONDS });
    for (const [name, { lost }] of running) if (!held.includes(name)) lost.abort();
  }

  await addJobs(
    db,
    jobs.map(({ name }) => name),
  );
  const loops = [
    repeat(POLL_MS, startDueJobs, stopping.signal, log),
    repeat(EXTEND_EVERY_MS, extendRunning, stopping.signal, log),
  ];

  return {
    async stop() {
      stopping.abort();
      const finished = Promise.all([...loops, ...[...running.values()].map(({ done }) => done)]);
      await Promise.race([finished, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * Calls `work` with a pause in between until the signal fires. Logs an error only if it differs from the previous one.
 */
async function repeat(pauseMs: number, work: () => Promise<void>, signal: AbortSignal, log: JobsLog): Promise<void> {
  let lastMessage: string | undefined;
  while (!signal.aborted) {
    try {
      await work();
      lastMessage = undefined;
    } catch (error) {
      // Log only the message: an error of the driver may contain the connection with its password.
      const message = error instanceof Error ? error.message : String(error);
      if (message !== lastMessage && !signal.aborted) log.error({ message }, 'jobs cannot be leased');
      lastMessage = message;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Adds the jobs that the table does not have yet. They are due at once. */
async function addJobs(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query('INSERT INTO jobs (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [names]);
}

/**
 * Leases the due jobs out of `names` and returns their names. Other processes cannot lease them until the lease ends.
 */
async function leaseDueJobs(
  db: Queryable,
  { names, leaseId, leaseSeconds }: { names: readonly string[]; leaseId: string; leaseSeconds: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `UPDATE jobs SET lease_id = $2, leased_until = now() + make_interval(secs => $3)
     WHERE name = ANY ($1) AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
     RETURNING name`,
    [names, leaseId, leaseSeconds],
  );
  return rows.map(({ name }) => name);
}

/** Extends the leases and returns the names whose lease this process still holds. */
async function extendLeases(
  db: Queryable,
  { names, leaseId, leaseSeconds }: { names: readonly string[]; leaseId: string; leaseSeconds: number },
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `UPDATE jobs SET leased_until = now() + make_interval(secs => $3)
     WHERE name = ANY ($1) AND lease_id = $2
     RETURNING name`,
    [names, leaseId, leaseSeconds],
  );
  return rows.map(({ name }) => name);
}

/**
 * Ends a lease and makes the job due again after a pause. Does nothing if another process holds the lease. A later due
 * time stays: a reset of the sandbox stops all jobs with it.
 */
async function releaseJob(
  db: Queryable,
  { name, leaseId, pauseSeconds }: { name: string; leaseId: string; pauseSeconds: number },
): Promise<void> {
  await db.query(
    `UPDATE jobs SET lease_id = NULL, leased_until = NULL, due_at = greatest(due_at, now() + make_interval(secs => $3))
     WHERE name = $1 AND lease_id = $2`,
    [name, leaseId, pauseSeconds],
  );
}
