import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type CallSubject,
  CHATS_IN_A_ROW,
  createFloodWaits,
  LONGEST_CONCLUSION_MS,
  LONGEST_WAIT_MS,
  type ToldWait,
} from './flood-waits.ts';

fc.configureGlobal({ seed: 1 });

const chat = (chatId: number, caller = 'service'): CallSubject => ({ caller, chatId });

function book(most?: number) {
  let nowMs = 1_000_000;
  const waits = createFloodWaits({ now: () => new Date(nowMs) }, { ...(most !== undefined && { most }) });
  return {
    ...waits,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

/** Records one refusal for each of the chats 101, 102, …, with no other reply in between. */
function refuseInARow(waits: ReturnType<typeof book>, count: number, seconds = 60): void {
  for (let i = 1; i <= count; i++) waits.refused(chat(100 + i), seconds);
}

describe('the wait of one chat', () => {
  test('lasts as long as Telegram demands, only for that chat and that caller', () => {
    const waits = book();
    waits.refused(chat(1), 7);
    assert.equal(waits.leftMs(chat(1)), 7_000);
    assert.equal(waits.leftMs(chat(2)), 0);
    assert.equal(waits.leftMs(chat(1, 'another bot')), 0);
    waits.pass(6_999);
    assert.equal(waits.leftMs(chat(1)), 1);
    waits.pass(1);
    assert.equal(waits.leftMs(chat(1)), 0);
  });

  test('is not shortened by the reply to a concurrent call', () => {
    const waits = book();
    waits.refused(chat(1), 30);
    waits.refused(chat(1), 2);
    waits.answered(chat(1));
    assert.equal(waits.leftMs(chat(1)), 30_000);
    waits.refused(chat(1), 40);
    assert.equal(waits.leftMs(chat(1)), 40_000);
  });

  test('has a maximum length, and an invalid length counts as one second', () => {
    const waits = book();
    waits.refused(chat(1), 2 ** 31);
    assert.equal(waits.leftMs(chat(1)), LONGEST_WAIT_MS);
    for (const [index, seconds] of [Number.NaN, -5, Number.POSITIVE_INFINITY, 'soon', null].entries()) {
      const odd = chat(10 + index, `bot ${index}`);
      waits.refused(odd, seconds as number);
      assert.equal(waits.leftMs(odd), 1_000, String(seconds));
    }
  });

  test('ends when the clock is set back to before its start', () => {
    const waits = book();
    waits.refused(chat(1), 60);
    waits.pass(-3_600_000);
    assert.equal(waits.leftMs(chat(1)), 0);
  });
});

describe('the wait of the whole bot', () => {
  test('is inferred from enough chats refused in a row, and not from fewer', () => {
    const waits = book();
    refuseInARow(waits, CHATS_IN_A_ROW - 1);
    assert.equal(waits.leftMs(chat(1)), 0);
    waits.refused(chat(100 + CHATS_IN_A_ROW), 60);
    assert.ok(waits.leftMs(chat(1)) > 0);
    assert.equal(waits.leftMs(chat(1, 'another bot')), 0);
  });

  test('is not inferred from repeated refusals of one chat', () => {
    const waits = book();
    for (let i = 0; i < 10 * CHATS_IN_A_ROW; i++) waits.refused(chat(7), 60);
    assert.equal(waits.leftMs(chat(1)), 0);
  });

  test('is not inferred when Telegram replies to other chats in between', () => {
    const waits = book();
    for (let i = 1; i <= 10 * CHATS_IN_A_ROW; i++) {
      waits.refused(chat(100 + i), 60);
      if (i % (CHATS_IN_A_ROW - 1) === 0) waits.answered(chat(1));
    }
    assert.equal(waits.leftMs(chat(1)), 0);
    assert.deepEqual(waits.current(), { chats: 10 * CHATS_IN_A_ROW, callers: 0 });
  });

  test('is not inferred from refusals whose own waits are over', () => {
    const waits = book();
    for (let i = 1; i <= 10 * CHATS_IN_A_ROW; i++) {
      waits.refused(chat(100 + i), 3);
      waits.pass(1_000);
    }
    assert.equal(waits.leftMs(chat(1)), 0);
  });

  test('lasts as long as the shortest wait of the chats, and each chat keeps its own', () => {
    const waits = book();
    refuseInARow(waits, CHATS_IN_A_ROW - 1, 20);
    waits.refused(chat(99), 4);
    assert.equal(waits.leftMs(chat(1)), 4_000);
    assert.equal(waits.leftMs(chat(101)), 20_000);
  });

  test('has a shorter maximum because it is inferred, and must be inferred again after it', () => {
    const waits = book();
    refuseInARow(waits, CHATS_IN_A_ROW, 600);
    assert.equal(waits.leftMs(chat(1)), LONGEST_CONCLUSION_MS);
    waits.pass(LONGEST_CONCLUSION_MS);
    assert.equal(waits.leftMs(chat(1)), 0);
    assert.ok(waits.leftMs(chat(101)) > 0);
    waits.refused(chat(1), 600);
    assert.equal(waits.leftMs(chat(2)), 0, 'one more refusal is no new row');
  });
});

describe('the flood waits of a process', () => {
  test('count only waits that are not over, and can be cleared', () => {
    const waits = book();
    refuseInARow(waits, CHATS_IN_A_ROW, 10);
    waits.refused(chat(1, 'another bot'), 60);
    assert.deepEqual(waits.current(), { chats: CHATS_IN_A_ROW + 1, callers: 1 });
    waits.pass(10_000);
    assert.deepEqual(waits.current(), { chats: 1, callers: 0 });
    waits.forgetAll();
    assert.deepEqual(waits.current(), { chats: 0, callers: 0 });
    assert.equal(waits.leftMs(chat(1, 'another bot')), 0);
  });

  test('have a maximum number; the newest are kept', () => {
    const waits = book(50);
    for (let i = 1; i <= 10_000; i++) waits.refused(chat(i, `bot ${i}`), 600);
    assert.equal(waits.current().chats, 50);
    assert.equal(waits.leftMs(chat(9_950, 'bot 9950')), 0);
    assert.equal(waits.leftMs(chat(9_951, 'bot 9951')), 600_000);
  });

  test('never allow a call to a chat before its wait is over', () => {
    const step = fc.record({
      chatId: fc.integer({ min: 1, max: 8 }),
      seconds: fc.integer({ min: 1, max: 20 }),
      passMs: fc.nat({ max: 4_000 }),
      isRefused: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const waits = book();
        const endOf = new Map<number, number>();
        let now = 0;
        for (const { chatId, seconds, passMs, isRefused } of steps) {
          if (isRefused) {
            waits.refused(chat(chatId), seconds);
            endOf.set(chatId, Math.max(endOf.get(chatId) ?? 0, now + seconds * 1000));
          } else waits.answered(chat(chatId));
          now += passMs;
          waits.pass(passMs);
          for (const [id, end] of endOf) assert.ok(waits.leftMs(chat(id)) >= end - now, `chat ${id}`);
        }
      }),
    );
  });
});

describe('waits of other processes', () => {
  test('a wait that one process receives applies to the other too', () => {
    const told: ToldWait[] = [];
    const clock = { now: () => new Date(1_000_000) };
    const first = createFloodWaits(clock, { tell: (wait) => void told.push(wait) });
    const second = createFloodWaits(clock);
    first.refused(chat(1), 7);
    for (const wait of told) second.heard(wait);
    assert.equal(second.leftMs(chat(1)), 7_000);
    assert.equal(second.leftMs(chat(2)), 0);
  });

  test('a conclusion about the whole bot is told once, and the other process draws none of its own', () => {
    const told: ToldWait[] = [];
    const clock = { now: () => new Date(1_000_000) };
    const first = createFloodWaits(clock, { tell: (wait) => void told.push(wait) });
    const second = createFloodWaits(clock);
    for (let i = 1; i < CHATS_IN_A_ROW; i++) first.refused(chat(100 + i), 5);
    for (const wait of told) second.heard(wait);
    assert.equal(second.leftMs(chat(999)), 0);
    first.refused(chat(100 + CHATS_IN_A_ROW), 5);
    for (const wait of told) second.heard(wait);
    assert.equal(second.leftMs(chat(999)), 5_000);
    assert.equal(told.filter(({ chatId }) => chatId === null).length, 1);
  });

  test('an absurd wait is cut here as well', () => {
    const waits = createFloodWaits({ now: () => new Date(1_000_000) });
    waits.heard({ caller: 'service', chatId: 1, leftMs: Number.MAX_SAFE_INTEGER });
    assert.equal(waits.leftMs(chat(1)), LONGEST_WAIT_MS);
  });
});
