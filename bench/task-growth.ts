/**
 * What get-sponsors and confirm cost with ten thousand and with ten million stored tasks, in one run.
 * `node bench/task-growth.ts` (needs about 4 GB of disk under the temporary folder and a few minutes)
 *
 * One server on one database: measured, filled up, measured again. Processor time of the server and wall time both count.
 */
import { addOldTasks, addOpenTasks, addOrders, type Ground, makeGround, reloadBook } from './fill.ts';
import { CONNECTIONS, cost, showTasks } from './get-sponsors-load.ts';
import { request, shoot } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, type Server, type Stage, serveOurs } from './stage.ts';

const SIZES = [10_000, 10_000_000] as const;
const ORDERS = 1_000;
const ROUNDS = 5;
const CONFIRMS_A_ROUND = 5_000;
const TARGET = 1.3;

let lastUser = 9_000_000_000;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else await measure();

interface Costs {
  /** Seconds for a thousand requests, at full load. */
  readonly getSponsors: number;
  readonly confirm: number;
}

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    const ground = await makeGround(server.url, stage.db);
    const firstOrder = await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const found: Costs[] = [];
    let stored = 0;
    for (const size of SIZES) {
      const begin = performance.now();
      const firstUser = 20_000_000 + stored;
      await addOldTasks(stage.db, ground, { firstUser, count: size - stored, firstOrder, orders: ORDERS });
      stored = size;
      await stage.db.query('VACUUM (ANALYZE) task_lists, offers');
      progress(`${size} tasks stored, filled in ${Math.round((performance.now() - begin) / 1000)} s`);
      found.push(await costs(stage, server, ground, firstOrder));
    }
    print(found);
  });
}

async function costs(stage: Stage, server: Server, ground: Ground, firstOrder: number): Promise<Costs> {
  const shown: number[] = [];
  const confirmed: number[] = [];
  await cost(server, showTasks(ground));
  for (let round = 0; round < ROUNDS; round++) {
    shown.push(1000 / (await cost(server, showTasks(ground))).perSecond);
    const next = await openTasks(stage, ground, firstOrder);
    confirmed.push(1000 / (await shoot({ url: server.url, next, connections: CONNECTIONS, seconds: 30 })).perSecond);
  }
  return { getSponsors: median(shown), confirm: median(confirmed) };
}

async function openTasks(stage: Stage, ground: Ground, firstOrder: number): Promise<() => Buffer | undefined> {
  const firstUser = lastUser + 1;
  lastUser += CONFIRMS_A_ROUND;
  await addOpenTasks(stage.db, ground, { firstUser, users: CONFIRMS_A_ROUND, firstOrder, orders: ORDERS });
  let sent = 0;
  return () => {
    if (sent === CONFIRMS_A_ROUND) return undefined;
    const body = { user_id: firstUser + sent, ads_id: firstOrder + (sent % ORDERS) };
    sent += 1;
    return request('/api/v1/confirm-subscription', body, { Auth: ground.token });
  };
}

function print([few, many]: readonly Costs[]): void {
  if (few === undefined || many === undefined) throw new Error('nothing was measured');
  const ratio = (key: keyof Costs): number => Math.round((many[key] / few[key]) * 100) / 100;
  const figures = { getSponsors: ratio('getSponsors'), confirm: ratio('confirm') };
  console.log('cost with 10 million stored tasks, against 10 thousand');
  console.log(`get-sponsors ×${figures.getSponsors}, confirm ×${figures.confirm}`);
  console.log(
    `\n${JSON.stringify({ name: 'task-growth', ...figures, targets: { getSponsors: TARGET, confirm: TARGET } })}`,
  );
  process.exitCode = Math.max(figures.getSponsors, figures.confirm) <= TARGET ? 0 : 1;
}
