/**
 * A worker process that only delivers webhooks, for tests that kill it. With PAUSE it stops for ever at that step of
 * the first delivery and prints the step on stdout.
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
    onError: console.error,
  });
  deliverer.start();
  setInterval(() => undefined, 60_000); // keeps the process alive: Node exits when only promises are pending
  console.log('started');
}

/**
 * Pauses inside or after the two transactions of a delivery. A claim returns an array and a record returns a number,
 * which tells the two apart.
 */
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
