/**
 * Tests a whole installation on this machine: several API processes and workers and one bot process, on one PostgreSQL
 * behind PgBouncer and one Redis. `npm run cluster`, or `npm run cluster -- --apis 3 --workers 2`
 *
 * It starts everything on free ports and removes everything at the end. Redis and PgBouncer come from the system's
 * packages. PGBOUNCER=<path> selects another PgBouncer. From version 1.21 it runs in transaction mode.
 *
 * `npm run cluster -- --failover` tests PostgreSQL under Patroni instead (cluster/failover.ts), and
 * `npm run cluster -- --upgrade` a rolling restart behind HAProxy (cluster/upgrade.ts). `--rounds 3` shortens both.
 * `npm run cluster -- --guide` follows docs/guides/high-availability.md (cluster/follow-guide.ts).
 */
import { parseArgs } from 'node:util';
import { killAll } from '../test/support/process.ts';
import { runFailover } from './cluster/failover.ts';
import { startFleet } from './cluster/fleet.ts';
import { followGuide } from './cluster/follow-guide.ts';
import { openGround, whatIsMissing } from './cluster/ground.ts';
import { measureLoad } from './cluster/measure-load.ts';
import { followChanges, killAndGoOn, shareLimits, workOnce } from './cluster/steps.ts';
import { runUpgrade } from './cluster/upgrade.ts';
import { progress } from './stage.ts';

const { values } = parseArgs({
  options: {
    apis: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    failover: { type: 'boolean', default: false },
    upgrade: { type: 'boolean', default: false },
    guide: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const counts = { apis: Math.max(2, Number(values.apis)), workers: Math.max(2, Number(values.workers)), bots: 1 };

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

if (values.failover) process.exitCode = await runFailover(Number(values.rounds ?? 10), stopping.signal);
else if (values.guide) process.exitCode = await followGuide();
else if (values.upgrade) process.exitCode = await runUpgrade(Number(values.rounds ?? 3), stopping.signal);
else {
  const missing = await whatIsMissing();
  if (missing !== undefined) console.error(missing);
  process.exitCode = missing === undefined ? await run() : 1;
}

async function run(): Promise<number> {
  progress('starting PostgreSQL, Redis and PgBouncer');
  const ground = await openGround();
  try {
    progress(`starting ${counts.apis} API processes, ${counts.workers} workers and the bot`);
    const fleet = await startFleet(ground.settings, counts);
    await fleet.reach(0).pauseAllOrders();
    const connections = await ground.pgbouncer.connections();
    const rows: [string, string][] = [
      ['processes', `${counts.apis} api, ${counts.workers} worker, 1 bot; ${ground.description}`],
      [
        'connections',
        `${connections.clients} from the service, ${connections.servers} to PostgreSQL, behind PgBouncer`,
      ],
    ];
    const steps: Readonly<Record<string, () => Promise<string>>> = {
      'shared limits': () => shareLimits(fleet),
      'changes followed': () => followChanges(fleet),
      'work done once': () => workOnce(fleet, ground.postgresUrl),
      'killed and gone on': () => killAndGoOn(fleet, ground.postgresUrl),
      load: async () => {
        while (fleet.apis.length < counts.apis) await fleet.add('apis');
        return measureLoad(fleet, ground);
      },
    };
    let failed = 0;
    const stopped = new Promise<never>((_, reject) => {
      stopping.signal.addEventListener('abort', () => reject(new Error('stopped by a signal')));
    });
    for (const [name, step] of Object.entries(steps)) {
      if (stopping.signal.aborted) break;
      progress(`${(performance.now() / 1000).toFixed(0)} s: ${name}`);
      try {
        rows.push([name, await Promise.race([step(), stopped])]);
      } catch (error) {
        failed++;
        rows.push([name, `FAILED: ${error instanceof Error ? error.message : String(error)}`]);
        progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    }
    await fleet.stop();
    console.log('');
    for (const [name, text] of rows) console.log(`${name.padEnd(20)} ${text}`);
    console.log(`\n${JSON.stringify({ name: 'cluster', ...counts, pgbouncer: ground.pgbouncer.mode, failed })}`);
    return failed === 0 ? 0 : 1;
  } finally {
    await killAll();
    await ground.stop();
  }
}
