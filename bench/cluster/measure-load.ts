/** Measures requests per second with one and with all API processes, through PgBouncer and with limits in Redis. */
import { openDatabase } from '../../src/db/index.ts';
import { addOrders, makeGround } from '../fill.ts';
import { request, sendLoad } from '../load.ts';
import { median } from '../random.ts';
import { progress } from '../stage.ts';
import type { Fleet } from './fleet.ts';
import type { Ground } from './ground.ts';

const ROUNDS = 3;
const ROUND_SECONDS = 2;
const CONNECTIONS = 64;
const USERS = 2_000;

let lastUser = 8_900_000_000;

export async function measureLoad(fleet: Fleet, { postgresUrl }: Pick<Ground, 'postgresUrl'>): Promise<string> {
  const db = openDatabase({ url: postgresUrl, poolSize: 2, onError: () => undefined });
  try {
    const urls = fleet.apis.map(({ url }) => url);
    const [first = ''] = urls;
    const ground = await makeGround(first, db);
    await addOrders(db, ground, 200);
    await db.query(`SELECT pg_notify('sponsorgate_changes', 'everything')`);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const users = Array.from({ length: USERS }, () => ++lastUser);
    const asks = users.map((user_id) => request('/api/v1/get-sponsors', { user_id }, { Auth: ground.token }));
    let given = 0;
    await sendLoad({ url: first, next: () => asks[given++], connections: CONNECTIONS, seconds: 60 });

    let turn = 0;
    const next = () => asks[turn++ % asks.length];
    const rates: Record<'one' | 'all', number[]> = { one: [], all: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, asked] of [['one', [first]] as const, ['all', urls] as const]) {
        const connections = Math.ceil(CONNECTIONS / asked.length);
        const results = await Promise.all(
          asked.map((url) => sendLoad({ url, next, connections, seconds: ROUND_SECONDS })),
        );
        const rate = results.reduce((sum, { perSecond }) => sum + perSecond, 0);
        if (round > 0) rates[name].push(rate);
        progress(`${name}: ${Math.round(rate)}/s`);
      }
    }
    const [one, all] = [median(rates.one), median(rates.all)];
    return `repeat callers: ${Math.round(one)}/s with one API process, ${Math.round(all)}/s with ${urls.length} (${(all / one).toFixed(2)}×; client and PostgreSQL share the machine)`;
  } finally {
    await db.close();
  }
}
