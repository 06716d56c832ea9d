import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutesLater, NOON, taskWith } from '../task.fixture.ts';
import { TASK_STATES, type TaskState } from '../task.ts';
import {
  type ConfirmOutcome,
  countedOutcome,
  dateJoin,
  decideBeforeCheck,
  decideForMember,
  isUpToDate,
  type JoinDate,
  type MemberDecision,
  mayHaveLostJoin,
  outcomeOf,
} from './confirm-rules.ts';

const COUNTED: ConfirmOutcome = { kind: 'counted', rewardKopecks: 700n, inHold: true };
const PENDING: ConfirmOutcome = { kind: 'pending', rewardKopecks: 700n };
const NOT_SHOWN: ConfirmOutcome = { kind: 'not_shown' };
const IN_TIME = minutesLater(30);
const LATE = minutesLater(60);

type Table<Cell> = Readonly<Record<TaskState, readonly [inTime: Cell, late: Cell, over: Cell]>>;

/** Before the expiry, after the expiry, and after the time to confirm. */
const TIMES = [
  { now: IN_TIME, isOver: false },
  { now: LATE, isOver: false },
  { now: LATE, isOver: true },
];

/** Checks every state at every time. The type of the table requires a row for each state. */
function checkTable<Cell>(table: Table<Cell>, decide: (state: TaskState, time: (typeof TIMES)[number]) => Cell): void {
  for (const state of TASK_STATES) {
    assert.deepEqual(
      TIMES.map((time) => decide(state, time)),
      table[state],
      state,
    );
  }
}

const always = <Cell>(cell: Cell): readonly [Cell, Cell, Cell] => [cell, cell, cell];

describe('before the membership check', () => {
  test('a counted or pending task repeats its outcome, and an undecided one is checked while it can be confirmed', () => {
    checkTable<ConfirmOutcome | 'check'>(
      {
        shown: ['check', 'check', NOT_SHOWN],
        unreserved: ['check', 'check', NOT_SHOWN],
        expired: ['check', 'check', NOT_SHOWN],
        pending: always(PENDING),
        held: always(COUNTED),
        paid: always(COUNTED),
        settled: always(COUNTED),
        // The current membership decides between "not counted" and "not subscribed".
        reversed: always('check'),
        rejected: always({ kind: 'not_counted' } as const),
        notgetted: always('check'),
      },
      (state, { isOver }) => decideBeforeCheck(taskWith({ state }), { isBanned: false, isOver }),
    );
  });

  test('a task that was never shown returns not_shown', () => {
    assert.deepEqual(decideBeforeCheck(undefined, { isBanned: false, isOver: false }), NOT_SHOWN);
  });

  test('a banned user gets banned, whatever the task', () => {
    for (const task of [undefined, ...TASK_STATES.map((state) => taskWith({ state }))]) {
      assert.deepEqual(decideBeforeCheck(task, { isBanned: true, isOver: false }), { kind: 'banned' });
    }
  });
});

describe('when the user is a member', () => {
  test('an undecided task of a new member is counted, after its expiry only if its order has a free slot', () => {
    checkTable<MemberDecision>(
      {
        shown: ['count', 'count_if_room', 'keep'],
        unreserved: ['count_if_room', 'count_if_room', 'keep'],
        expired: ['count_if_room', 'count_if_room', 'keep'],
        pending: always('keep'),
        held: always('keep'),
        paid: always('keep'),
        settled: always('keep'),
        reversed: always('refuse'),
        rejected: always('keep'),
        notgetted: always('keep'),
      },
      (state, time) => decideForMember(taskWith({ state }), { wasMemberBefore: false, isSelfDealing: false, ...time }),
    );
  });

  for (const [what, flags] of [
    ['a user who was a member before the showing', { wasMemberBefore: true, isSelfDealing: false }],
    ['a subscription between connected accounts', { wasMemberBefore: false, isSelfDealing: true }],
  ] as const)
    test(`${what} is never counted`, () => {
      checkTable<MemberDecision>(
        {
          shown: ['refuse', 'refuse', 'keep'],
          unreserved: ['refuse', 'refuse', 'keep'],
          expired: ['refuse', 'refuse', 'keep'],
          pending: always('keep'),
          held: always('keep'),
          paid: always('keep'),
          settled: always('keep'),
          reversed: always('refuse'),
          rejected: always('keep'),
          notgetted: always('keep'),
        },
        (state, time) => decideForMember(taskWith({ state }), { ...flags, ...time }),
      );
    });
});

describe('the outcome of an unchanged task', () => {
  test('follows from its state', () => {
    const NOT_COUNTED: ConfirmOutcome = { kind: 'not_counted' };
    checkTable<ConfirmOutcome>(
      {
        shown: always(NOT_SHOWN),
        unreserved: always(NOT_SHOWN),
        expired: always(NOT_SHOWN),
        pending: always(PENDING),
        held: always(COUNTED),
        paid: always(COUNTED),
        settled: always(COUNTED),
        reversed: always(NOT_COUNTED),
        rejected: always(NOT_COUNTED),
        notgetted: always(NOT_COUNTED),
      },
      (state) => outcomeOf(taskWith({ state })),
    );
    assert.deepEqual(outcomeOf(undefined), NOT_SHOWN);
  });
});

test('a repeated confirm returns the first outcome, whatever happened to the reward since', () => {
  for (const holdSeconds of [0, 86_400]) {
    const first = countedOutcome(taskWith({ holdSeconds }));
    assert.deepEqual(first, { kind: 'counted', rewardKopecks: 700n, inHold: holdSeconds > 0 });
    // Without a hold, a reward is in the state `held` only while its join has no date.
    const states = holdSeconds === 0 ? (['paid', 'settled'] as const) : (['held', 'paid', 'settled'] as const);
    for (const state of states) {
      const task = taskWith({ state, holdSeconds });
      assert.deepEqual(decideBeforeCheck(task, { isBanned: false, isOver: false }), first);
      assert.deepEqual(outcomeOf(task), first);
    }
  }
  assert.deepEqual(outcomeOf(taskWith({ state: 'held', holdSeconds: 0 })), COUNTED);
});

const channel = { type: 'channel' } as const;
const bot = { type: 'bot' } as const;
const before = new Date(NOON.getTime() - 1);
const after = new Date(NOON.getTime() + 1);
const unchecked = taskWith({ wasOutside: false });
const checked = taskWith({ wasOutside: true });

const joined = (joinedAt: Date | null, firstMemberAt: Date | null = joinedAt) => ({ joinedAt, firstMemberAt });

test('a join is after the showing when an update dates it at the showing or later', () => {
  const cases: [ReturnType<typeof joined> | undefined, JoinDate][] = [
    [joined(NOON), 'after'],
    [joined(after), 'after'],
    [joined(before), 'before'],
    // The user left and joined again: the first membership counts.
    [joined(after, before), 'before'],
    // A check saw the member, but it does not date the join.
    [joined(null, NOON), 'unknown'],
    // The user joined and left before the showing, and there is no newer update.
    [joined(before, NOON), 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [known, date] of cases) assert.equal(dateJoin(unchecked, channel, known), date, JSON.stringify(known));
});

test('a check at the showing that found no member dates the join after it, unless an earlier membership is known', () => {
  assert.equal(dateJoin(checked, channel, undefined), 'after');
  assert.equal(dateJoin(checked, channel, joined(null, before)), 'before');
  assert.equal(dateJoin(checked, channel, joined(null, NOON)), 'after');
});

test('a bot is shown only after a check, so its users count as new', () => {
  assert.equal(dateJoin(unchecked, bot, undefined), 'after');
  assert.equal(dateJoin(unchecked, bot, joined(null, before)), 'before');
});

test('a service without updates for two minutes may have updates waiting', () => {
  const hearing = { lastFetch: { at: NOON, machineAt: NOON }, losses: [] };
  assert.equal(isUpToDate(hearing, minutesLater(2)), true);
  assert.equal(isUpToDate(hearing, new Date(minutesLater(2).getTime() + 1)), false);
  assert.equal(isUpToDate({ lastFetch: undefined, losses: [] }, NOON), false);
});

test('a loss of updates matters when it overlaps the time from the showing to the end of the window', () => {
  const task = taskWith({ windowEndsAt: minutesLater(60) });
  const lost = (from: Date, to: Date) =>
    mayHaveLostJoin(task, { lastFetch: undefined, losses: [{ startedAt: from, endedAt: to }] });
  assert.equal(lost(minutesLater(-60), before), false);
  assert.equal(lost(minutesLater(-60), NOON), true);
  assert.equal(lost(minutesLater(60), minutesLater(90)), true);
  assert.equal(lost(minutesLater(61), minutesLater(90)), false);
});
