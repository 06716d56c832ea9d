/**
 * Measures webhook events per second, from the transaction that records them to the endpoint, on a durable PostgreSQL:
 * only recorded, delivered to one endpoint, to fifty, and to one while another hangs. `node bench/webhooks.ts`
 *
 * The endpoints are in a separate process that responds at once. This process records and delivers the events.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/core/clock.ts';
import { createSecrets } from '../src/core/secrets.ts';
import { migrate, type OpenDatabase, openDatabase, serviceMigrations, startEmbeddedPostgres } from '../src/db/index.ts';
import { openAccount } from '../src/modules/accounts/index.ts';
import { type NewEvent, recordEvents } from '../src/modules/events/index.ts';
import { createDeliverer, createEndpoint, createSender } from '../src/modules/webhooks/index.ts';
import { median } from './random.ts';

const ROUNDS = 3;
const EVENTS = 2_000;
/** The largest number of events that one group commit of confirms records. */
const PER_TRANSACTION = 50;
const MANY_WEBHOOKS = 50;

let lastUser = 0;

if (process.argv[2] === 'receivers') serveReceivers();
else await measure();

/** Starts the endpoints. `/hang` never responds; all other paths respond and count. */
function serveReceivers(): void {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/hang') return;
    received++;
    response.writeHead(204).end();
  });
  process.on('message', () => process.send?.({ received }));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

interface Bench {
  readonly db: OpenDatabase;
  readonly receivers: ChildProcess;
  readonly url: string;
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined });
  const receivers = fork(import.meta.filename, ['receivers']);
  const db = openDatabase({ url: postgres.url, onError: () => undefined });
  try {
    await migrate(postgres.url, [serviceMigrations]);
    const [hello] = (await once(receivers, 'message')) as [{ port: number }];
    await run({ db, receivers, url: `http://127.0.0.1:${hello.port}` });
  } finally {
    receivers.kill();
    await db.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(bench: Bench): Promise<void> {
  const rates = {
    recorded: [] as number[],
    toOne: [] as number[],
    toMany: [] as number[],
    besideHanging: [] as number[],
    microseconds: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round++) {
    const one = await deliver(bench, { webhooks: 1, hanging: 0 });
    const many = await deliver(bench, { webhooks: MANY_WEBHOOKS, hanging: 0 });
    const beside = await deliver(bench, { webhooks: 1, hanging: 1 });
    rates.recorded.push(one.recordedPerSecond);
    rates.toOne.push(one.deliveredPerSecond);
    rates.toMany.push(many.deliveredPerSecond);
    rates.besideHanging.push(beside.deliveredPerSecond);
    rates.microseconds.push(many.microseconds);
  }
  const figures = Object.fromEntries(Object.entries(rates).map(([name, list]) => [name, Math.round(median(list))]));
  console.log(`webhook events per second, medians of ${ROUNDS} rounds of ${EVENTS} events, Node ${process.version}\n`);
  console.log(`recorded, ${PER_TRANSACTION} in a transaction       ${figures.recorded}`);
  console.log(`delivered to one receiver            ${figures.toOne}`);
  console.log(`delivered to ${MANY_WEBHOOKS} receivers            ${figures.toMany}`);
  console.log(`delivered to one, another one hangs  ${figures.besideHanging}`);
  console.log(`processor µs of this process for one of the ${MANY_WEBHOOKS}'s  ${figures.microseconds}\n`);
  console.log(JSON.stringify({ name: 'webhooks', perSecond: figures.toMany, ...figures }));
}

async function deliver(
  { db, receivers, url }: Bench,
  { webhooks, hanging }: { webhooks: number; hanging: number },
): Promise<{ recordedPerSecond: number; deliveredPerSecond: number; microseconds: number }> {
  const clock = systemClock;
  const secrets = createSecrets('bench'.repeat(10));
  const accounts = await Promise.all(
    Array.from({ length: webhooks }, async () => {
      const telegramUserId = ++lastUser;
      return db.transaction((tx) => openAccount(tx, { telegramUserId, name: 'bench', at: clock.now() }));
    }),
  );
  for (const { id: accountId } of accounts) {
    for (const path of ['/fast', ...Array<string>(hanging).fill('/hang')]) {
      const input = { accountId, url: url + path, events: ['subscription.confirmed'] as const };
      const created = await createEndpoint({ db, clock, secrets, allowLoopback: true }, input);
      if (created.kind !== 'created') throw new Error(created.kind);
    }
  }
  const ids = accounts.map((account) => account.id);
  const recordBegin = performance.now();
  for (let first = 0; first < EVENTS; first += PER_TRANSACTION) {
    const events = Array.from({ length: PER_TRANSACTION }, (_, n) =>
      confirmed(ids[(first + n) % ids.length] ?? 0, first + n),
    );
    await db.transaction((tx) => recordEvents(tx, events, clock.now()));
  }
  const recordMs = performance.now() - recordBegin;

  const before = await receivedBy(receivers);
  const sender = createSender({ allowLoopback: true });
  const deliverer = createDeliverer({
    db,
    clock,
    secrets,
    send: sender.send,
    onError: console.error,
  });
  const cpuBegin = process.cpuUsage();
  const begin = performance.now();
  deliverer.start();
  while ((await receivedBy(receivers)) - before < EVENTS) await new Promise((resolve) => setTimeout(resolve, 5));
  const deliverMs = performance.now() - begin;
  const cpu = process.cpuUsage(cpuBegin);
  await deliverer.stop();
  sender.close();
  await db.query('TRUNCATE webhook_deliveries, webhook_attempts, webhook_endpoints, events');
  return {
    recordedPerSecond: (EVENTS / recordMs) * 1000,
    deliveredPerSecond: (EVENTS / deliverMs) * 1000,
    microseconds: (cpu.user + cpu.system) / EVENTS,
  };
}

async function receivedBy(receivers: ChildProcess): Promise<number> {
  receivers.send('how many');
  const [answer] = (await once(receivers, 'message')) as [{ received: number }];
  return answer.received;
}

function confirmed(accountId: number, userId: number): NewEvent {
  const at = systemClock.now().toISOString();
  return {
    accountId,
    type: 'subscription.confirmed',
    data: {
      role: 'publisher',
      bot_id: 1,
      user_id: userId + 1,
      order_id: 1,
      status: 'subscribed',
      amount: 2.1,
      credit_status: 'hold',
      created_at: at,
    },
  };
}
