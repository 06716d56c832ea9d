import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openCuttableProxy } from '../../test/support/cuttable-proxy.ts';
import { createEmptyDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Listener } from '../core/database.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { listenOn } from './listen.ts';
import { createPrimaryGuard, type DirectAccess } from './primary-guard.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;

before(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, onError: () => undefined });
});
after(async () => {
  await db.close();
  await server.drop();
});

function recorder(): Listener & { readonly events: string[] } {
  const events: string[] = [];
  return { events, onNotify: (payload) => events.push(payload), onReconnect: () => events.push('<reconnect>') };
}

const accessTo = (url: string, onError: DirectAccess['onError'] = () => undefined): DirectAccess => ({
  url,
  guard: createPrimaryGuard(),
  untilBack: async () => undefined,
  onError,
});

const say = (channel: string, text: string) => db.transaction((tx) => tx.notify(channel, text));

/** Returns the connections that listen on a channel. Their last statement contains its name. */
const listenersOn = (channel: string) =>
  db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE application_name = 'sponsorgate listener' AND datname = current_database() AND query LIKE $1`,
    [`LISTEN%${channel}%`],
  );

async function terminateListener(channel: string): Promise<void> {
  const found = await listenersOn(channel);
  assert.equal(found.length, 1);
  await db.query('SELECT pg_terminate_backend($1)', [found[0]?.pid]);
}

describe('listening', { concurrency: true }, () => {
  test('a listener gets the notifications of its own channel in commit order, for any channel name', async (t) => {
    const channel = 'A "strange" name; of юникод';
    const heard = recorder();
    const subscription = await db.listen(channel, heard);
    t.after(() => subscription.close());
    await say('elsewhere', 'not for us');
    await say(channel, 'one');
    await say(channel, '');
    await say(channel, 'three');
    await eventually('all is heard', () => heard.events.length >= 3);
    await subscription.close();
    assert.deepEqual(heard.events, ['one', '', 'three']);
  });

  test('a terminated connection is replaced every time, and the listener reloads', async (t) => {
    const heard = recorder();
    const subscription = await db.listen('ended', heard);
    t.after(() => subscription.close());
    for (let round = 1; round <= 3; round++) {
      await say('ended', `before ${round}`);
      await eventually('it is heard', () => heard.events.includes(`before ${round}`));
      await terminateListener('ended');
      // After the reconnect event the listener must not miss a notification.
      const reconnects = () => heard.events.filter((event) => event === '<reconnect>').length;
      await eventually('the listener is told', () => reconnects() === round);
    }
    await say('ended', 'last');
    await eventually('the last is heard', () => heard.events.includes('last'));
    await subscription.close();
    assert.deepEqual(heard.events, [
      ...['before 1', '<reconnect>', 'before 2', '<reconnect>', 'before 3', '<reconnect>'],
      'last',
    ]);
  });

  test('a silently cut connection is detected, and the listener reloads', async (t) => {
    const wire = await openCuttableProxy(server.url);
    t.after(() => wire.close());
    const heard = recorder();
    const subscription = await listenOn(accessTo(wire.url), 'cut', heard);
    t.after(() => subscription.close());
    wire.cut();
    await say('cut', 'lost on the way');
    await eventually('the loss is noticed', () => heard.events.includes('<reconnect>'));
    await say('cut', 'heard again');
    await eventually('it is heard', () => heard.events.includes('heard again'));
    assert.deepEqual(heard.events, ['<reconnect>', 'heard again']);
  });

  test('without a server it reconnects and reports the errors until it is closed', async (t) => {
    const wire = await openCuttableProxy(server.url);
    t.after(() => wire.close());
    const errors: Error[] = [];
    const heard = recorder();
    const subscription = await listenOn(
      accessTo(wire.url, (error) => errors.push(error)),
      'away',
      heard,
    );
    t.after(() => subscription.close());
    await wire.close();
    await eventually('it has tried more than once', () => errors.length >= 2);
    await subscription.close();
    const tries = errors.length;
    assert.match(errors[0]?.message ?? '', /ECONNREFUSED/);
    assert.deepEqual(heard.events, []);
    await say('away', 'to nobody');
    assert.equal(errors.length, tries);
  });

  test('a closed subscription gets no notifications and leaves no connection behind', async (t) => {
    const heard = recorder();
    const subscription = await db.listen('closed', heard);
    t.after(() => subscription.close());
    assert.equal((await listenersOn('closed')).length, 1);
    await subscription.close();
    await say('closed', 'too late');
    await eventually('the connection is gone', async () => (await listenersOn('closed')).length === 0);
    assert.deepEqual(heard.events, []);
  });

  test('a transaction returns after listeners of its own process have applied its notifications', async (t) => {
    const applied: string[] = [];
    const subscription = await db.listen('own', {
      onNotify: () => undefined,
      async onOwnNotify(payload) {
        await db.query('SELECT pg_sleep(0.05)');
        applied.push(payload);
      },
      onReconnect: () => undefined,
    });
    t.after(() => subscription.close());
    await db.transaction(async (tx) => {
      await tx.notify('own', 'one');
      assert.deepEqual(applied, [], 'nothing is applied before the commit');
      await tx.notify('elsewhere', 'not for this listener');
      await tx.notify('own', 'two');
    });
    assert.deepEqual(applied.sort(), ['one', 'two']);

    const rolledBack = db.transaction(async (tx) => {
      await tx.notify('own', 'never');
      throw new Error('on purpose');
    });
    await assert.rejects(rolledBack, /on purpose/);
    await subscription.close();
    await say('own', 'too late');
    assert.deepEqual(applied.sort(), ['one', 'two']);
  });

  test('a listener that fails on an own notification does not fail the committed transaction', async (t) => {
    const subscription = await db.listen('failing', {
      onNotify: () => undefined,
      onOwnNotify: () => Promise.reject(new Error('on purpose')),
      onReconnect: () => undefined,
    });
    t.after(() => subscription.close());
    const result = await db.transaction(async (tx) => {
      await tx.notify('failing', 'one');
      return 'committed';
    });
    assert.equal(result, 'committed');
  });

  test('a failed first connection rejects the call', async () => {
    const nowhere = 'postgres://nobody@127.0.0.1:1/none';
    await assert.rejects(listenOn(accessTo(nowhere), 'x', recorder()));
  });
});
