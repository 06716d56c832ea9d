/**
 * `npm run cluster -- --failover`: three PostgreSQL servers under Patroni, and the whole service in front of them under
 * load. Ten faults at random moments; afterwards every acknowledged confirm must be there, once.
 *
 * TRACE=1 prints the responses of every second of a fault, KEEP=1 keeps all logs, FAULTS='paused,node killed' chooses.
 */
import assert from 'node:assert/strict';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertBooks, query } from '../../test/support/books.ts';
import { eventually } from '../../test/support/eventually.ts';
import { killAll, runCommand } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { freshUser } from '../../test/support/sandbox.ts';
import { progress } from '../stage.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { readGuideFile } from './guide.ts';
import { type Haproxy, startPostgresHaproxy } from './haproxy.ts';
import { LOOP_WAIT_MS, PASSWORDS, type PatroniCluster, startPatroni, TTL_SECONDS } from './patroni.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { missingPackages, serverAccount } from './programs.ts';
import { startTimeLine } from './timeline.ts';
import { type Call, startTraffic, type Traffic } from './traffic.ts';

type Fault = 'PostgreSQL killed' | 'node killed' | 'network cut' | 'paused' | 'switch-over';

/** The longest time without a response that the service promises, in seconds. */
const LIMITS: Readonly<Record<Fault, number>> = {
  'PostgreSQL killed': 10,
  'node killed': TTL_SECONDS + 5,
  'network cut': TTL_SECONDS + 5,
  paused: TTL_SECONDS + 5,
  'switch-over': 3,
};
const FAULTS = Object.keys(LIMITS) as Fault[];
const CALLS: readonly Call[] = ['get-sponsors', 'confirm'];

interface Outcome {
  readonly fault: Fault;
  readonly gaps: Readonly<Record<Call, number>>;
  readonly from: string;
  readonly to: string;
  /** The steps, with the seconds since the fault. */
  readonly timeLine: string;
}

export async function runFailover(rounds: number, signal: AbortSignal): Promise<number> {
  const missing = missingPackages(['postgresql', 'patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'redis-server']);
  if (missing !== undefined) {
    console.error(missing);
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-failover-'));
  await chmod(folder, 0o755);
  const account = await serverAccount();
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const closers: (() => Promise<void>)[] = [];
  let keepLogs = async (_into: string): Promise<void> => undefined;
  const log = (text: string): void => progress(`${(performance.now() / 1_000).toFixed(0)} s: ${text}`);
  /** Everything that starts is added to `closers`, so that a signal can end the work at any moment. */
  async function work(): Promise<number> {
    log('starting etcd and three PostgreSQL servers under Patroni');
    const cluster = await startPatroni(folder, account);
    closers.unshift(() => cluster.stop());
    await cluster.untilHealthy();
    const haproxy = await startPostgresHaproxy(folder, cluster.nodes);
    closers.unshift(() => haproxy.stop());
    const primaryUrl = await createDatabase(haproxy.primaryPort);
    const pgbouncer = await startPgBouncer(primaryUrl, await readGuideFile('/etc/pgbouncer/pgbouncer.ini'));
    closers.unshift(() => pgbouncer.stop());
    const redis = await startRedis();
    closers.unshift(() => redis.stop());

    log('starting 2 API processes, 2 workers and the bot');
    const replicaUrl = new URL(primaryUrl);
    replicaUrl.port = String(haproxy.replicaPort);
    const settings = {
      DATABASE_URL: pgbouncer.url,
      ...(pgbouncer.mode === 'transaction' ? { DATABASE_DIRECT_URL: primaryUrl } : {}),
      DATABASE_REPLICA_URL: replicaUrl.href,
      REDIS_URL: redis.url,
    };
    const fleet = await startFleet(settings, { apis: 2, workers: 2, bots: 1 });
    closers.unshift(killAll);
    keepLogs = async (into) => {
      for (const [i, { stderr }] of [...fleet.apis, ...fleet.workers, ...fleet.bots].entries()) {
        await writeFile(join(into, `service-${i + 1}.log`), stderr());
      }
    };
    const { traffic, publisher } = await startLoad(fleet);
    closers.unshift(() => traffic.abandon());
    await eventually('the load is served', () => traffic.acknowledged.size > 50);

    const outcomes: Outcome[] = [];
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      const fault = chooseFault(round);
      await cluster.untilHealthy();
      await sleep(2_000 + Math.random() * 4_000);
      const outcome = await inject(cluster, haproxy, traffic, fault, log);
      outcomes.push(outcome);
      log(
        `${round + 1} of ${rounds}, ${fault} (${outcome.from} → ${outcome.to}): ${CALLS.map((call) => `${call} away ${seconds(outcome.gaps[call])}`).join(', ')}`,
      );
      log(`  ${outcome.timeLine}`);
      await verifyBooks(primaryUrl);
      await verifyAcknowledged(primaryUrl, publisher.orderId, traffic);
    }
    const etcd: EtcdLost[] = [];
    for (const isFailsafe of [false, true]) {
      if (signal.aborted) break;
      // A Patroni that starts without etcd ends; under systemd it would be started again.
      await cluster.untilHealthy();
      await cluster.configure({ failsafe_mode: isFailsafe });
      await sleep(3 * LOOP_WAIT_MS); // every Patroni has read it
      log(`etcd stopped${isFailsafe ? ', with failsafe_mode' : ''}`);
      const lost = await loseEtcd(cluster, traffic);
      log(`  ${lost.text}`);
      etcd.push(lost);
      await verifyBooks(primaryUrl);
      await verifyAcknowledged(primaryUrl, publisher.orderId, traffic);
    }
    await cluster.untilHealthy();
    await traffic.stop();
    return await report({
      outcomes,
      etcd,
      traffic,
      fleet,
      publisher,
      primaryUrl,
      description: pgbouncer.mode,
      settings,
    });
  }
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped by a signal')));
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    if (process.env.KEEP !== undefined) await keepLogs(folder);
    for (const close of closers) await close().catch((error: unknown) => log(String(error)));
    if (process.env.KEEP === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    else log(`kept: ${folder}`);
  }
}

/** Every kind comes before any kind comes again. */
let bag: Fault[] = [];
function chooseFault(round: number): Fault {
  const only = process.env.FAULTS?.split(',') as Fault[] | undefined;
  if (only !== undefined) return only[round % only.length] ?? 'switch-over';
  if (bag.length === 0) bag = [...FAULTS];
  return bag.splice(Math.floor(Math.random() * bag.length), 1)[0] ?? 'switch-over';
}

async function createDatabase(port: number): Promise<string> {
  const admin = `postgres://postgres:${PASSWORDS.superuser}@127.0.0.1:${port}/postgres`;
  // Until its first checks, HAProxy takes every server for the primary.
  let inARow = 0;
  await eventually(
    'HAProxy knows the primary',
    async () => {
      const sql = 'SELECT pg_is_in_recovery() AS is_standby';
      const [row] = await query<{ is_standby: boolean }>(admin, sql).catch(() => []);
      inARow = row?.is_standby === false ? inARow + 1 : 0;
      return inARow === 10;
    },
    { everyMs: 500 },
  );
  await query(admin, `CREATE ROLE sponsorgate LOGIN PASSWORD '${PASSWORDS.service}'`);
  await query(admin, 'CREATE DATABASE sponsorgate OWNER sponsorgate');
  return `postgres://sponsorgate:${PASSWORDS.service}@127.0.0.1:${port}/sponsorgate`;
}

async function startLoad(fleet: Fleet) {
  const sandbox = fleet.reach(0);
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher({ max_sponsors: 1 });
  const order = await sandbox.advertise({ price_per_sub: 1, quantity: 1_000_000 });
  await eventually('the order is shown', async () => {
    const shown = await Promise.all(
      fleet.apis.map((api) => api.sandbox.getSponsors(publisher.token, freshUser()).catch(() => [])),
    );
    return shown.every((tasks) => tasks.some(({ ads_id }) => ads_id === order.orderId));
  });
  const urls = fleet.apis.map(({ url }) => url);
  const traffic = startTraffic({ urls, token: publisher.token, order, callers: 3, pauseMs: 50 });
  return { traffic, publisher: { ...publisher, orderId: order.orderId } };
}

async function inject(
  cluster: PatroniCluster,
  haproxy: Haproxy,
  traffic: Traffic,
  fault: Fault,
  log: (text: string) => void,
): Promise<Outcome> {
  const victim = await cluster.leader();
  log(`${fault}: ${victim.name}`);
  const timeLine = startTimeLine(cluster, haproxy);
  const begin = performance.now();
  switch (fault) {
    case 'PostgreSQL killed':
      await victim.killPostgres();
      break;
    case 'node killed':
      await victim.killAll();
      break;
    case 'network cut':
      victim.network.cut();
      break;
    case 'paused':
      await victim.pause();
      break;
    case 'switch-over':
      await cluster.switchOver();
      break;
  }
  // Served again means: for some seconds, so that a last response of the old primary does not count.
  const isServed = (): boolean =>
    performance.now() - begin > 4_000 &&
    CALLS.every((call) => traffic.longestGap(call, performance.now() - 3_000, performance.now()).length < 1_500);
  await eventually('both calls are served again', isServed, { everyMs: 100 });
  const end = performance.now();
  const leader = await cluster.leader();
  if (process.env.TRACE !== undefined) for (const line of traffic.describe(begin, end)) log(line);
  if (fault === 'node killed') await victim.start();
  if (fault === 'network cut') victim.network.heal();
  if (fault === 'paused') victim.resume();
  const gap = (call: Call): number => {
    const longest = traffic.longestGap(call, begin, end);
    timeLine.add(`${call} served`, longest.end);
    return longest.length;
  };
  const outcome = {
    fault,
    gaps: { 'get-sponsors': gap('get-sponsors'), confirm: gap('confirm') },
    from: victim.name,
    to: leader.name,
  };
  return { ...outcome, timeLine: timeLine.end() };
}

interface EtcdLost {
  readonly isServedMeanwhile: boolean;
  readonly text: string;
}

/** Stops etcd for longer than the lease of the primary. It must be enough to start etcd again. */
async function loseEtcd(cluster: PatroniCluster, traffic: Traffic): Promise<EtcdLost> {
  await cluster.etcd.stop();
  const begin = performance.now();
  await sleep((TTL_SECONDS + 10) * 1_000);
  const isServed = (): boolean => CALLS.every((call) => performance.now() - traffic.lastSuccess(call) < 1_500);
  const isServedMeanwhile = isServed();
  await cluster.etcd.start();
  const restarted = performance.now();
  await eventually('both calls are served again', isServed, { everyMs: 100 });
  const end = performance.now();
  const gaps = CALLS.map((call) => `${call} ${seconds(traffic.longestGap(call, begin, end).length)}`).join(', ');
  const after = isServedMeanwhile ? 'served all the time' : `served ${seconds(end - restarted)} after its start`;
  return { isServedMeanwhile, text: `stopped for ${seconds(restarted - begin)}; ${after}; longest gap: ${gaps}` };
}

/** Repeats the verification when its own connection is lost, for example because HAProxy changes the server once more. */
async function verifyBooks(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await assertBooks(url);
      return;
    } catch (error) {
      if (error instanceof assert.AssertionError || attempt === 10) throw error;
      await sleep(1_000);
    }
  }
}

/** Throws when an acknowledged confirm is not in the database. */
async function verifyAcknowledged(url: string, orderId: number, traffic: Traffic): Promise<void> {
  const users = [...traffic.acknowledged];
  const [found] = await query<{ present: number }>(
    url,
    `SELECT count(DISTINCT user_id)::int AS present FROM all_tasks
     WHERE order_id = $1 AND user_id = ANY ($2::bigint[]) AND state IN ('held', 'paid', 'settled')`,
    [orderId, users],
  );
  const lost = users.length - (found?.present ?? 0);
  assert.equal(lost, 0, `${lost} of ${users.length} acknowledged confirms are lost`);
}

interface Report {
  readonly outcomes: readonly Outcome[];
  /** Without and with `failsafe_mode`. */
  readonly etcd: readonly EtcdLost[];
  readonly traffic: Traffic;
  readonly fleet: Fleet;
  readonly publisher: { readonly accountId: number; readonly orderId: number };
  readonly primaryUrl: string;
  readonly description: string;
  readonly settings: Readonly<Record<string, string>>;
}

async function report({ outcomes, etcd, traffic, fleet, publisher, primaryUrl, ...rest }: Report): Promise<number> {
  const faults: string[] = [];
  const rows: [string, string][] = [
    ['setup', `3 PostgreSQL under Patroni (ttl ${TTL_SECONDS} s, synchronous), PgBouncer in ${rest.description} mode`],
  ];
  for (const call of CALLS) {
    const counts = [...traffic.results[call]].sort((a, b) => b[1] - a[1]);
    rows.push([call, counts.map(([result, count]) => `${count} × ${result}`).join(', ')]);
    const wrong = counts.filter(([result]) => !/^(200|200 check_unavailable|503)$/.test(result));
    if (wrong.length > 0) faults.push(`${call}: ${wrong.map(([result, count]) => `${count} × ${result}`).join(', ')}`);
  }
  for (const fault of FAULTS) {
    const found = outcomes.filter((outcome) => outcome.fault === fault);
    if (found.length === 0) continue;
    const longest = (call: Call): number => Math.max(...found.map(({ gaps }) => gaps[call]));
    rows.push([
      fault,
      `${found.length} times; longest gap: get-sponsors ${seconds(longest('get-sponsors'))}, confirm ${seconds(longest('confirm'))} (limit ${LIMITS[fault]} s)`,
    ]);
    for (const call of CALLS) {
      if (longest(call) > LIMITS[fault] * 1_000) faults.push(`${fault}: ${call} away for ${seconds(longest(call))}`);
    }
  }

  for (const { fault, from, timeLine } of outcomes) rows.push([`${fault}, ${from}`, timeLine]);
  for (const [i, { text }] of etcd.entries()) rows.push([i === 0 ? 'etcd lost' : 'with failsafe_mode', text]);
  if (etcd[1]?.isServedMeanwhile === false) faults.push('not served without etcd, in spite of failsafe_mode');

  await verifyAcknowledged(primaryUrl, publisher.orderId, traffic).then(
    () => rows.push(['acknowledged', `${traffic.acknowledged.size} confirms acknowledged, 0 lost`]),
    (error: unknown) => faults.push(String(error)),
  );

  const ended = [...fleet.apis, ...fleet.workers, ...fleet.bots].filter(({ pid }) => !isRunning(pid));
  if (ended.length > 0) faults.push(`${ended.length} processes of the service ended`);
  rows.push(['processes', `${ended.length} of 5 restarted or ended`]);
  await verifyBooks(primaryUrl).then(
    () => rows.push(['books', 'every counter and balance agrees with its rows; no subscription is paid twice']),
    (error: unknown) => faults.push(String(error)),
  );
  const verified = await runCommand(['verify-ledger'], rest.settings);
  rows.push(['verify-ledger', verified.stdout.trim().split('\n').at(-1) ?? '']);
  if (verified.code !== 0) faults.push(`verify-ledger: ${verified.stdout} ${verified.stderr}`);

  console.log('');
  for (const [name, text] of rows) console.log(`${name.padEnd(22)} ${text}`);
  for (const example of traffic.examples) console.log(`example                ${example}`);
  for (const fault of faults) console.log(`FAILED                 ${fault}`);
  console.log(`\n${JSON.stringify({ name: 'failover', faults: outcomes.length, failed: faults.length })}`);
  assert.ok(outcomes.length > 0);
  return faults.length === 0 ? 0 : 1;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
