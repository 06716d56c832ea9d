import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../../orders/index.ts';
import { minutesLater, NOON, taskWith } from '../task.fixture.ts';
import type { TaskWithOrder } from './describe-tasks.ts';
import type { TaskRequest } from './plan-tasks.ts';
import type { StoredList } from './show-store.ts';
import { createTaskCache } from './task-cache.ts';

const USER = { userId: 7, botId: 3 };
const VERSION = 1234;
const round = { ...USER, number: 2, requested: 5, endsAt: minutesLater(600) };
const list = (given: Partial<StoredList> = {}): StoredList => ({
  ...{ ...USER, isBanned: false, round, packedTasks: '[]', version: VERSION, lostOrders: [] },
  ...given,
});
const request = (given: Partial<TaskRequest> = {}): TaskRequest => ({
  ...{ ...USER, accountId: 9, action: 'subscribe', max: 5, roundSeconds: 86_400, reservationSeconds: 3_600, now: NOON },
  ...given,
});
const tasks: TaskWithOrder[] = [
  { task: taskWith({ expiresAt: minutesLater(60) }), order: { id: 11 } as unknown as Order, link: 'https://t.me/a' },
];

const filledCache = (isSame = () => true) => {
  const cache = createTaskCache({ looksTheSame: isSame });
  cache.set(list(), request(), tasks);
  return cache;
};

test('a cached list returns the same tasks until one is due for renewal', () => {
  const cache = filledCache();
  assert.deepEqual([cache.get(request())?.version, cache.get(request())?.tasks], [VERSION, tasks]);
  assert.equal(cache.get(request({ now: new Date(minutesLater(5).getTime() - 1) }))?.tasks, tasks);
  assert.equal(cache.get(request({ now: minutesLater(5) })), undefined);
});

test('another bot, user, number or action, and a changed order, miss the cache', () => {
  const cache = filledCache();
  const changed = [request({ botId: 4 }), request({ userId: 8 }), request({ max: 4 }), request({ action: 'newtask' })];
  for (const other of changed) assert.equal(cache.get(other), undefined, JSON.stringify(other));
  assert.equal(filledCache(() => false).get(request()), undefined, 'an order looks different');
});

test('an entry ends with its round', () => {
  const cache = createTaskCache({ looksTheSame: () => true });
  cache.set(list({ round: { ...round, endsAt: minutesLater(1) } }), request(), tasks);
  assert.equal(cache.get(request())?.tasks, tasks);
  assert.equal(cache.get(request({ now: minutesLater(1) })), undefined);
});

test('a list with a lost order, without a round or without a row is not cached', () => {
  const cache = createTaskCache({ looksTheSame: () => true });
  cache.set(list({ lostOrders: [5] }), request(), tasks);
  cache.set(list({ round: undefined }), request(), tasks);
  cache.set(list({ version: undefined }), request(), tasks);
  assert.equal(cache.has(USER.userId), false);
});

test('the cache is bounded and evicts the oldest entry', () => {
  const cache = createTaskCache({ looksTheSame: () => true });
  for (let userId = 1; userId <= 20_001; userId++) cache.set(list({ userId }), request({ userId }), tasks);
  assert.deepEqual([cache.has(1), cache.has(2), cache.has(20_001)], [false, true, true]);
});
