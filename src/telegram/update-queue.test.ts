import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bot } from 'grammy';
import type { Update } from 'grammy/types';
import type { Queryable } from '../core/database.ts';
import { createSequencer, createUpdateQueue } from './update-queue.ts';

test('work with a common key runs in order, even after a failure, and other work does not wait', async () => {
  const sequencer = createSequencer();
  const done: string[] = [];
  const slow = Promise.withResolvers<void>();
  const first = sequencer.run(['a'], async () => {
    await slow.promise;
    done.push('first');
    throw new Error('failed');
  });
  const both = sequencer.run(['a', 'b'], async () => void done.push('both'));
  const behind = sequencer.run(['b'], async () => void done.push('behind'));
  await sequencer.run(['c'], async () => void done.push('other'));
  assert.deepEqual(done, ['other']);
  slow.resolve();
  await assert.rejects(first, /failed/);
  await Promise.all([both, behind]);
  assert.deepEqual(done, ['other', 'first', 'both', 'behind']);
});

test('a reply that hangs does not hold back the updates of other people', async () => {
  const hanging = Promise.withResolvers<void>();
  const handled: number[] = [];
  const statements: string[] = [];
  const bot = {
    async handleUpdate({ update_id: id }: Update) {
      if (id === 1) await hanging.promise;
      handled.push(id);
    },
  } as unknown as Bot;
  const db = {
    async query(sql: string) {
      statements.push(sql.trim().split(' ')[0] ?? '');
      return [];
    },
  } as unknown as Queryable;
  const press = (id: number, person: number) =>
    ({ update_id: id, callback_query: { from: { id: person } } }) as unknown as Update;
  const log = { warn: () => undefined, error: () => undefined };
  const { signal } = new AbortController();
  const queue = createUpdateQueue({ bot, db, log, signal, windowSize: 100, keepDialoguesAfterMs: 20 });

  queue.add([press(1, 100)]);
  await queue.settle(60_000);
  assert.equal(queue.offset(), 2, 'the slow update is stored, so the next poll waits for new ones');
  queue.add([press(2, 200), press(3, 100)]);
  await queue.settle(60_000);
  assert.deepEqual(handled, [2], 'the next update of the same person keeps its turn');
  hanging.resolve();
  await queue.stopped();
  assert.deepEqual(handled, [2, 1, 3]);
  assert.deepEqual(statements, ['INSERT', 'INSERT', 'DELETE', 'DELETE']);
});

test('bots that share a sequencer keep the order of a chat, and store slow updates apart', async () => {
  const hanging = Promise.withResolvers<void>();
  const handled: string[] = [];
  const tables: string[] = [];
  const botOf = (name: string): Bot =>
    ({
      async handleUpdate({ update_id: id }: Update) {
        if (name === 'management' && id === 1) await hanging.promise;
        handled.push(`${name} ${id}`);
      },
    }) as unknown as Bot;
  const db = {
    async query(sql: string) {
      tables.push(/unfinished_\w+/.exec(sql)?.[0] ?? '');
      return [];
    },
  } as unknown as Queryable;
  const join = (id: number, chat: number) =>
    ({ update_id: id, chat_member: { chat: { id: chat, type: 'channel' } } }) as unknown as Update;
  const log = { warn: () => undefined, error: () => undefined };
  const { signal } = new AbortController();
  const sequencer = createSequencer();
  // A full window stores what is not handled yet.
  const common = { db, log, signal, windowSize: 1, sequencer };
  const management = createUpdateQueue({ bot: botOf('management'), ...common });
  const checker = createUpdateQueue({ bot: botOf('checker'), receivedBy: 50, ...common });

  management.add([join(1, -1)]);
  checker.add([join(1, -1), join(2, -2)]);
  await Promise.all([management.settle(1), checker.settle(1)]);
  assert.deepEqual(handled, ['checker 2'], 'another chat does not wait');
  assert.deepEqual(tables, ['unfinished_updates', 'unfinished_checker_updates']);
  hanging.resolve();
  await Promise.all([management.stopped(), checker.stopped()]);
  assert.deepEqual(handled, ['checker 2', 'management 1', 'checker 1']);
});
