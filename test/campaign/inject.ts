import { setTimeout as sleep } from 'node:timers/promises';
import type { CryptoPayDouble } from '../support/crypto-pay-double.ts';
import { moveClock } from '../support/workers.ts';
import { insist } from './outside.ts';
import type { Fault, TelegramMode } from './plan.ts';
import { runRace } from './races.ts';
import type { CampaignReceiver } from './receiver.ts';
import type { Scene } from './visitors.ts';

export interface Injector {
  /** Returns when the fault has begun. A lasting fault continues in the background. */
  inject(fault: Fault): Promise<void>;
  /** Ends all faults. */
  heal(): Promise<void>;
}

/** The fault settings of the emulator; `never` is longer than every timeout of the service. */
const TELEGRAM: Readonly<Record<TelegramMode, object>> = {
  '429': { mode: 'too_many_requests', retry_after: 1 },
  '5xx': { mode: 'down' },
  garbage: { mode: 'garbage' },
  slow: { mode: 'slow', delay_ms: 1_500 },
  never: { mode: 'slow', delay_ms: 600_000 },
};
const TRIES = 60;

export function createInjector(scene: Scene, bank: CryptoPayDouble, receiver: CampaignReceiver): Injector {
  const { cluster } = scene;
  const lasting = new Set<Promise<void>>();
  const during = (work: Promise<void>): void => {
    const kept = work
      .catch((error: unknown) => void scene.witness.outrages.push(`a fault could not be carried out: ${String(error)}`))
      .finally(() => lasting.delete(kept));
    lasting.add(kept);
  };
  const setTelegram = (body: object) => insist(cluster.members, 'POST', '/sandbox/faults', { body });

  async function inject(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
        return cluster.kill(fault.who, fault.downMs);
      case 'freeze':
        return cluster.freeze(fault.who, fault.forMs);
      case 'kill-postgres':
        return cluster.killPostgres(fault.downMs);
      case 'kill-backend':
        return untilDone(() => cluster.postgres.killBackend(fault.draw));
      case 'cut-wire': {
        const end = cluster.wire.cut();
        return during(sleep(fault.forMs).then(end));
      }
      case 'hang-up-wire':
        return cluster.wire.hangUp();
      case 'slow-wire':
        cluster.wire.slowDown(fault.delayMs);
        return during(sleep(fault.forMs).then(() => cluster.wire.slowDown(0)));
      case 'telegram': {
        await setTelegram({ ...TELEGRAM[fault.mode], method: fault.method });
        return during(sleep(fault.forMs).then(() => setTelegram({ mode: 'none' }).then(() => undefined)));
      }
      case 'move-clock': {
        const { seconds } = fault;
        if (fault.through === 'the workers alone') return untilDone(() => moveClock(cluster.postgres.url(), seconds));
        // The call returns when all due work is done; the campaign does not wait for it.
        return during(
          insist(cluster.apis, 'POST', '/sandbox/clock', { body: { advance_seconds: seconds } }, 1).then(
            () => undefined,
            () => untilDone(() => moveClock(cluster.postgres.url(), seconds)),
          ),
        );
      }
      case 'receiver':
        receiver.misbehave(fault.mode);
        return during(sleep(fault.forMs).then(() => receiver.misbehave(undefined)));
      case 'bank':
        for (const method of ['transfer', 'getTransfers', 'getExchangeRates']) {
          bank.fail(method, { mode: fault.mode, done: fault.done }, fault.calls);
        }
        return;
      case 'race':
        return during(runRace(scene, fault.what, fault.seed));
    }
  }

  return {
    inject,
    async heal() {
      // In parallel, because a lasting fault may need another one to end first.
      const ended = Promise.all([...lasting]);
      await cluster.heal();
      await ended;
      await cluster.heal();
      bank.heal();
      receiver.misbehave(undefined);
      await setTelegram({ mode: 'none' });
    },
  };
}

/** Retries, because an earlier fault may have stopped the database. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES) throw error;
      await sleep(250);
    }
  }
}
