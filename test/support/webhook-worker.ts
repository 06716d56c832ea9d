/**
 * A worker that does nothing but deliver webhooks, in a process of its own that tests kill. With PAUSE it stops for ever
 * at that step of the first delivery, says so on stdout, and waits for the end.
 */
import { systemClock } from '../../src/core/clock.ts';
import type { Database, Transaction } from '../../src/core/database.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { openDatabase } from '../../src/db/index.ts';
import { createDeliverer, createSender, type Send } from '../../src/modules/webhooks/index.ts';

export const STEPS = ['claiming', 'claimed', 'sent', 'recording', 'recorded'] as const;
export type Step = (typeof STEPS)[number];

if (process.argv[1] === import.meta.filename) work();

function work(): void {
  const real = openDatabase({ url: String(process.env.DATABASE_URL), onError: console.error });
  const sender = createSender({ allowLoopback: true });
  const send: Send = async (request, signal) => {
    await pauseAt('claimed');
    const result = await sender.send(request, signal);
    await pauseAt('sent');
    return result;
  };
  const deliverer = createDeliverer({
    db: pausing(real),
    clock: systemClock,
    secrets: createSecrets(String(process.env.SECRET_KEY)),
    send,
    onDisabled: async () => undefined,
    onError: console.error,
  });
  deliverer.start();
  setInterval(() => undefined, 60_000); // a process with nothing but a promise to wait for would end
  console.log('started');
}

/** Claims answer what they claimed, records a number: so the two transactions of a delivery are told apart. */
function pausing(real: Database): Database {
  return {
    ...real,
    async transaction<T>(inner: (tx: Transaction) => Promise<T>): Promise<T> {
      const result = await real.transaction(async (tx) => {
        const uncommitted = await inner(tx);
        if (Array.isArray(uncommitted) && uncommitted.length > 0) await pauseAt('claiming');
        if (typeof uncommitted === 'number') await pauseAt('recording');
        return uncommitted;
      });
      if (typeof result === 'number') await pauseAt('recorded');
      return result;
    },
  };
}

async function pauseAt(step: Step): Promise<void> {
  if (process.env.PAUSE !== step) return;
  console.log(`paused: ${step}`);
  await new Promise(() => undefined);
}
