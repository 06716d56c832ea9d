import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { recordEvents } from '../../src/modules/events/index.ts';
import { eventually } from '../support/eventually.ts';
import { scaledLimitMs } from '../support/machine.ts';
import { answer } from '../support/receiver.ts';
import { STEPS, type Step } from '../support/webhook-worker.ts';
import { confirmed, inWorld, SECRET_KEY, type WebhookWorld } from '../support/webhooks.ts';

const WORKER = join(import.meta.dirname, '../support/webhook-worker.ts');
/** How often the event arrives in total. A worker killed between sending and recording causes a second attempt. */
const TIMES: Readonly<Record<Step, number>> = { claiming: 1, claimed: 1, sent: 2, recording: 2, recorded: 1 };

const alive = new Set<ChildProcess>();
after(() => {
  for (const child of alive) child.kill('SIGKILL');
});

function startWorker(databaseUrl: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [WORKER], {
    env: { DATABASE_URL: databaseUrl, SECRET_KEY, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  alive.add(child);
  child.on('close', () => alive.delete(child));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    output: () => output,
    async kill(): Promise<void> {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

async function assertDelivered(world: WebhookWorld, since: number): Promise<void> {
  const done = async (): Promise<boolean> => {
    const [row] = await world.db.query<{ state: string }>('SELECT state FROM webhook_deliveries');
    return row?.state === 'delivered';
  };
  await eventually('the message is delivered', done, { everyMs: 100 });
  const took = performance.now() - since;
  assert.ok(took < scaledLimitMs(60_000), `it took ${took} ms`);
}

/** The tests run in parallel, each on its own database, because a lease lasts half a minute. */
describe('a worker killed between two steps of a delivery', { concurrency: true }, () => {
  for (const step of STEPS) {
    test(`${step}: another worker delivers within 60 seconds, no event is lost, and a repeat has the same id`, () =>
      inWorld(async (world) => {
        const owner = await world.owner();
        const receiver = await world.receiver();
        await world.endpoint(owner, receiver.url);
        const event = confirmed(owner.accountId);
        await world.db.transaction((tx) => recordEvents(tx, [event], systemClock.now()));

        const doomed = startWorker(world.database.url, { PAUSE: step });
        const isPaused = () => doomed.output().includes(`paused: ${step}`);
        await eventually(`the worker is at the step: ${step}`, isPaused);
        const isSent = step !== 'claiming' && step !== 'claimed';
        assert.equal(receiver.received.length, isSent ? 1 : 0);
        await doomed.kill();
        const killedAt = performance.now();
        const next = startWorker(world.database.url);
        await assertDelivered(world, killedAt);
        await next.kill();

        const messages = receiver.received;
        assert.equal(messages.length, TIMES[step]);
        assert.equal(new Set(messages.map(({ id }) => id)).size, 1);
        assert.equal(new Set(messages.map(({ body }) => body)).size, 1);
        assert.deepEqual(JSON.parse(messages[0]?.body ?? '').data, event.data);
      }));
  }

  test('a worker sends directly and ignores proxies in its environment', () =>
    inWorld(async (world) => {
      const proxy = await world.receiver(answer(502));
      const owner = await world.owner();
      const receiver = await world.receiver();
      await world.endpoint(owner, receiver.url);
      await world.db.transaction((tx) => recordEvents(tx, [confirmed(owner.accountId)], systemClock.now()));
      const proxyUrl = new URL(proxy.url).origin;
      const settings = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxyUrl, http_proxy: proxyUrl };
      const worker = startWorker(world.database.url, settings);
      await assertDelivered(world, 30_000);
      await worker.kill();
      assert.deepEqual([receiver.received.length, proxy.received.length], [1, 0]);
    }));
});
