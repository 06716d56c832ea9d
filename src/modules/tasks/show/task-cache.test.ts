import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../../orders/index.ts';
import { minutesLater, NOON, taskWith } from '../task.fixture.ts';
import type { KnownList } from '../task-list-store.ts';
import type { SponsorTask } from './describe-tasks.ts';
import type { TaskRequest } from './plan-tasks.ts';
import { createRememberedAnswers } from './task-cache.ts';

const USER = { userId: 7, botId: 3 };
const VERSION = 1234;
const round = { ...USER, number: 2, requested: 5, endsAt: minutesLater(600) };
const list = (given: Partial<KnownList> = {}): KnownList => ({
  ...{ ...USER, isBanned: false, round, written: 'as it was', version: VERSION, lostOrders: [] },
  ...given,
});
const request = (given: Partial<TaskRequest> = {}): TaskRequest => ({
  ...{ ...USER, accountId: 9, action: 'subscribe', max: 5, roundSeconds: 86_400, reservationSeconds: 3_600, now: NOON },
  ...given,
});
const tasks: SponsorTask[] = [
  { task: taskWith({ expiresAt: minutesLater(60) }), order: { id: 11 } as unknown as Order, link: 'https://t.me/a' },
];

const remembering = (isSame = () => true) => {
  const answers = createRememberedAnswers({ looksTheSame: isSame });
  answers.keep(list(), request(), tasks);
  return answers;
};

test('the same version of a list gets the very same tasks until one of them is due to be renewed', () => {
  const answers = remembering();
  assert.deepEqual([answers.recall(request())?.version, answers.recall(request())?.tasks], [VERSION, tasks]);
  assert.equal(answers.recall(request({ now: new Date(minutesLater(5).getTime() - 1) }))?.tasks, tasks);
  assert.equal(answers.recall(request({ now: minutesLater(5) })), undefined);
});

test('whatever else the answer depends on, a change of it is noticed', () => {
  const answers = remembering();
  const changed = [request({ botId: 4 }), request({ userId: 8 }), request({ max: 4 }), request({ action: 'newtask' })];
  for (const asked of changed) assert.equal(answers.recall(asked), undefined, JSON.stringify(asked));
  assert.equal(remembering(() => false).recall(request()), undefined, 'an order looks different');
});

test('a round that ends before any renewal ends the answer with it', () => {
  const answers = createRememberedAnswers({ looksTheSame: () => true });
  answers.keep(list({ round: { ...round, endsAt: minutesLater(1) } }), request(), tasks);
  assert.equal(answers.recall(request())?.tasks, tasks);
  assert.equal(answers.recall(request({ now: minutesLater(1) })), undefined);
});

test('what cannot be told from the list alone is not remembered', () => {
  const answers = createRememberedAnswers({ looksTheSame: () => true });
  answers.keep(list({ lostOrders: [5] }), request(), tasks);
  answers.keep(list({ round: undefined }), request(), tasks);
  answers.keep(list({ version: undefined }), request(), tasks);
  assert.equal(answers.has(USER.userId), false);
});

test('only so many users are remembered, and the oldest are forgotten first', () => {
  const answers = createRememberedAnswers({ looksTheSame: () => true });
  for (let userId = 1; userId <= 20_001; userId++) answers.keep(list({ userId }), request({ userId }), tasks);
  assert.deepEqual([answers.has(1), answers.has(2), answers.has(20_001)], [false, true, true]);
});
