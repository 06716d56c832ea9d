import { setTimeout as sleep } from 'node:timers/promises';
import { type CuttableProxy, openCuttableProxy } from '../support/cuttable-proxy.ts';
import { killAll, type ServiceProcess, type Settings, startProcess } from '../support/process.ts';
import { type KillablePostgres, startPostgres } from './postgres.ts';

/** One process of the service and its supervisor. */
export interface Member {
  readonly name: string;
  /** Its current URL, or the last one before it was killed. */
  url(): string;
  isUp(): boolean;
  logs(): string;
}

/** Processes of the service on one PostgreSQL, behind a proxy that injects network faults. */
export interface Cluster {
  readonly wire: CuttableProxy;
  readonly postgres: KillablePostgres;
  readonly members: readonly Member[];
  /** The processes that serve the API. */
  readonly apis: readonly Member[];
  /** Processes that exited unexpectedly or hung during the start, with their last output. */
  readonly deserters: readonly string[];
  /** Sends SIGKILL and restarts the process after the delay. Returns at once. */
  kill(name: string, downMs: number): Promise<void>;
  /** Sends SIGSTOP, and SIGCONT after the time. */
  freeze(name: string, forMs: number): void;
  killPostgres(downMs: number): Promise<void>;
  /** Ends lasting faults and waits until every process runs. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 90_000;
/** A failing start ends at once or after its connection timeouts. A start that takes longer than this hangs. */
const HUNG_MS = 55_000;
const RETRY_MS = 300;
const LOG_TAIL = 200_000;

export async function startCluster({
  workers,
  settings,
  log,
}: {
  readonly workers: number;
  readonly settings: Settings;
  readonly log: (line: string) => void;
}): Promise<Cluster> {
  const postgres = await startPostgres(log);
  const wire = await openCuttableProxy(postgres.url());
  const deserters: string[] = [];
  const lasting = new Set<Promise<unknown>>();
  const thawers = new Set<() => void>();
  const whileItLasts = (work: Promise<unknown>): void => {
    const kept = work.finally(() => lasting.delete(kept));
    kept.catch(() => undefined); // `heal` reports the error
    lasting.add(kept);
  };
  let isStopping = false;

  class Kept implements Member {
    readonly name: string;
    readonly roles: string;
    process: ServiceProcess | undefined;
    #url = '';
    #logs = '';
    #told = new WeakSet<ServiceProcess>();

    constructor(name: string) {
      this.name = name;
      this.roles = name.replace(/-\d+$/, '');
    }

    url = (): string => this.#url;
    isUp = (): boolean => this.process !== undefined;
    logs = (): string => this.#logs + (this.process?.stderr() ?? '');

    /** A start may fail while the database is down; the supervisor starts the process again. */
    async start(): Promise<void> {
      const deadline = performance.now() + START_LIMIT_MS;
      for (;;) {
        const begin = performance.now();
        try {
          const started = await startProcess({ ...settings, DATABASE_URL: wire.url, ROLES: this.roles });
          this.process = started;
          this.#url = started.url;
          void started.exited.then((exit) => this.#ended(started, exit));
          return;
        } catch (error) {
          if (performance.now() - begin > HUNG_MS)
            deserters.push(`${this.name} neither came up nor ended: ${String(error)}`);
          if (isStopping || performance.now() > deadline) throw error;
          await sleep(RETRY_MS);
        }
      }
    }

    #ended(ended: ServiceProcess, exit: { readonly code: number | null; readonly signal: string | null }): void {
      this.#logs = (this.#logs + ended.stderr()).slice(-LOG_TAIL);
      if (this.process === ended) this.process = undefined;
      if (isStopping || this.#told.has(ended)) return;
      // Another program on this machine stopped the process, so the service is not at fault.
      const wasTold = exit.code === 0 && ended.stderr().includes('"signal":"SIGTERM"');
      if (wasTold) log(`${this.name} was stopped by somebody else`);
      else
        deserters.push(
          `${this.name} ended with ${exit.signal ?? `code ${exit.code}`}:\n${ended.stderr().slice(-3_000)}`,
        );
      whileItLasts(this.start());
    }

    async kill(): Promise<void> {
      const { process: running } = this;
      if (running === undefined) return;
      this.#told.add(running);
      await running.end('SIGKILL');
    }
  }

  const names = ['api-1', 'api-2', 'bot-1', ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`)];
  const members = names.map((name) => new Kept(name));
  const member = (name: string): Kept => {
    const found = members.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`there is no process ${name}`);
    return found;
  };
  await Promise.all(members.map((one) => one.start()));
  let postgresIsDown: Promise<void> | undefined;

  return {
    wire,
    postgres,
    members,
    apis: members.filter(({ roles }) => roles === 'api'),
    deserters,
    async kill(name, downMs) {
      const victim = member(name);
      if (!victim.isUp()) return;
      await victim.kill();
      whileItLasts(sleep(downMs).then(() => victim.start()));
    },
    freeze(name, forMs) {
      const pid = member(name).process?.pid;
      if (pid === undefined) return;
      signal(pid, 'SIGSTOP');
      const thaw = (): void => {
        thawers.delete(thaw);
        signal(pid, 'SIGCONT');
      };
      thawers.add(thaw);
      setTimeout(thaw, forMs).unref();
    },
    async killPostgres(downMs) {
      if (postgresIsDown !== undefined) return;
      await postgres.kill();
      postgresIsDown = sleep(downMs)
        .then(() => postgres.startAgain())
        .then(() => {
          wire.retarget(postgres.url());
          postgresIsDown = undefined;
        });
      whileItLasts(postgresIsDown);
    },
    async heal() {
      for (const thaw of thawers) thaw();
      wire.slowDown(0);
      while (lasting.size > 0) await Promise.all(lasting);
    },
    async stop() {
      isStopping = true;
      for (const thaw of thawers) thaw();
      await Promise.all(members.map(async (one) => one.process?.end('SIGTERM')));
      await killAll();
      await wire.close();
      await postgres.remove();
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process was killed meanwhile.
  }
}
