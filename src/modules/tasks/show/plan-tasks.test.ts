import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addSeconds } from '../../../core/clock.ts';
import type { Order } from '../../orders/index.ts';
import { EXTRA_ROUND, isDone, isOpen, type Round, TASK_STATES, type Task } from '../task.ts';
import {
  planTasks,
  type RoundState,
  type TaskPlan,
  type TaskRequest,
  type TaskSource,
  unchangedTasks,
} from './plan-tasks.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const HOUR = 3600;
const USER = { userId: 1, botId: 2 };
const ROUND = 3;

const request = (given: Partial<TaskRequest> = {}): TaskRequest => ({
  ...{
    ...USER,
    accountId: 9,
    action: 'subscribe',
    max: 5,
    roundSeconds: 24 * HOUR,
    reservationSeconds: HOUR,
    now: NOW,
  },
  ...given,
});

const round = (given: Partial<Round> = {}): Round => ({
  ...{ ...USER, number: ROUND, requested: 5, endsAt: addSeconds(NOW, HOUR) },
  ...given,
});

/** The fields of an order that the planner reads. */
const order = (id: number, resourceId = id): Order =>
  ({
    id,
    resource: { id: resourceId },
    chargeKopecks: 100n,
    rewardKopecks: 70n,
    holdSeconds: 0,
    refund: true,
  }) as unknown as Order;

const task = (orderId: number, position: number, given: Partial<Task> = {}): Task => ({
  ...{ ...USER, orderId, accountId: 9, resourceId: orderId, round: ROUND, position, state: 'shown' },
  ...{ chargeKopecks: 100n, rewardKopecks: 70n, holdSeconds: 0, refund: true },
  ...{ shownAt: NOW, expiresAt: addSeconds(NOW, HOUR), lateUntil: null },
  ...{ confirmedAt: null, releaseAt: null, windowEndsAt: null, keptAt: null, wasOutside: false },
  ...given,
});

const lapsed = { expiresAt: addSeconds(NOW, -60) };
const expired = { ...lapsed, state: 'expired' } as const;
const done = { state: 'settled' } as const;

/**
 * Candidates with `slots` slots each. Orders in `again` can show their expired tasks again; the user has joined the
 * resources of the orders in `joined`.
 */
function source(
  candidates: readonly Order[],
  { again = [] as readonly Order[], joined = [] as readonly number[], slots = 1 } = {},
): TaskSource {
  const left = new Map([...candidates, ...again].map(({ id }) => [id, slots]));
  return {
    candidates,
    orderToShowAgain: ({ orderId }) => again.find(({ id }) => id === orderId),
    hasJoinedSince: ({ orderId }) => joined.includes(orderId),
    isOutside: () => false,
    reserve({ id }) {
      const free = left.get(id) ?? 0;
      left.set(id, free - 1);
      return free > 0 ? 'shown' : undefined;
    },
  };
}

const ids = (tasks: readonly Task[] | undefined): number[] => (tasks ?? []).map(({ orderId }) => orderId);

test('the first call opens a round with the best candidates, in their order', () => {
  const plan = planTasks(request({ max: 2 }), { round: undefined, tasks: [] }, source([order(7), order(4), order(5)]));
  assert.deepEqual(ids(plan.tasks), [7, 4]);
  assert.deepEqual(plan.round, round({ number: 1, requested: 2, endsAt: addSeconds(NOW, 24 * HOUR) }));
});

test('a call that finds nothing opens no round', () => {
  const plan = planTasks(request(), { round: undefined, tasks: [] }, source([]));
  assert.deepEqual(plan, { tasks: [], placed: [], renewed: [], round: undefined });
});

test('the next candidate replaces an order without a free slot', () => {
  const full = source([order(1), order(2)]);
  full.reserve(order(1));
  const plan = planTasks(request({ max: 1 }), { round: undefined, tasks: [] }, full);
  assert.deepEqual(ids(plan.tasks), [2]);
});

test('two orders for one resource are never shown together', () => {
  const plan = planTasks(request(), { round: undefined, tasks: [] }, source([order(1, 50), order(2, 50), order(3)]));
  assert.deepEqual(ids(plan.tasks), [1, 3]);
});

test('an expired task returns in its place for another hour, at the current terms', () => {
  const state = { round: round(), tasks: [task(1, 1, expired), task(2, 2)] };
  const dearer = { ...order(1), chargeKopecks: 250n };
  const plan = planTasks(request(), state, source([], { again: [dearer] }));
  assert.deepEqual(ids(plan.tasks), [1, 2]);
  assert.deepEqual(
    plan.placed.map(({ orderId, position, chargeKopecks, expiresAt }) => [orderId, position, chargeKopecks, expiresAt]),
    [[1, 1, 250n, addSeconds(NOW, HOUR)]],
  );
});

test('an expired task that cannot be shown again drops out, and no task replaces it', () => {
  const state = { round: round(), tasks: [task(1, 1, expired), task(2, 2)] };
  assert.deepEqual(ids(planTasks(request(), state, source([order(3)])).tasks), [2]);
  const full = source([order(3)], { again: [order(1)], slots: 0 });
  assert.deepEqual(ids(planTasks(request(), state, full).tasks), [2]);
});

test('an expired task does not return beside another task for the same resource', () => {
  const state = { round: round(), tasks: [task(1, 1, expired), task(2, 2, { resourceId: 1 })] };
  assert.deepEqual(ids(planTasks(request(), state, source([], { again: [order(1)] })).tasks), [2]);
});

test('a larger max appends tasks to the round, and done tasks count towards it', () => {
  const state = { round: round({ requested: 2 }), tasks: [task(1, 1, done), task(2, 2)] };
  const plan = planTasks(request({ max: 4 }), state, source([order(3), order(4), order(5)]));
  assert.deepEqual(ids(plan.tasks), [2, 3, 4]);
  assert.deepEqual(
    plan.placed.map(({ position }) => position),
    [3, 4],
  );
  assert.equal(plan.round?.requested, 4);
});

test('a finished round stays finished until it ends, and then a new one opens', () => {
  const tasks = [task(1, 1, done)];
  const running = planTasks(request(), { round: round(), tasks }, source([order(2)]));
  assert.deepEqual(running, { tasks: [], placed: [], renewed: [], round: undefined });
  const ended = planTasks(request(), { round: round({ endsAt: NOW }), tasks }, source([order(2)]));
  assert.deepEqual(ids(ended.tasks), [2]);
  assert.equal(ended.round?.number, ROUND + 1);
});

test('open tasks lead the next round in their old order; expired ones do not', () => {
  const tasks = [task(5, 1), task(6, 2, expired), task(4, 3)];
  const plan = planTasks(request(), { round: round({ endsAt: NOW }), tasks }, source([order(9)]));
  assert.deepEqual(ids(plan.tasks), [5, 4, 9]);
  assert.ok(plan.tasks.every((task) => task.round === ROUND + 1));
});

test('an expired task is carried into the next round when the user has joined since', () => {
  const shownAt = addSeconds(NOW, -2 * HOUR);
  const tasks = [task(5, 1), task(6, 2, { ...expired, shownAt: shownAt }), task(7, 3, expired)];
  const state = { round: round({ endsAt: NOW }), tasks };
  const plan = planTasks(request(), state, source([order(9)], { again: [order(6), order(7)], joined: [6] }));
  assert.deepEqual(
    plan.tasks.map(({ orderId, round: number, position }) => [orderId, number, position]),
    [
      [5, ROUND + 1, 1],
      [6, ROUND + 1, 2],
      [9, ROUND + 1, 3],
    ],
  );
  assert.deepEqual(plan.tasks[1]?.shownAt, shownAt, 'a join since the first showing stays a new one');
});

test('an expired extra task is shown again when the user has joined since', () => {
  const extra = { ...expired, round: EXTRA_ROUND };
  const state = { round: undefined, tasks: [task(1, 1, extra), task(2, 2, extra)] };
  const plan = planTasks(
    request({ action: 'newtask' }),
    state,
    source([], { again: [order(1), order(2)], joined: [2] }),
  );
  assert.deepEqual(ids(plan.tasks), [2]);
});

test('a task that can no longer be confirmed starts over when its order is shown again', () => {
  const shownAt = addSeconds(NOW, -60 * HOUR);
  const given = { round: ROUND - 1, shownAt: shownAt };
  const showing = (lateUntil: Date): Date | undefined => {
    const tasks = [task(1, 1, { ...expired, ...given, lateUntil })];
    return planTasks(request(), { round: round({ endsAt: NOW }), tasks }, source([order(1)])).tasks[0]?.shownAt;
  };
  assert.deepEqual(showing(addSeconds(NOW, 1)), shownAt);
  assert.deepEqual(showing(NOW), NOW);
});

test('tasks beyond a smaller max move into the next round and are not renewed', () => {
  const soon = addSeconds(NOW, 600);
  const tasks = [task(1, 1, { expiresAt: soon }), task(2, 2, { expiresAt: soon })];
  const plan = planTasks(request({ max: 1 }), { round: round({ endsAt: NOW }), tasks }, source([]));
  assert.deepEqual(ids(plan.tasks), [1]);
  assert.deepEqual(
    plan.renewed.map((task) => [task.orderId, task.round, task.expiresAt]),
    [
      [1, ROUND + 1, addSeconds(NOW, HOUR)],
      [2, ROUND + 1, soon],
    ],
  );
});

test('extra tasks beyond a smaller max are not renewed', () => {
  const soon = { round: EXTRA_ROUND, expiresAt: addSeconds(NOW, 600) };
  const state = { round: undefined, tasks: [task(1, 1, soon), task(2, 2, soon)] };
  assert.deepEqual(ids(planTasks(request({ action: 'newtask', max: 1 }), state, source([])).renewed), [1]);
});

test('extra tasks do not change the round, not even its expired tasks', () => {
  const state = { round: round(), tasks: [task(1, 1, expired), task(2, 2)] };
  const plan = planTasks(request({ action: 'newtask' }), state, source([order(1), order(8, 1), order(3)]));
  assert.deepEqual(ids(plan.tasks), [3]);
  assert.ok(plan.placed.every((task) => task.round === EXTRA_ROUND));
  assert.equal(plan.round, undefined);
});

test('extra tasks may repeat a resource of a round that ends now', () => {
  const state = { round: round({ endsAt: NOW }), tasks: [task(1, 1, expired)] };
  const { tasks } = planTasks(request({ action: 'newtask' }), state, source([order(1)]));
  assert.deepEqual(
    tasks.map(({ orderId, position }) => [orderId, position]),
    [[1, 1]],
  );
});

test('an open task is renewed after a twelfth of its lifetime, not before', () => {
  const aged = (seconds: number) => ({ expiresAt: addSeconds(NOW, HOUR - seconds) });
  const young = { round: round(), tasks: [task(1, 1, aged(300))] };
  assert.deepEqual(planTasks(request(), young, source([])).renewed, []);
  const old = { round: round(), tasks: [task(1, 1, aged(301))] };
  assert.equal(unchangedTasks(request(), old), undefined);
  assert.deepEqual(planTasks(request(), old, source([])).renewed[0]?.expiresAt, addSeconds(NOW, HOUR));
});

interface Case {
  readonly request: TaskRequest;
  readonly state: RoundState;
  readonly candidates: readonly Order[];
  readonly again: readonly Order[];
  readonly slots: number;
}

const RESOURCES = 6;
const anyTask = fc.record({
  orderId: fc.integer({ min: 1, max: 12 }),
  round: fc.constantFrom(ROUND, ROUND, ROUND, EXTRA_ROUND, ROUND - 1),
  state: fc.constantFrom('shown', 'expired', ...TASK_STATES),
  secondsLeft: fc.constantFrom(HOUR, HOUR - 30, 600, 0, -60),
});

/**
 * States that the database can hold: one task per order, at most one open task per resource, and expired tasks whose
 * time is over. The candidates are as the store returns them: best first, none open or done, and all allowed to be
 * shown again.
 */
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    request: fc.record({
      action: fc.constantFrom('subscribe', 'subscribe', 'newtask'),
      max: fc.integer({ min: 1, max: 6 }),
    }),
    round: fc.option(fc.record({ requested: fc.integer({ min: 1, max: 6 }), left: fc.constantFrom(HOUR, HOUR, 0) })),
    tasks: fc.uniqueArray(anyTask, { selector: ({ orderId }) => orderId, maxLength: 8 }),
    candidates: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 12 }),
    again: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 12 }),
    slots: fc.constantFrom(1, 1, 0),
  })
  .map((drawn) => {
    const resourceOf = (orderId: number): number => orderId % RESOURCES;
    const busy = new Set<number>();
    const tasks = drawn.tasks.flatMap(({ orderId, round: number, state, secondsLeft }, i) => {
      const over = state === 'expired' || secondsLeft <= 0;
      const made = task(orderId, i + 1, { round: number, resourceId: resourceOf(orderId), state });
      const given = { ...made, expiresAt: addSeconds(NOW, over ? Math.min(secondsLeft, 0) : secondsLeft) };
      if (state === 'expired' || (state === 'shown' && over)) return [given];
      if (busy.has(given.resourceId)) return [];
      busy.add(given.resourceId);
      return [given];
    });
    const orders = (numbers: readonly number[]) => numbers.map((id) => order(id, resourceOf(id)));
    const candidates = orders(drawn.candidates).filter(({ resource }) => !busy.has(resource.id));
    const { round: drawnRound } = drawn;
    return {
      request: request(drawn.request as Partial<TaskRequest>),
      state: {
        tasks,
        round: drawnRound
          ? round({ requested: drawnRound.requested, endsAt: addSeconds(NOW, drawnRound.left) })
          : undefined,
      },
      candidates,
      again: [...candidates, ...orders(drawn.again)],
      slots: drawn.slots,
    };
  });

const runs = { seed: 20_261_115, numRuns: 5_000 };
const planOf = (given: Case): TaskPlan =>
  planTasks(given.request, given.state, source(given.candidates, { again: given.again, slots: given.slots }));
const always = (name: string, holds: (given: Case, plan: TaskPlan) => void): void => {
  test(name, () =>
    fc.assert(
      fc.property(anyCase, (given) => holds(given, planOf(given))),
      runs,
    ),
  );
};

always('no plan shows more than was asked for', (given, { tasks }) => assert.ok(tasks.length <= given.request.max));

always('no plan shows a resource twice', (_, { tasks }) =>
  assert.equal(new Set(tasks.map((task) => task.resourceId)).size, tasks.length),
);

always('all that is shown is open, and what is new was reserved once', (given, { tasks, placed }) => {
  for (const task of tasks) assert.ok(isOpen(task, given.request.now));
  assert.equal(new Set(ids(placed)).size, placed.length);
  if (given.slots === 0) assert.deepEqual(placed, []);
});

always(
  'nothing is reserved or renewed that is not shown',
  ({ request: { now }, state }, { tasks, placed, renewed }) => {
    const shown = new Set(ids(tasks));
    for (const task of placed) assert.ok(shown.has(task.orderId));
    for (const task of renewed.filter(({ orderId }) => !shown.has(orderId))) {
      const before = state.tasks.find(({ orderId }) => orderId === task.orderId);
      assert.ok(before !== undefined && isOpen(before, now));
      assert.deepEqual(task.expiresAt, before.expiresAt, 'moved to the new round, but not renewed');
    }
  },
);

always(
  'tasks shown before keep their order and stand before new ones',
  ({ request: { action, now }, state }, { tasks }) => {
    const isRunning = state.round !== undefined && state.round.endsAt > now;
    const shownBefore = state.tasks.filter((known) => {
      if (isDone(known) || (!isOpen(known, now) && (action === 'newtask' || !isRunning))) return false;
      return action === 'newtask' ? known.round === EXTRA_ROUND : isRunning ? known.round === ROUND : known.round > 0;
    });
    const returned = ids(shownBefore).filter((id) => ids(tasks).includes(id));
    assert.deepEqual(ids(tasks).slice(0, returned.length), returned);
  },
);

always('a running round grows only for a larger max, and never past it', ({ request: asked, state }, plan) => {
  const { round: running } = state;
  if (asked.action !== 'subscribe' || running === undefined || running.endsAt <= asked.now) return;
  const ofRound = state.tasks.filter((known) => known.round === running.number);
  const isNew = ({ orderId }: Task): boolean => !ids(ofRound).includes(orderId);
  if (asked.max <= running.requested) assert.deepEqual(plan.placed.filter(isNew), []);
  const added = plan.placed.filter(isNew).length;
  if (added > 0) assert.ok(ofRound.filter(isDone).length + plan.tasks.length <= asked.max);
  assert.equal(plan.round?.requested ?? running.requested, Math.max(asked.max, running.requested));
});

always('what is answered as it is, a plan would answer too, with nothing to write', (given, plan) => {
  const asIs = unchangedTasks(given.request, given.state);
  if (asIs !== undefined) assert.deepEqual(plan, { tasks: asIs, placed: [], renewed: [], round: undefined });
});
