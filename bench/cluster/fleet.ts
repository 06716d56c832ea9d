/** The processes of the service: several for the API, several workers, one for the bot. */
import { type ServiceProcess, type Settings, startProcess } from '../../test/support/process.ts';
import type { Sandbox } from '../../test/support/sandbox.ts';

export interface Fleet {
  readonly apis: ServiceProcess[];
  readonly workers: ServiceProcess[];
  readonly bots: ServiceProcess[];
  /** Returns the API process for this turn (round robin). */
  reach(turn: number): Sandbox;
  /** Starts one more process of a kind. */
  add(kind: Kind): Promise<ServiceProcess>;
  /** Kills one process of a kind with SIGKILL and removes it from the fleet. */
  kill(kind: Kind): Promise<void>;
  stop(): Promise<void>;
}

export type Kind = 'apis' | 'workers' | 'bots';

const ROLE: Readonly<Record<Kind, string>> = { apis: 'api', workers: 'worker', bots: 'bot' };

/**
 * Addresses have the default limits, so that a step can test them. Bots have no limits, so that they do not reject the
 * load.
 */
const LIMITS: Settings = { ADDRESS_RATE_LIMIT_PER_SECOND: '20', ADDRESS_RATE_LIMIT_BURST: '40' };

export async function startFleet(settings: Settings, counts: Readonly<Record<Kind, number>>): Promise<Fleet> {
  const fleet: Record<Kind, ServiceProcess[]> = { apis: [], workers: [], bots: [] };
  const add = async (kind: Kind): Promise<ServiceProcess> => {
    const started = await startProcess({ ...settings, ...LIMITS, ROLES: ROLE[kind], LOG_LEVEL: 'info' });
    fleet[kind].push(started);
    return started;
  };
  for (const kind of ['apis', 'workers', 'bots'] as const) {
    for (let n = 0; n < counts[kind]; n++) await add(kind);
  }
  return {
    ...fleet,
    add,
    reach(turn) {
      const reached = fleet.apis[turn % fleet.apis.length];
      if (reached === undefined) throw new Error('no API process is left');
      return reached.sandbox;
    },
    async kill(kind) {
      await fleet[kind].shift()?.end('SIGKILL');
    },
    async stop() {
      await Promise.all(Object.values(fleet).flatMap((some) => some.map((one) => one.end('SIGTERM'))));
    },
  };
}
