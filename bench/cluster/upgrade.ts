/**
 * `npm run cluster -- --upgrade`: replaces every process of the service under load, behind HAProxy, as an upgrade does.
 * No request may fail.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/db/index.ts';
import { assertBooks } from '../../test/support/books.ts';
import { eventually } from '../../test/support/eventually.ts';
import { killAll, type ServiceProcess, startProcess } from '../../test/support/process.ts';
import { freePort, startRedis } from '../../test/support/redis.ts';
import { freshUser } from '../../test/support/sandbox.ts';
import { progress } from '../stage.ts';
import { startHttpHaproxy } from './haproxy.ts';
import { missingPackages } from './programs.ts';
import { startTraffic } from './traffic.ts';

/** HAProxy notices within a second that a process is not ready: two checks, one every half second. */
const DRAIN_SECONDS = 3;

export async function runUpgrade(rounds: number, signal: AbortSignal): Promise<number> {
  const missing = missingPackages(['haproxy', 'redis-server']);
  if (missing !== undefined) {
    console.error(missing);
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-upgrade-'));
  await chmod(folder, 0o755);
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const log = (text: string): void => progress(`${(performance.now() / 1_000).toFixed(0)} s: ${text}`);
  /** Everything that starts is added to `closers`, so that a signal can end the work at any moment. */
  async function work(): Promise<number> {
    log('starting PostgreSQL, Redis, 2 API processes, 2 workers and the bot');
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: () => undefined });
    closers.unshift(() => postgres.stop());
    const redis = await startRedis();
    closers.unshift(() => redis.stop());
    closers.unshift(killAll);
    const start = async (role: string, port?: number): Promise<ServiceProcess> =>
      startProcess({
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        ROLES: role,
        DRAIN_SECONDS: String(DRAIN_SECONDS),
        ...(port === undefined ? {} : { PORT: String(port) }),
      });
    const ports = [await freePort(), await freePort()];
    const apis: ServiceProcess[] = [];
    for (const port of ports) apis.push(await start('api', port));
    const others: { readonly role: string; process: ServiceProcess }[] = [];
    for (const role of ['worker', 'worker', 'bot']) others.push({ role, process: await start(role) });
    const haproxy = await startHttpHaproxy(folder, ports);
    closers.unshift(() => haproxy.stop());

    const [first] = apis;
    if (first === undefined) throw new Error('no API process');
    await first.sandbox.pauseAllOrders();
    const publisher = await first.sandbox.publisher({ max_sponsors: 1 });
    const order = await first.sandbox.advertise({ price_per_sub: 1, quantity: 1_000_000 });
    await eventually('the order is shown', async () => {
      const shown = await Promise.all(apis.map(({ sandbox }) => sandbox.getSponsors(publisher.token, freshUser())));
      return shown.every((tasks) => tasks.some(({ ads_id }) => ads_id === order.orderId));
    });
    const traffic = startTraffic({ urls: [haproxy.url], token: publisher.token, order, callers: 3, pauseMs: 20 });
    closers.unshift(() => traffic.abandon());
    await eventually('the load is served', () => traffic.acknowledged.size > 50);

    let replaced = 0;
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      log(`round ${round + 1} of ${rounds}`);
      // In the order of docs/guides/upgrading.md: worker, bot, api.
      for (const one of others) {
        await one.process.end('SIGTERM');
        one.process = await start(one.role);
        replaced++;
      }
      for (const [i, port] of ports.entries()) {
        const exit = await apis[i]?.end('SIGTERM');
        if (exit?.code !== 0) throw new Error(`an API process ended with ${exit?.code}`);
        apis[i] = await start('api', port);
        await eventually('the new process is ready', async () => (await fetch(`${apis[i]?.url}/api/v1/ready`)).ok);
        await sleep(2_000); // HAProxy uses it again
        replaced++;
      }
    }
    await traffic.stop();
    await assertBooks(postgres.url);
    const counts = Object.entries(traffic.results).map(
      ([call, results]) => `${call}: ${[...results].map(([result, count]) => `${count} × ${result}`).join(', ')}`,
    );
    const failed = Object.values(traffic.results)
      .flatMap((results) => [...results])
      .filter(([result]) => !result.startsWith('200'))
      .reduce((sum, [, count]) => sum + count, 0);
    console.log(`\nreplaced             ${replaced} processes in ${rounds} rounds, behind HAProxy`);
    for (const text of counts) console.log(`requests             ${text}`);
    for (const example of traffic.examples) console.log(`example              ${example}`);
    console.log('books                every counter and balance agrees with its rows');
    console.log(`\n${JSON.stringify({ name: 'upgrade', replaced, failed })}`);
    return failed === 0 ? 0 : 1;
  }
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped by a signal')));
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    for (const close of closers) await close().catch((error: unknown) => log(String(error)));
  }
}
