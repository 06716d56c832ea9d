import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { DatabaseUnavailable } from '../../src/core/database.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/index.ts';
import { query } from '../support/books.ts';
import { type CuttableProxy, openCuttableProxy } from '../support/cuttable-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { type ReplicatedPostgres, startReplicatedPostgres, untilReplayed } from '../support/replicated-postgres.ts';

/** Longer than a test: only the watch may end a statement. */
const NO_TIMEOUT_MS = 600_000;

let servers: ReplicatedPostgres;
let wire: CuttableProxy;
let db: OpenDatabase;
before(async () => {
  servers = await startReplicatedPostgres();
});
beforeEach(async () => {
  await query(servers.primary.url, 'DROP TABLE IF EXISTS notes');
  await query(servers.primary.url, 'CREATE TABLE notes (text text)');
  wire = await openCuttableProxy(servers.primary.url);
  db = openDatabase({ url: wire.url, poolSize: 3, queryTimeoutMs: NO_TIMEOUT_MS, onError: () => undefined });
  await db.query("INSERT INTO notes VALUES ('first')");
});
afterEach(async () => {
  await servers.primary.resume();
  await db.close();
  await wire.close();
});
after(async () => {
  await servers.stop();
});

const write = (text: string) => db.query('INSERT INTO notes VALUES ($1)', [text]);
const writes = (text: string) =>
  write(text).then(
    () => true,
    () => false,
  );
const isAway = (error: unknown): boolean => error instanceof DatabaseUnavailable;

test('a server that became read-only is refused, and used again when it accepts writes', async () => {
  await query(servers.primary.url, 'ALTER DATABASE postgres SET default_transaction_read_only = on');
  wire.hangUp();
  await eventually('the pool has dropped its old connections', async () => !(await writes('refused')));
  await assert.rejects(write('refused'), isAway);
  const writable = new URL(servers.primary.url);
  writable.searchParams.set('options', '-c default_transaction_read_only=off');
  await query(writable.href, 'ALTER DATABASE postgres RESET default_transaction_read_only');
  await eventually('it writes again', () => writes('again'));
});

test('statements on a server that hangs fail within seconds, later ones fail at once, and all work when it returns', async () => {
  const held = Promise.withResolvers<void>();
  const inTransaction = db
    .transaction(async (tx) => {
      await tx.query("INSERT INTO notes VALUES ('lost')");
      held.resolve();
      await servers.primary.pause();
      await tx.query('SELECT 1');
    })
    .catch((error: unknown) => error);
  await held.promise;
  assert.ok(isAway(await inTransaction));
  await assert.rejects(write('lost'), isAway);
  await assert.rejects(db.checkReady(), isAway);
  await servers.primary.resume();
  await eventually('it writes again', () => writes('again'));
  assert.deepEqual(await db.query("SELECT text FROM notes WHERE text = 'lost'"), []);
});

test('a statement on a silently cut connection fails within seconds, although new connections work', async () => {
  wire.cut();
  await assert.rejects(write('into the cut connection'), isAway);
  await write('on a new connection');
});

test('a statement that takes long is not ended, because the server still works on it', async () => {
  const slow = db.query<{ done: number }>('SELECT 1 AS done FROM pg_sleep(9)');
  assert.deepEqual(await slow, [{ done: 1 }]);
});

/** The last test: it leaves two primaries behind. */
test('after a failover a former primary is refused, and pool, listener and lock move to the new one', async () => {
  const heard: string[] = [];
  const subscription = await db.listen('changes', {
    onNotify: (payload) => heard.push(payload),
    onReconnect: () => heard.push('<reconnect>'),
  });
  const stopping = new AbortController();
  let turns = 0;
  const locked = db.exclusively(
    'poller',
    async (signal) => {
      turns++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    stopping.signal,
  );
  await eventually('the lock is taken', () => turns === 1);

  await untilReplayed(servers);
  await servers.standby.promote();
  // The former primary still runs and accepts writes, and the old connections to it stay open.
  wire.retarget(servers.standby.url);
  // The pool has fewer than three connections, so one of these opens a new one and sees the new timeline.
  await Promise.all(['a', 'b', 'c'].map((text) => writes(text)));
  await eventually('the pool uses the new primary', async () => {
    await writes('to the new primary');
    return (await query(servers.standby.url, "SELECT 1 FROM notes WHERE text = 'to the new primary'")).length > 0;
  });
  await eventually('the listener has moved', () => heard.includes('<reconnect>'));
  await query(servers.standby.url, "SELECT pg_notify('changes', 'from the new primary')");
  await eventually('it hears the new primary', () => heard.includes('from the new primary'));
  await eventually('the lock is held on the new primary', async () => {
    const sql = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1";
    return turns >= 2 && (await query(servers.standby.url, sql)).length > 0;
  });

  // The address leads back to the former primary, as through a balancer with an old state.
  wire.retarget(servers.primary.url);
  wire.hangUp();
  await assert.rejects(write('to the former primary again'), isAway);
  const onFormer = await query<{ text: string }>(
    servers.primary.url,
    "SELECT text FROM notes WHERE text = 'to the former primary again'",
  );
  assert.deepEqual(onFormer, []);
  wire.retarget(servers.standby.url);
  await eventually('it writes to the new primary', () => writes('back'));
  stopping.abort();
  await Promise.all([locked, subscription.close()]);
});
