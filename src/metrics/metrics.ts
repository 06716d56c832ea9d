import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../core/clock.ts';
import type { Queryable } from '../core/database.ts';
import type { Job } from '../jobs/index.ts';
import { IGNORED_REASONS, type IgnoredReason } from '../modules/devices/index.ts';
import { type LedgerReport, verifyLedger } from '../modules/ledger/index.ts';
import type { ScoringReport } from '../modules/quality/index.ts';
import { type Sources, watchState } from './state-gauges.ts';

/** The Prometheus metrics of one process. Callers report events as they happen; a scrape reads the current state. */
export interface Metrics {
  /**
   * Records an HTTP response. `route` is the template and never the URL: a URL may contain tokens, and unlimited URLs
   * would create unlimited time series.
   */
  answered(method: string, route: string, status: number, milliseconds: number): void;
  /** Records a finished batch of a `Batcher`. */
  flushed(batcher: string, items: number, milliseconds: number): void;
  telegramCalled(method: string, outcome: string, milliseconds: number): void;
  webhookAttempted(succeeded: boolean, milliseconds: number): void;
  jobRan(job: string, succeeded: boolean, milliseconds: number): void;
  ledgerVerified(report: LedgerReport): void;
  /** Records the result of a scoring run in this process. */
  sourcesScored(report: ScoringReport): void;
  /** Records device data of a visitor that was ignored, such as forged or replayed data. */
  deviceDataIgnored(reason: IgnoredReason): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_ITEMS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300];
const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
/** How long this process shows its last ledger verification. Another process may run the next one and know more. */
const VERDICT_SECONDS = 60 * 60;

export interface MetricsDeps extends Sources {
  readonly version: string;
  /** The machine's clock, because Prometheus compares these timestamps with its own clock and not with a sandbox's. */
  readonly machineClock: Clock;
}

export function createMetrics({ version, machineClock, ...state }: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const histogram = (name: string, help: string, labelNames: readonly string[], buckets: number[]): Histogram =>
    new Histogram({ name: `sponsorgate_${name}`, help, labelNames, buckets, registers });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `sponsorgate_${name}`, help, labelNames, registers });

  const requests = histogram(
    'http_request_seconds',
    'HTTP requests, by route template, method and class of status.',
    ['method', 'route', 'status'],
    REQUEST_SECONDS,
  );
  const batchItems = histogram('batch_items', 'Items that shared one batch.', ['batcher'], BATCH_ITEMS);
  const batchSeconds = histogram('batch_seconds', 'Duration of one batch.', ['batcher'], BATCH_SECONDS);
  const calls = histogram(
    'telegram_call_seconds',
    'Calls to the Bot API, by method and outcome: ok, refused, flood, unreachable.',
    ['method', 'outcome'],
    CALL_SECONDS,
  );
  const attempts = histogram(
    'webhook_attempt_seconds',
    'Attempts to deliver an event to a webhook.',
    ['outcome'],
    CALL_SECONDS,
  );
  const jobs = histogram('job_seconds', 'Runs of jobs in this process.', ['job', 'outcome'], JOB_SECONDS);
  const jobSuccess = gauge('job_last_success_timestamp_seconds', 'When a job last succeeded here.', ['job']);
  const balanced = gauge('ledger_balanced', '1 when the last verification found every balance right, 0 when not.');
  const ledgerFaults = gauge('ledger_faults', 'Accounts that the last verification found wrong.');
  const verifiedAt = gauge('ledger_verified_timestamp_seconds', 'When this process last verified the ledger.');
  const sources = gauge('quality_sources', 'Sources by level of quality, at the last scoring of this process.', [
    'level',
  ]);
  const suspicious = gauge('quality_suspicious_users', 'Suspicious users that the last scoring of this process found.');
  const ignored = new Counter({
    name: 'sponsorgate_device_data_ignored_total',
    help: 'Device data of visitors that was ignored, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of IGNORED_REASONS) ignored.inc({ reason }, 0);
  gauge('build_info', 'Always 1; the version is the label.', ['version']).set({ version }, 1);
  const refreshState = watchState(gauge, state);

  const nowSeconds = (): number => machineClock.now().getTime() / 1000;
  let verdictAt = Number.NEGATIVE_INFINITY;
  const page = Registry.merge([registry, processRegistry()]);

  return {
    answered(method, route, status, milliseconds) {
      const statusClass = STATUS_CLASSES[Math.floor(status / 100) - 1] ?? 'other';
      requests.observe({ method, route, status: statusClass }, milliseconds / 1000);
    },
    flushed(batcher, items, milliseconds) {
      batchItems.observe({ batcher }, items);
      batchSeconds.observe({ batcher }, milliseconds / 1000);
    },
    telegramCalled: (method, outcome, milliseconds) => calls.observe({ method, outcome }, milliseconds / 1000),
    webhookAttempted(succeeded, milliseconds) {
      attempts.observe({ outcome: succeeded ? 'delivered' : 'failed' }, milliseconds / 1000);
    },
    jobRan(job, succeeded, milliseconds) {
      jobs.observe({ job, outcome: succeeded ? 'ok' : 'failed' }, milliseconds / 1000);
      if (succeeded) jobSuccess.set({ job }, nowSeconds());
    },
    ledgerVerified(report) {
      verdictAt = nowSeconds();
      balanced.set(report.balanced ? 1 : 0);
      ledgerFaults.set(report.faults.length);
      verifiedAt.set(verdictAt);
    },
    sourcesScored({ levels, suspiciousUsers }) {
      for (const [level, count] of Object.entries(levels)) sources.set({ level }, count);
      suspicious.set(suspiciousUsers);
    },
    deviceDataIgnored: (reason) => ignored.inc({ reason }),
    contentType: registry.contentType,
    async text() {
      await refreshState();
      // A gauge without labels starts at 0. Remove it, so that "not verified" does not look like "not balanced".
      if (nowSeconds() - verdictAt > VERDICT_SECONDS)
        for (const old of [balanced, ledgerFaults, verifiedAt]) old.remove();
      return page.metrics();
    },
  };
}

let registry: Registry | undefined;

/**
 * Returns the metrics of memory, processor, event loop and garbage collection. They belong to the process, so several
 * services in one process share them.
 */
function processRegistry(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}

interface LedgerWatchDeps {
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
