/**
 * Measures what traces cost: the processor time of the API for a repeat caller's get-sponsors, for a first call and for a
 * confirm, without traces, with one request in a hundred traced, and with all of them, in turns. `node bench/tracing.ts`
 *
 * `node bench/tracing.ts FOLDER` also measures another checkout in that folder, with the same database: one from before the
 * traces, or one without their code, to show what the code costs while traces are off. Its node_modules must be installed.
 * TRACING_ONLY=off leaves out the servers that trace.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, confirmTasks, cost } from './get-sponsors-load.ts';
import { sendLoad } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, serveOurs } from './stage.ts';

const ROUNDS = Number(process.env.TRACING_ROUNDS ?? 10);
const CONFIRMS_A_ROUND = 3_000;
const ORDERS = 200;
const REPEAT_USERS = 2_000;

let lastUser = 8_700_000_000;

const [, , role, argument = '', endpoint = '', share = ''] = process.argv;
if (role === 'ours') {
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share };
  await serveOurs(argument, 'api', endpoint === '' ? {} : traces);
} else {
  await measure(role);
}

/** Accepts every trace and reads none. */
async function startCollector(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function measure(earlier: string | undefined): Promise<void> {
  const collector = await startCollector();
  await onStage(async (stage) => {
    const own = import.meta.filename;
    const servers: Record<string, Server> = { off: await stage.start(own, 'ours', stage.databaseUrl) };
    if (process.env.TRACING_ONLY !== 'off') {
      servers['1 %'] = await stage.start(own, 'ours', stage.databaseUrl, collector.url, '0.01');
      servers.all = await stage.start(own, 'ours', stage.databaseUrl, collector.url, '1');
    }
    if (earlier !== undefined) {
      servers.other = await stage.start(join(resolve(earlier), 'bench/get-sponsors.ts'), 'ours', stage.databaseUrl);
    }
    const { off } = servers;
    if (off === undefined) return;
    const ground = await makeGround(off.url, stage.db);
    const firstOrder = await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const users = Array.from({ length: REPEAT_USERS }, () => ++lastUser);
    let given = 0;
    await sendLoad({
      url: off.url,
      next: () => (given < users.length ? ask(ground, users[given++] ?? 0) : undefined),
      connections: CONNECTIONS,
      seconds: 60,
    });
    await stage.db.query('ANALYZE');

    let turn = 0;
    const calls = {
      repeat: (): Buffer => ask(ground, users[turn++ % users.length] ?? 0),
      first: (): Buffer => ask(ground, ++lastUser),
    };
    const confirms = async (): Promise<() => Buffer | undefined> => {
      const firstUser = lastUser + 1;
      lastUser += CONFIRMS_A_ROUND;
      const tasks = { firstUser, users: CONFIRMS_A_ROUND, firstOrder, orders: ORDERS };
      return confirmTasks(stage.db, ground, tasks);
    };
    const found = new Map<string, number[]>();
    for (let round = 0; round <= ROUNDS; round++) {
      // Every second round goes backwards: a later server finds a larger database.
      const turns = Object.entries(servers);
      for (const [name, server] of round % 2 === 0 ? turns : turns.reverse()) {
        for (const [call, next] of Object.entries({ ...calls, confirm: await confirms() })) {
          const { microseconds } = await cost(server, next);
          const key = `${name}, ${call}`;
          if (round > 0) found.set(key, [...(found.get(key) ?? []), microseconds]); // the first round warms up
          progress(`${key}: ${microseconds.toFixed(1)} µs`);
        }
      }
    }
    print(Object.keys(servers), found);
  });
  collector.close();
}

/** Compares each server with the one without traces in the same turn: the speed of a machine changes within seconds. */
function print(names: readonly string[], found: ReadonlyMap<string, number[]>): void {
  const figures: Record<string, number> = {};
  for (const call of ['repeat', 'first', 'confirm']) {
    const off = found.get(`off, ${call}`) ?? [];
    for (const name of names) {
      const costs = found.get(`${name}, ${call}`) ?? [];
      const ratio = median(costs.map((value, i) => value / (off[i] ?? 0)));
      figures[`${name} ${call}`] = Math.round(ratio * 1000) / 1000;
      console.log(
        `${call.padEnd(8)} ${name.padEnd(8)} ${median(costs).toFixed(1).padStart(7)} µs  ×${ratio.toFixed(3)}`,
      );
    }
  }
  console.log(`\n${JSON.stringify({ name: 'tracing', ...figures })}`);
}
