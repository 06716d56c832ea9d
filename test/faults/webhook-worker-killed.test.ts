import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { recordEvents } from '../../src/modules/events/index.ts';
import { eventually } from '../support/eventually.ts';
import { STEPS, type Step } from '../support/webhook-worker.ts';
import { confirmed, SECRET_KEY, WebhookWorld } from '../support/webhooks.ts';

const WORKER = join(import.meta.dirname, '../support/webhook-worker.ts');
const EVENTS = 4;
/** How often each message arrives in all: a worker that dies after sending and before it is written down sends twice. */
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

/** A world of its own for each step, so that they run side by side: each waits for a lease of half a minute. */
async function inWorld(work: (world: WebhookWorld) => Promise<void>): Promise<void> {
  const world = new WebhookWorld();
  try {
    await world.open();
    await work(world);
  } finally {
    await world.close();
  }
}

async function assertDelivered(world: WebhookWorld, withinMs: number): Promise<void> {
  const done = async (): Promise<boolean> => {
    const rows = await world.db.query<{ state: string }>('SELECT state FROM webhook_deliveries');
    return rows.length === EVENTS && rows.every((row) => row.state === 'delivered');
  };
  await eventually('everything is delivered', done, { withinMs, everyMs: 100 });
}

describe('a worker killed between two steps of a delivery', { concurrency: true }, () => {
  for (const step of STEPS) {
    test(`${step}: another worker delivers within 60 seconds, nothing is lost, and a double has the same id`, () =>
      inWorld(async (world) => {
        const owner = await world.owner();
        const receiver = await world.receiver();
        await world.webhook(owner, receiver.url);
        const events = Array.from({ length: EVENTS }, (_, user) => confirmed(owner.accountId, user + 1));
        await world.db.transaction((tx) => recordEvents(tx, events, systemClock.now()));

        const doomed = startWorker(world.database.url, { PAUSE: step });
        const isPaused = () =>
          doomed.output().split(`paused: ${step}`).length - 1 === (step === 'claimed' || step === 'sent' ? EVENTS : 1);
        await eventually(`the worker is at the step: ${step}`, isPaused, { withinMs: 30_000 });
        assert.equal(receiver.received.length, step === 'claiming' || step === 'claimed' ? 0 : EVENTS);
        await doomed.kill();
        const deadline = performance.now() + 60_000;
        startWorker(world.database.url);
        await assertDelivered(world, deadline - performance.now());

        const arrived = Map.groupBy(receiver.received, ({ body }) => JSON.parse(body).data.user_id as number);
        assert.deepEqual([...arrived.keys()].sort(), [1, 2, 3, 4]);
        for (const [user, messages] of arrived) {
          assert.equal(messages.length, TIMES[step], `the message of user ${user}`);
          assert.equal(new Set(messages.map(({ id }) => id)).size, 1);
          assert.equal(new Set(messages.map(({ body }) => body)).size, 1);
        }
      }));
  }

  test('a worker sends directly, whatever proxy its environment names', () =>
    inWorld(async (world) => {
      let proxied = 0;
      const proxy = createServer((_request, response) => {
        proxied++;
        response.writeHead(502).end();
      });
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const owner = await world.owner();
      const receiver = await world.receiver();
      await world.webhook(owner, receiver.url);
      const events = Array.from({ length: EVENTS }, (_, user) => confirmed(owner.accountId, user + 1));
      await world.db.transaction((tx) => recordEvents(tx, events, systemClock.now()));
      startWorker(world.database.url, { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, http_proxy: address });
      await assertDelivered(world, 30_000);
      assert.equal(proxied, 0);
      proxy.close();
    }));
});
