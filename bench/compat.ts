/**
 * Compares the cost of a repeat caller of each compatible API with one of our own get-sponsors, in one run: processor
 * time of the server per request. `node bench/compat.ts`
 *
 * All callers ask for the same users, who have five open tasks. Rounds alternate, because the speed of a machine changes
 * within seconds. Most callers find the pause between live checks not over yet, as bots that ask on every message do.
 * Each round starts with another network: the first one pays for more live checks than the others, because Telegram's
 * budget has filled up while our own API was called.
 */
import { addOrders, makeGround, reloadBook } from './fill.ts';
import { ask, CONNECTIONS, cost } from './get-sponsors-load.ts';
import { request, sendLoad } from './load.ts';
import { median } from './random.ts';
import { onStage, progress, serveOurs } from './stage.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 10);
const ORDERS = 1_000;
const USERS = 2_000;
const TARGET = 1.3;

let lastUser = 8_700_000_000;

const [, , role, argument = ''] = process.argv;
if (role === 'ours') await serveOurs(argument);
else await measure();

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const first = by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

async function measure(): Promise<void> {
  await onStage(async (stage) => {
    const server = await stage.start(import.meta.filename, 'ours', stage.databaseUrl);
    const ground = await makeGround(server.url, stage.db);
    await addOrders(stage.db, ground, ORDERS);
    await reloadBook(stage.db, ORDERS);
    const users = Array.from({ length: USERS }, () => ++lastUser);
    let given = 0;
    await sendLoad({
      url: server.url,
      next: () => (given < users.length ? ask(ground, users[given++] ?? 0) : undefined),
      connections: CONNECTIONS,
      seconds: 60,
    });
    await stage.db.query('ANALYZE');

    const { token } = ground;
    const auth = { Auth: token };
    const requests = {
      ours: (user: number) => ask(ground, user),
      subgram: (user: number) => request('/compat/subgram/get-sponsors', { user_id: user, chat_id: user }, auth),
      flyer: (user: number) => request('/compat/flyer/get_tasks', { key: token, user_id: user }, {}),
      tgrass: (user: number) => request('/compat/tgrass/offers', { tg_user_id: user }, auth),
      piarflow: (user: number) =>
        request('/compat/piarflow/v1/sponsors', { user_id: user }, { Authorization: `Bearer ${token}` }),
      botohub: (user: number) => request('/compat/botohub/get-tasks-extended', { chat_id: user }, auth),
    };
    const names = Object.keys(requests) as (keyof typeof requests)[];
    const networks = names.filter((name) => name !== 'ours');
    const found = new Map(names.map((name) => [name, [] as number[]]));
    let turn = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ['ours' as const, ...rotate(networks, round)]) {
        const { microseconds, perSecond } = await cost(server, () => requests[name](users[turn++ % USERS] ?? 0));
        if (round > 0) found.get(name)?.push(microseconds); // the first round warms up
        progress(`${name}: ${Math.round(perSecond)}/s, ${Math.round(microseconds)} µs of the server's processor`);
      }
    }
    const ours = found.get('ours') ?? [];
    const ratios = networks.map((name): [string, number] => {
      const own = (found.get(name) ?? []).map((microseconds, i) => microseconds / (ours[i] ?? 1));
      return [name, Math.round(median(own) * 100) / 100];
    });
    for (const [name, ratio] of ratios) console.log(`${name.padEnd(9)} ${ratio} × our get-sponsors`);
    const ratio = Math.max(...ratios.map(([, one]) => one));
    console.log(`\n${JSON.stringify({ name: 'compat', ratio, ...Object.fromEntries(ratios), target: TARGET })}`);
    process.exitCode = ratio <= TARGET ? 0 : 1;
  });
}
