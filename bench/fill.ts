/**
 * Fills the tables in seconds as weeks of traffic would. Writes directly to PostgreSQL, without transfers in the
 * ledger.
 */
import type { OpenDatabase } from '../src/db/index.ts';
import { control } from './stage.ts';

export interface Ground {
  readonly token: string;
  readonly botId: number;
  readonly accountId: number;
  readonly advertiserId: number;
}

/** Creates a publisher with one bot and an advertiser with enough money. Pauses all demo orders. */
export async function makeGround(url: string, db: OpenDatabase): Promise<Ground> {
  await db.query("UPDATE orders SET status = 'cancelled' WHERE status = 'active'");
  const { account_id: accountId } = await control<{ account_id: number }>(url, '/accounts', {});
  const bot = await control<{ bot_id: number; api_token: string }>(url, '/bots', { account_id: accountId });
  const { account_id: advertiserId } = await control<{ account_id: number }>(url, '/accounts', { deposit: 1e9 });
  return { token: bot.api_token, botId: bot.bot_id, accountId, advertiserId };
}

/** Creates orders at 10 rubles with enough slots for the whole load. Returns the first id; the other ids follow it. */
export async function addOrders(
  db: OpenDatabase,
  { advertiserId }: Ground,
  count: number,
  quantity = 1_000_000,
): Promise<number> {
  return db.transaction(async (tx) => {
    const [{ last } = { last: 0n }] = await tx.query<{ last: bigint }>(
      'SELECT coalesce(max(id), 0) AS last FROM orders',
    );
    const first = Number(last) + 1;
    await tx.query(
      `INSERT INTO resources (id, type, chat_id, created_at) OVERRIDING SYSTEM VALUE
       SELECT $1::bigint + i + 1000000, 'channel', -1009000000000 - $1::bigint - i, now() FROM generate_series(0, $2::int - 1) i`,
      [first, count],
    );
    await tx.query(
      `INSERT INTO orders (id, account_id, resource_id, name, title, link, status, price_kopecks, charge_kopecks,
                           reward_kopecks, quantity, hold_seconds, refund, created_at) OVERRIDING SYSTEM VALUE
       SELECT $1::bigint + i, $3, $1::bigint + i + 1000000, 'Order ' || i, 'Channel number ' || i, 'https://t.me/channel_' || i,
              'active', 1000, 1000, 700, $4, 86400, true, now() FROM generate_series(0, $2::int - 1) i`,
      [first, count, advertiserId, quantity],
    );
    await tx.query(
      'INSERT INTO order_progress (order_id) SELECT $1::bigint + i FROM generate_series(0, $2::int - 1) i',
      [first, count],
    );
    await tx.query(
      `INSERT INTO ledger_accounts (kind, owner_id, balance_kopecks)
       SELECT kind, $1::bigint + i, CASE kind WHEN 'escrow' THEN 1000::bigint * $3 ELSE 0 END
       FROM generate_series(0, $2::int - 1) i, unnest(ARRAY['escrow', 'platform']) AS kind`,
      [first, count, quantity],
    );
    // The emulator needs the channels too: the few checks that its budget allows must find our bot as an administrator.
    await tx.query(
      `INSERT INTO sandbox.tg_chats (chat_id, type, title, created_at)
       SELECT -1009000000000 - $1::bigint - i, 'channel', 'Channel number ' || i, now() FROM generate_series(0, $2::int - 1) i`,
      [first, count],
    );
    await tx.query(
      `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member, joined_at)
       SELECT -1009000000000 - $1::bigint - i, 700000001, 'administrator', true, now() FROM generate_series(0, $2::int - 1) i`,
      [first, count],
    );
    await tx.query("SELECT setval('orders_id_seq', $1), setval('resources_id_seq', $2)", [
      first + count,
      first + count + 1_000_000,
    ]);
    return first;
  });
}

export interface OpenTasks {
  readonly firstUser: number;
  readonly users: number;
  readonly firstOrder: number;
  readonly orders: number;
  /** Whether the tables are analyzed afterwards. PostgreSQL plans every prepared statement again after that. */
  readonly isAnalyzed?: boolean;
}

/**
 * Creates open tasks: user `firstUser + i` has a task of order `firstOrder + i % orders`, has joined, and Telegram has
 * reported the join.
 */
export async function addOpenTasks(db: OpenDatabase, { botId, accountId }: Ground, tasks: OpenTasks): Promise<void> {
  const { firstUser, users, firstOrder, orders, isAnalyzed = true } = tasks;
  await db.transaction(async (tx) => {
    const params = [firstUser, users, firstOrder, orders, botId];
    await tx.query(
      `INSERT INTO task_lists (user_id, bot_id, account_id, number, requested, ends_at, tasks, expires_at)
       SELECT $1::bigint + i, $5, $6, 1, 1, now() + interval '20 hours', ${packed('o.id', 'o.resource_id', "'shown'", 'times.shown')},
              to_timestamp(times.shown / 1000.0 + 3600)
       FROM generate_series(0, $2::int - 1) i JOIN orders o ON o.id = $3::bigint + i % $4::int,
         LATERAL (SELECT floor(extract(epoch FROM now()) * 1000)::bigint - 300000 AS shown) times`,
      [...params, accountId],
    );
    await tx.query(
      `UPDATE order_progress p SET reserved_count = reserved_count + n, reserved_kopecks = reserved_kopecks + n * 1000,
              shown_total = shown_total + n
       FROM (SELECT $3::bigint + i % $4::int AS order_id, count(*)::int AS n
             FROM generate_series(0, $2::int - 1) i WHERE $1::bigint > 0 GROUP BY 1) t
       WHERE p.order_id = t.order_id`,
      params.slice(0, 4),
    );
    await tx.query(
      `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, source, observed_at)
       SELECT $1::bigint + i, r.chat_id, true, now() - interval '1 minute', 'update', now() - interval '1 minute'
       FROM generate_series(0, $2::int - 1) i JOIN orders o ON o.id = $3::bigint + i % $4::int
         JOIN resources r ON r.id = o.resource_id`,
      params.slice(0, 4),
    );
  });
  await db.query(
    `INSERT INTO sandbox.tg_users (user_id, is_implicit, first_name, created_at)
     SELECT $1::bigint + i, true, 'Bench', now() FROM generate_series(0, $2::int - 1) i`,
    [firstUser, users],
  );
  await db.query(
    `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member, joined_at)
     SELECT r.chat_id, $1::bigint + i, 'member', true, now()
     FROM generate_series(0, $2::int - 1) i JOIN orders o ON o.id = $3::bigint + i % $4::int
       JOIN resources r ON r.id = o.resource_id`,
    [firstUser, users, firstOrder, orders],
  );
  if (isAnalyzed) await db.query('ANALYZE task_lists, memberships, order_progress');
}

/**
 * Makes the service reload the order book, because these orders were created without its use cases. Waits long enough
 * for the reload.
 */
export async function reloadBook(db: OpenDatabase, orders: number): Promise<void> {
  await db.query("SELECT pg_notify('sponsorgate_changes', 'everything')");
  await new Promise((resolve) => setTimeout(resolve, 3_000 + orders / 10));
}

/** Returns SQL for a task list with one task, as the service writes it. The arguments are constant SQL of this file. */
const packed = (order: string, resource: string, state: string, shownAtMs: string): string =>
  `json_build_array(json_build_array(${order}, ${resource}, 1, 1, ${state}, 1000, 700, 86400, 1, ${shownAtMs}, ${shownAtMs} + 3600000))::text`;

/**
 * Creates old tasks: a user was shown five, did one or two, which are settled, and the task list still contains all
 * five. The users are not those of the load; the bot is the same.
 */
export async function addOldTasks(
  db: OpenDatabase,
  { botId, accountId }: Ground,
  tasks: { firstUser: number; count: number; firstOrder: number; orders: number },
): Promise<void> {
  const CHUNK = 500_000;
  const TASKS_A_USER = 5;
  let done = 0;
  async function addChunks(): Promise<void> {
    while (done < tasks.count) {
      const [from, count] = [done, Math.min(CHUNK, tasks.count - done)];
      done += count;
      await addChunk([tasks.firstUser + from / TASKS_A_USER, count, tasks.firstOrder, tasks.orders, botId, accountId]);
    }
  }
  async function addChunk(params: readonly number[]): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.query('SET LOCAL synchronous_commit = off');
      await tx.query(
        `INSERT INTO task_lists (user_id, bot_id, account_id, number, requested, ends_at, tasks)
         SELECT $1::bigint + u, $5, $6, 1, 5, shown + interval '1 day',
                (SELECT json_agg(json_build_array(${ORDER_OF_TASK}, ${ORDER_OF_TASK} + 1000000, 1, k + 1,
                                                  CASE WHEN (u * 5 + k) % 10 < 7 THEN 'expired' ELSE 'held' END, 1000, 700, 86400, 1,
                                                  floor(extract(epoch FROM shown) * 1000)::bigint,
                                                  floor(extract(epoch FROM shown) * 1000)::bigint + 3600000))::text
                 FROM generate_series(0, 4) k)
         FROM generate_series(0, $2::int / 5 - 1) u, LATERAL (SELECT ${WHEN_SHOWN} AS shown) times`,
        params,
      );
      await tx.query(
        `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
                             reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, release_at,
                             window_ends_at, settled_at)
         SELECT $1::bigint + u, $5, ${ORDER_OF_TASK}, $6, ${ORDER_OF_TASK} + 1000000, 1, k + 1, 'settled', 1000, 700, 86400,
                true, shown, shown + interval '1 hour', shown, shown + interval '1 day', shown + interval '1 day',
                shown + interval '1 day'
         FROM generate_series(0, $2::int / 5 - 1) u CROSS JOIN generate_series(0, 4) k,
           LATERAL (SELECT ${WHEN_SHOWN} AS shown) times
         WHERE (u * 5 + k) % 10 >= 7`,
        params,
      );
      await tx.query(
        `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
         SELECT $1::bigint + u, ${ORDER_OF_TASK} + 1000000, $5, ${ORDER_OF_TASK}, now()
         FROM generate_series(0, $2::int / 5 - 1) u CROSS JOIN generate_series(0, 4) k
         WHERE (u * 5 + k) % 10 >= 7 ON CONFLICT DO NOTHING`,
        params.slice(0, 5),
      );
    });
  }
  await Promise.all([addChunks(), addChunks()]); // two at a time, because creating them is CPU-bound
  await db.query('ANALYZE task_lists, tasks, counted_subscriptions');
}

/** SQL expressions: the order of the k-th task of the u-th user, and the time when that user was shown the tasks. */
const ORDER_OF_TASK = '($3::bigint + (u + k * 37) % $4::int)';
const WHEN_SHOWN = "now() - interval '40 days' + make_interval(secs => u * 20.0)";
