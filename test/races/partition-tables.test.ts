import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../src/core/clock.ts';
import { PARTITIONABLE, partitionTable } from '../../src/db/index.ts';
import { Pipeline } from '../../src/db/pipeline.ts';
import { forgetValues } from '../../src/modules/audience/index.ts';
import { forgetLists, forgetMemberships, forgetTasks } from '../../src/modules/tasks/index.ts';
import { query } from '../support/books.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PARTITIONS = 4;
/** The schema creates these in 16 partitions. */
const PARTITIONED_FIRST: readonly string[] = ['memberships'];
const WHOLE_FIRST = PARTITIONABLE.filter((table) => !PARTITIONED_FIRST.includes(table));
const partsOf = (table: string): number => (PARTITIONED_FIRST.includes(table) ? 16 : PARTITIONS);
const DAY_SECONDS = 24 * 60 * 60;

let service: TestService;
let publisher: Publisher;
let advertised: Advertised;

before(async () => {
  // Jobs read every partition by design, so no job may run between two requests.
  service = await startTestService({ ROLES: 'api,bot' });
  await service.sandbox.pauseAllOrders();
  publisher = await service.sandbox.publisher();
  advertised = await service.sandbox.advertise({ quantity: 10_000, hold_hours: 24 });
});
after(() => service.stop());

const rowsOf = async (table: string): Promise<number> => {
  const [row] = await query<{ count: string }>(service.database.url, `SELECT count(*) FROM ${table}`);
  return Number(row?.count);
};

test('tables are partitioned under a service that counts subscriptions, and no row is lost', async () => {
  const { sandbox, database } = service;
  const counted: number[] = [];
  let isDone = false;
  const traffic = Array.from({ length: 3 }, async () => {
    while (!isDone || counted.length < 10) {
      const user = freshUser();
      const confirmed = await sandbox.subscribe(publisher.token, advertised, user);
      assert.equal(confirmed.credit_status, 'hold', JSON.stringify(confirmed));
      counted.push(user);
    }
  });
  const lines: string[] = [];
  for (const table of WHOLE_FIRST) {
    await partitionTable(database.url, {
      table,
      count: PARTITIONS,
      chunk: 7,
      onProgress: (line) => lines.push(line),
    });
  }
  isDone = true;
  await Promise.all(traffic);

  for (const table of PARTITIONABLE) {
    const [state] = await query<{ kind: string; parts: number }>(
      database.url,
      `SELECT relkind AS kind, (SELECT count(*)::int FROM pg_inherits WHERE inhparent = c.oid) AS parts
       FROM pg_class c WHERE oid = to_regclass($1)`,
      [table],
    );
    assert.deepEqual(state, { kind: 'p', parts: partsOf(table) }, table);
  }
  for (const table of WHOLE_FIRST) {
    assert.ok(lines.some((line) => line.startsWith(`${table}: `) && line.includes('is in use')));
  }
  for (const user of counted) {
    const repeated = await sandbox.confirm(publisher.token, user, advertised.orderId);
    assert.equal(repeated.credit_status, 'hold', `the subscription of ${user} is known`);
  }
  assert.equal(await rowsOf('counted_subscriptions'), counted.length);
  assert.equal(await rowsOf(`all_tasks WHERE order_id = ${advertised.orderId}`), counted.length, 'the view follows');
  assert.ok((await rowsOf('tasks_whole')) <= counted.length, 'the old table is kept');
  await sandbox.advance(DAY_SECONDS);
  const reward = counted.length * 7;
  assert.deepEqual(await sandbox.money(publisher.token), { balance: reward, hold_balance: 0 });
  await sandbox.assertBalanced();
});

test('a partitioned table is refused, and so are other tables and numbers', async () => {
  const { url } = service.database;
  await assert.rejects(partitionTable(url, { table: 'tasks', count: PARTITIONS }), /tasks is partitioned already/);
  await assert.rejects(partitionTable(url, { table: 'orders', count: 4 }), /orders cannot be partitioned by user/);
  await assert.rejects(partitionTable(url, { table: 'tasks', count: 12 }), /2, 4, 8, 16, 32 or 64 partitions, not 12/);
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

test('every statement of a request reads one partition of each table: that of its user', async () => {
  const { sandbox, database } = service;
  await fillTables(database.url);
  const warm = freshUser();
  await sandbox.subscribe(publisher.token, advertised, warm);

  const statements = new Map<string, readonly unknown[]>();
  const { send } = Pipeline.prototype;
  Pipeline.prototype.send = function record(text, values, startsBatch) {
    if (/\b(?:task_lists|tasks|counted_subscriptions|memberships|audience_\w+)\b/.test(text)) {
      statements.set(text, values ?? []);
    }
    return send.call(this, text, values, startsBatch);
  };
  try {
    const user = freshUser();
    await sandbox.subscribe(publisher.token, advertised, user);
    await sandbox.getSponsors(publisher.token, user);
    await sandbox.confirm(publisher.token, user, advertised.orderId);
    await sandbox.leave(advertised.chatId, user);
  } finally {
    Pipeline.prototype.send = send;
  }
  assert.ok(statements.size > 8, `only ${statements.size} statements were found`);

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    let explained = 0;
    for (const [text, values] of statements) {
      const plan = await explain(client, text, values);
      if (plan === undefined) continue;
      explained += 1;
      for (const table of PARTITIONABLE) {
        const read = new Set(executedIn(plan).filter((name) => name.startsWith(`${table}_`) && /_\d\d$/.test(name)));
        assert.ok(read.size <= 1, `${[...read].join(', ')} are read by ${text}`);
      }
    }
    assert.ok(explained > 6, `only ${explained} of ${statements.size} statements were explained`);
  } finally {
    await client.end();
  }
});

test('retention deletes old rows one partition at a time', async () => {
  const { url, db } = service.database;
  const users = 'generate_series(3000000000, 3000000199) AS u';
  const old = "now() - interval '2 years'";
  for (const sql of [
    `INSERT INTO task_lists (user_id, bot_id, account_id, ends_at) SELECT u, 999, 1, ${old} FROM ${users}`,
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
       reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, settled_at)
     SELECT u, 999, ${advertised.orderId}, 1, 1, 1, 1, 'settled', 1000, 700, 0, true, ${old}, ${old}, ${old}, ${old} FROM ${users}`,
    `INSERT INTO memberships (user_id, chat_id, is_member, source, observed_at) SELECT u, -1, false, 'update', ${old} FROM ${users}`,
    `INSERT INTO audience_values (user_id, field, value, source, learned_at)
     SELECT u, 'city', '"Tver"', 'bot_api', ${old} FROM ${users}`,
    'TRUNCATE job_cursors', // the moved clock has run the job, which then pauses for a day
  ]) {
    await query(url, sql);
  }
  const deps = { db, clock: systemClock, neededSince: async () => null };
  const jobs = {
    task_lists: () => forgetLists(deps),
    tasks: () => forgetTasks(deps, undefined, 3),
    memberships: () => forgetMemberships(deps),
    audience_values: () => forgetValues(deps, undefined, 3),
  };
  const deletes: string[] = [];
  const { send } = Pipeline.prototype;
  Pipeline.prototype.send = function record(text, values, startsBatch) {
    if (/DELETE FROM (?:task|membership|audience)/.test(text)) deletes.push(text);
    return send.call(this, text, values, startsBatch);
  };
  try {
    for (const [table, forget] of Object.entries(jobs)) {
      deletes.length = 0;
      assert.ok((await forget()) >= 200, table);
      assert.equal(await rowsOf(`${table} WHERE user_id BETWEEN 3000000000 AND 3000000199`), 0, table);
      const partitions = deletes.map((text) => new Set(text.match(new RegExp(`\\b${table}_\\d\\d\\b`, 'g'))));
      assert.ok(
        partitions.every(({ size }) => size === 1),
        `${table}: a statement deletes from one partition`,
      );
      assert.equal(
        new Set(partitions.flatMap((names) => [...names])).size,
        partsOf(table),
        `${table}: all are visited`,
      );
      assert.ok(
        !deletes.some((text) => new RegExp(`(?:FROM|JOIN) ${table}\\b`).test(text)),
        'none names the whole table',
      );
    }
  } finally {
    Pipeline.prototype.send = send;
  }
});

/** Returns the plan with what was executed, or undefined for an INSERT of a row that exists already. */
async function explain(client: pg.Client, text: string, values: readonly unknown[]): Promise<PlanNode | undefined> {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [...values],
    );
    return rows[0]?.['QUERY PLAN'][0]?.Plan;
  } catch (error) {
    // Inserting routes a row to its partition; it reads none.
    assert.ok(error instanceof pg.DatabaseError && error.code === '23505' && /^\s*INSERT/.test(text), String(error));
    return undefined;
  } finally {
    await client.query('ROLLBACK');
  }
}

function executedIn(node: PlanNode): string[] {
  const own = node['Relation Name'] !== undefined && (node['Actual Loops'] ?? 0) > 0 ? [node['Relation Name']] : [];
  return [...own, ...(node.Plans ?? []).flatMap(executedIn)];
}

/** With a handful of rows PostgreSQL reads whole tables, which says nothing about real ones. */
async function fillTables(url: string): Promise<void> {
  const users = 'generate_series(4000000000, 4000020000) AS u';
  for (const sql of [
    `INSERT INTO task_lists (user_id, bot_id, account_id, ends_at) SELECT u, 999, 1, now() FROM ${users}`,
    `INSERT INTO tasks (user_id, bot_id, order_id, account_id, resource_id, round, position, state, charge_kopecks,
       reward_kopecks, hold_seconds, refund, shown_at, expires_at, confirmed_at, settled_at)
     SELECT u, 999, 1, 1, 1, 1, 1, 'settled', 1000, 700, 0, true, now(), now(), now(), now() FROM ${users}`,
    `INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
     SELECT u, 999999, 999, 1, now() FROM ${users}`,
    `INSERT INTO memberships (user_id, chat_id, is_member, source, observed_at) SELECT u, -1, true, 'update', now() FROM ${users}`,
    `INSERT INTO audience_users (user_id, first_seen_at, facts, facts_at) SELECT u, now(), '{}', now() FROM ${users}`,
    `INSERT INTO audience_values (user_id, field, value, source, learned_at)
     SELECT u, 'city', '"Tver"', 'bot_api', now() FROM ${users}`,
    'ANALYZE',
  ]) {
    await query(url, sql);
  }
}
