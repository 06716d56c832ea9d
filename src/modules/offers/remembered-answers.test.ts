import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../orders/index.ts';
import { minutesLater, NOON, offerWith } from './offer.fixture.ts';
import type { KnownList } from './placement-store.ts';
import type { TaskRequest } from './plan-tasks.ts';
import { createRememberedAnswers } from './remembered-answers.ts';
import type { SponsorTask } from './sponsor-task.ts';

const USER = { userId: 7, botId: 3 };
const round = { ...USER, number: 2, requested: 5, endsAt: minutesLater(600) };
const list = (given: Partial<KnownList> = {}): KnownList => ({
  ...{ ...USER, isBanned: false, round, written: 'as it was', lostOrders: [] },
  ...given,
});
const request = (given: Partial<TaskRequest> = {}): TaskRequest => ({
  ...{ ...USER, accountId: 9, action: 'subscribe', max: 5, roundSeconds: 86_400, offerSeconds: 3_600, now: NOON },
  ...given,
});
const tasks: SponsorTask[] = [
  { offer: offerWith({ expiresAt: minutesLater(60) }), order: { id: 11 } as unknown as Order, link: 'https://t.me/a' },
];

const remembering = (isSame = () => true) => {
  const answers = createRememberedAnswers({ looksTheSame: isSame });
  answers.keep(list(), request(), tasks);
  return answers;
};

test('the same list gets the very same tasks until one of them is due to be renewed', () => {
  const answers = remembering();
  assert.equal(answers.recall(list(), request()), tasks);
  assert.equal(answers.recall(list(), request({ now: new Date(minutesLater(5).getTime() - 1) })), tasks);
  assert.equal(answers.recall(list(), request({ now: minutesLater(5) })), undefined);
});

test('whatever the answer depends on, a change of it is noticed', () => {
  const answers = remembering();
  const changed: [KnownList, TaskRequest][] = [
    [list({ written: 'otherwise' }), request()],
    [list({ written: undefined }), request()],
    [list({ round: undefined }), request()],
    [list({ round: { ...round, number: 3 } }), request()],
    [list({ round: { ...round, requested: 6 } }), request()],
    [list({ round: { ...round, endsAt: minutesLater(601) } }), request()],
    [list({ lostOrders: [11] }), request()],
    [list({ botId: 4 }), request({ botId: 4 })],
    [list({ userId: 8 }), request({ userId: 8 })],
    [list(), request({ max: 4 })],
    [list(), request({ action: 'newtask' })],
  ];
  for (const [known, asked] of changed)
    assert.equal(answers.recall(known, asked), undefined, JSON.stringify([known, asked]));
  assert.equal(remembering(() => false).recall(list(), request()), undefined, 'an order looks different');
});

test('a round that ends before any renewal ends the answer with it', () => {
  const answers = createRememberedAnswers({ looksTheSame: () => true });
  const short = { ...round, endsAt: minutesLater(1) };
  answers.keep(list({ round: short }), request(), tasks);
  assert.equal(answers.recall(list({ round: short }), request()), tasks);
  assert.equal(answers.recall(list({ round: short }), request({ now: minutesLater(1) })), undefined);
});

test('what cannot be told from the list alone is not remembered', () => {
  const answers = createRememberedAnswers({ looksTheSame: () => true });
  answers.keep(list({ lostOrders: [5] }), request(), tasks);
  answers.keep(list({ round: undefined }), request(), tasks);
  assert.equal(answers.has(USER.userId), false);
});

test('only so many users are remembered, and the oldest are forgotten first', () => {
  const answers = createRememberedAnswers({ looksTheSame: () => true });
  for (let userId = 1; userId <= 20_001; userId++) answers.keep(list({ userId }), request({ userId }), tasks);
  assert.deepEqual([answers.has(1), answers.has(2), answers.has(20_001)], [false, true, true]);
});
