/**
 * Measures the disk space of one user, one task and one subscription, with indexes, after the real service has written
 * them. Users are shown five tasks, do one and confirm it, and a day later it is settled. `node bench/row-sizes.ts`
 */
import type { OpenDatabase } from '../src/db/index.ts';
import { addOrders, makeGround } from './fill.ts';
import { request, sendLoad } from './load.ts';
import { control, onStage, progress, serveOurs } from './stage.ts';

const USERS = 10_000;
const FIRST_USER = 8_700_000_000;
const ORDERS = 200;
const TABLES = ['task_lists', 'tasks', 'counted_subscriptions', 'ledger_transfers', 'memberships', 'audience_users'];

const [, , role, databaseUrl = ''] = process.argv;
if (role === 'ours') await serveOurs(databaseUrl);
else await measure();

async function measure(): Promise<void> {
  await onStage(async ({ db, databaseUrl: url, start }) => {
    const server = await start(import.meta.filename, 'ours', url);
    const ground = await makeGround(server.url, db);
    await addOrders(db, ground, ORDERS);
    await db.query(`SELECT pg_notify('sponsorgate_changes', 'everything')`);
    await new Promise((resolve) => setTimeout(resolve, 3_000));

    const send = (path: string, bodies: readonly object[]) => {
      const requests = bodies.map((body) => request(`/api/v1/${path}`, body, { Auth: ground.token }));
      return sendLoad({ url: server.url, next: () => requests.shift(), connections: 64, seconds: 300 });
    };
    progress(`${USERS} users are shown their tasks`);
    const users = Array.from({ length: USERS }, (_, i) => FIRST_USER + i);
    await send(
      'get-sponsors',
      users.map((user_id) => ({ user_id, first_name: 'Анна', username: `anna${user_id}`, language_code: 'ru' })),
    );
    progress('each does one, and is confirmed');
    await join(db);
    const tasks = await db.query<{ user_id: bigint; ads_id: bigint }>(
      'SELECT DISTINCT ON (user_id) user_id, order_id AS ads_id FROM all_tasks WHERE user_id >= $1 ORDER BY user_id, position',
      [FIRST_USER],
    );
    await send(
      'confirm-subscription',
      tasks.map(({ user_id, ads_id }) => ({ user_id: Number(user_id), ads_id: Number(ads_id) })),
    );
    progress('a day passes');
    await control(server.url, '/clock', { advance_seconds: 25 * 3600 });
    await db.query('VACUUM ANALYZE');
    await print(db);
  });
}

/** Lets every user join the channel of their first task, as Telegram would report it. */
async function join(db: OpenDatabase): Promise<void> {
  const first = `SELECT DISTINCT ON (o.user_id) o.user_id, r.chat_id FROM all_tasks o JOIN resources r ON r.id = o.resource_id
                 WHERE o.user_id >= $1 ORDER BY o.user_id, o.position`;
  await db.query(
    `INSERT INTO sandbox.tg_users (user_id, is_implicit, first_name, created_at)
     SELECT f.user_id, true, 'Bench', now() FROM (${first}) f ON CONFLICT DO NOTHING`,
    [FIRST_USER],
  );
  await db.query(
    `INSERT INTO sandbox.tg_members (chat_id, user_id, status, is_member, joined_at)
     SELECT f.chat_id, f.user_id, 'member', true, now() FROM (${first}) f`,
    [FIRST_USER],
  );
  await db.query(
    `INSERT INTO memberships (user_id, chat_id, is_member, first_member_at, source, observed_at)
     SELECT f.user_id, f.chat_id, true, now(), 'update', now() FROM (${first}) f`,
    [FIRST_USER],
  );
}

async function print(db: OpenDatabase): Promise<void> {
  console.log(`bytes on disk, indexes included, after ${USERS} users\n`);
  console.log('table                        rows   bytes a row   of it indexes');
  const sizes: Record<string, number> = {};
  for (const table of TABLES) {
    const [row] = await db.query<{ bytes: bigint; indexes: bigint }>(
      `SELECT sum(pg_total_relation_size(relid))::bigint AS bytes, sum(pg_indexes_size(relid))::bigint AS indexes
       FROM (SELECT $1::regclass AS relid UNION SELECT relid FROM pg_partition_tree($1::regclass)) parts`,
      [table],
    );
    const [count] = await db.query<{ rows: bigint }>(`SELECT count(*) AS rows FROM ${table}`); // a constant name
    const rows = Number(count?.rows ?? 0);
    if (row === undefined || rows < 1_000) continue; // too few rows for an average
    const each = Number(row.bytes) / rows;
    sizes[table] = Math.round(each);
    console.log(
      `${table.padEnd(24)} ${String(rows).padStart(8)} ${each.toFixed(0).padStart(13)} ${(Number(row.indexes) / rows).toFixed(0).padStart(15)}`,
    );
  }
  console.log(`\n${JSON.stringify({ name: 'row-sizes', ...sizes })}`);
}
