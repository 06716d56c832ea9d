import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextMonday, readMoscowTime, readPrizes, tomorrow } from './new-contest.ts';

describe('a time that an operator types', () => {
  it('is a Moscow time, in Russian or ISO order', () => {
    for (const [text, iso] of [
      ['2026-12-01 12:00', '2026-12-01T09:00:00.000Z'],
      ['2026-12-01T12:00', '2026-12-01T09:00:00.000Z'],
      [' 2026-1-5 9:05 ', '2026-01-05T06:05:00.000Z'],
      ['01.12.2026 12:00', '2026-12-01T09:00:00.000Z'],
      ['1.2.2027, 00:30', '2027-01-31T21:30:00.000Z'],
      ['2026-12-01', '2026-11-30T21:00:00.000Z'],
      ['29.02.2028', '2028-02-28T21:00:00.000Z'],
    ] as const) {
      assert.equal(readMoscowTime(text)?.toISOString(), iso, text);
    }
  });

  it('is refused when there is no such time', () => {
    for (const text of [
      '',
      'tomorrow',
      '2026-02-30',
      '2026-13-01',
      '2026-12-01 25:00',
      '2026-12-01 12:61',
      '12:00',
      '31.04.2026 10:00',
    ]) {
      assert.equal(readMoscowTime(text), undefined, text);
    }
  });
});

describe('the suggested times', () => {
  it('start at midnight in Moscow, where the date may differ from UTC', () => {
    const late = new Date('2026-11-15T22:30:00Z'); // Monday in Moscow
    assert.equal(tomorrow(late).toISOString(), '2026-11-16T21:00:00.000Z');
    assert.equal(nextMonday(late).toISOString(), '2026-11-22T21:00:00.000Z');
    const sunday = new Date('2026-11-15T12:00:00Z');
    assert.equal(nextMonday(sunday).toISOString(), '2026-11-15T21:00:00.000Z');
  });
});

describe('prizes that an operator types', () => {
  it('are amounts by place, separated by commas, semicolons or lines', () => {
    assert.deepEqual(readPrizes('5000, 3000, 1000', 100), [500_000n, 300_000n, 100_000n]);
    assert.deepEqual(readPrizes('5 000; 99.50 ₽\n1', 100), [500_000n, 9_950n, 100n]);
    assert.deepEqual(readPrizes('700', 100), [70_000n]);
  });

  it('are refused when one is not an amount or there are too many', () => {
    for (const text of ['', 'a, b', '5000, 0', '5000, many', '1, 2, 3, 4']) {
      assert.equal(readPrizes(text, 3), undefined, text);
    }
  });
});
