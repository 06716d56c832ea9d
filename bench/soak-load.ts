/** The load of bench/soak.ts and bench/replica.ts. */
import type { OpenDatabase } from '../src/db/index.ts';
import { addOpenTasks, type Ground } from './fill.ts';
import { ask } from './get-sponsors-load.ts';
import { request } from './load.ts';

/** The number of active orders that the load expects. */
export const ORDERS = 1_000;
const REPEAT_USERS = 5_000;
const OPEN_TASKS = 20_000;

/**
 * Returns an endless mixture of requests: of ten, eight are from repeat callers, one is a user's first call and one
 * confirms a task. Creates new open tasks when the old ones are used up.
 */
export async function mixture(db: OpenDatabase, ground: Ground, firstOrder: number): Promise<() => Buffer> {
  // Ids below those of recent accounts: users with neighbouring recent ids would make the bots low in the hourly scoring.
  const repeating = Array.from({ length: REPEAT_USERS }, (_, i) => 6_000_000_000 + i);
  let newcomer = 6_100_000_000;
  const first = 5_500_000_000;
  let [laidOut, confirmed, asked] = [first, first, 0];
  let isLayingOut = false;
  const layOut = async (): Promise<void> => {
    await addOpenTasks(db, ground, { firstUser: laidOut, users: OPEN_TASKS, firstOrder, orders: ORDERS });
    laidOut += OPEN_TASKS;
    isLayingOut = false;
  };
  await layOut();
  return () => {
    asked += 1;
    if (laidOut - confirmed < OPEN_TASKS / 2 && !isLayingOut) {
      isLayingOut = true;
      layOut().catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
    }
    if (asked % 10 === 0) return ask(ground, ++newcomer);
    if (asked % 10 === 5 && confirmed < laidOut) {
      const place = (confirmed - first) % OPEN_TASKS;
      const body = { user_id: confirmed++, ads_id: firstOrder + (place % ORDERS) };
      return request('/api/v1/confirm-subscription', body, { Auth: ground.token });
    }
    return ask(ground, repeating[asked % REPEAT_USERS] ?? 0);
  };
}
