import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConfirmOutcome,
  countedOutcome,
  decideBeforeCheck,
  decideForMember,
  type MemberDecision,
  outcomeOf,
} from './confirm.ts';
import { minutesLater, offerWith } from './offer.fixture.ts';
import { OFFER_STATES, type OfferState } from './offer.ts';

const COUNTED: ConfirmOutcome = { kind: 'counted', rewardKopecks: 700n, inHold: true };
const PENDING: ConfirmOutcome = { kind: 'pending', rewardKopecks: 700n };
const NOT_SHOWN: ConfirmOutcome = { kind: 'not_shown' };
const IN_TIME = minutesLater(30);
const TOO_LATE = minutesLater(60);

type Table<Cell> = Readonly<Record<OfferState, readonly [inTime: Cell, tooLate: Cell]>>;

/** Every state at both times: a state that is missing from the table does not compile. */
function checkTable<Cell>(table: Table<Cell>, decide: (state: OfferState, now: Date) => Cell): void {
  for (const state of OFFER_STATES) {
    assert.deepEqual([decide(state, IN_TIME), decide(state, TOO_LATE)], table[state], state);
  }
}

describe('before Telegram is asked', () => {
  test('a counted or pending task answers as it did, an open one is checked, a lapsed one was not shown', () => {
    checkTable<ConfirmOutcome | 'check'>(
      {
        offered: ['check', NOT_SHOWN],
        expired: [NOT_SHOWN, NOT_SHOWN],
        pending: [PENDING, PENDING],
        held: [COUNTED, COUNTED],
        paid: [COUNTED, COUNTED],
        settled: [COUNTED, COUNTED],
        // Whether the user is a member today decides between "not counted" and "not subscribed".
        reversed: ['check', 'check'],
        notgetted: ['check', 'check'],
      },
      (state, now) => decideBeforeCheck(offerWith({ state }), { isBanned: false, now }),
    );
  });

  test('a task that was never offered was not shown', () => {
    assert.deepEqual(decideBeforeCheck(undefined, { isBanned: false, now: IN_TIME }), NOT_SHOWN);
  });

  test('a banned user is told so whatever the task', () => {
    for (const offer of [undefined, ...OFFER_STATES.map((state) => offerWith({ state }))]) {
      assert.deepEqual(decideBeforeCheck(offer, { isBanned: true, now: IN_TIME }), { kind: 'banned' });
    }
  });
});

describe('when the user is a member', () => {
  test('only an open task of somebody who was no member before is counted', () => {
    checkTable<MemberDecision>(
      {
        offered: ['count', 'keep'],
        expired: ['keep', 'keep'],
        pending: ['keep', 'keep'],
        held: ['keep', 'keep'],
        paid: ['keep', 'keep'],
        settled: ['keep', 'keep'],
        reversed: ['refuse', 'refuse'],
        notgetted: ['keep', 'keep'],
      },
      (state, now) => decideForMember(offerWith({ state }), { wasMemberBefore: false, now }),
    );
  });

  test('somebody who was a member before the offer is never counted', () => {
    checkTable<MemberDecision>(
      {
        offered: ['refuse', 'keep'],
        expired: ['keep', 'keep'],
        pending: ['keep', 'keep'],
        held: ['keep', 'keep'],
        paid: ['keep', 'keep'],
        settled: ['keep', 'keep'],
        reversed: ['refuse', 'refuse'],
        notgetted: ['keep', 'keep'],
      },
      (state, now) => decideForMember(offerWith({ state }), { wasMemberBefore: true, now }),
    );
  });
});

describe('the answer for a task that was left as it is', () => {
  test('is what the task says', () => {
    const NOT_COUNTED: ConfirmOutcome = { kind: 'not_counted' };
    checkTable<ConfirmOutcome>(
      {
        offered: [NOT_SHOWN, NOT_SHOWN],
        expired: [NOT_SHOWN, NOT_SHOWN],
        pending: [PENDING, PENDING],
        held: [COUNTED, COUNTED],
        paid: [COUNTED, COUNTED],
        settled: [COUNTED, COUNTED],
        reversed: [NOT_COUNTED, NOT_COUNTED],
        notgetted: [NOT_COUNTED, NOT_COUNTED],
      },
      (state) => outcomeOf(offerWith({ state })),
    );
    assert.deepEqual(outcomeOf(undefined), NOT_SHOWN);
  });
});

test('a repeat answers exactly as the first time, whatever has become of the reward since', () => {
  for (const holdSeconds of [0, 86_400]) {
    const first = countedOutcome(offerWith({ holdSeconds }));
    assert.deepEqual(first, { kind: 'counted', rewardKopecks: 700n, inHold: holdSeconds > 0 });
    for (const state of ['held', 'paid', 'settled'] as const) {
      const offer = offerWith({ state, holdSeconds });
      assert.deepEqual(decideBeforeCheck(offer, { isBanned: false, now: minutesLater(100_000) }), first);
      assert.deepEqual(outcomeOf(offer), first);
    }
  }
});
