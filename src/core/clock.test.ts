import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  addSeconds,
  businessDay,
  DAY_MS,
  formatTimestamp,
  MINUTE_MS,
  minuteOfBusinessDay,
  systemClock,
} from './clock.ts';

fc.configureGlobal({ seed: 1 });

const time = fc.date({
  min: new Date('2015-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('businessDay', () => {
  test('a day begins at midnight in Moscow, in winter and in summer', () => {
    for (const [moment, day] of [
      ['2026-01-31T20:59:59.999Z', '2026-01-31'],
      ['2026-01-31T21:00:00.000Z', '2026-02-01'],
      ['2026-07-14T20:59:59.999Z', '2026-07-14'],
      ['2026-07-14T21:00:00.000Z', '2026-07-15'],
      ['2027-12-31T21:00:00.000Z', '2028-01-01'],
      ['2028-02-28T21:00:00.000Z', '2028-02-29'],
    ] as const) {
      assert.equal(businessDay(new Date(moment)), day, moment);
    }
  });

  test('is always the calendar day in Moscow', () => {
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Moscow', dateStyle: 'short' });
    fc.assert(fc.property(time, (moment) => assert.equal(businessDay(moment), calendar.format(moment))));
  });

  test('every day has exactly 24 hours', () => {
    fc.assert(
      fc.property(time, (moment) => {
        const next = addDays(moment, 1);
        assert.equal(Date.parse(businessDay(next)) - Date.parse(businessDay(moment)), DAY_MS);
      }),
    );
  });
});

describe('minuteOfBusinessDay', () => {
  test('is 0 in the first minute of the day and 1439 in the last', () => {
    for (const [moment, minute] of [
      ['2026-01-31T21:00:00.000Z', 0],
      ['2026-01-31T21:00:59.999Z', 0],
      ['2026-01-31T21:01:00.000Z', 1],
      ['2026-02-01T09:00:00.000Z', 720],
      ['2026-02-01T20:59:59.999Z', 1439],
    ] as const) {
      assert.equal(minuteOfBusinessDay(new Date(moment)), minute, moment);
    }
  });

  test('day and minute together identify every minute', () => {
    fc.assert(
      fc.property(time, (moment) => {
        const start = Date.parse(`${businessDay(moment)}T00:00:00+03:00`);
        const within = moment.getTime() - (start + minuteOfBusinessDay(moment) * MINUTE_MS);
        assert.ok(within >= 0 && within < MINUTE_MS);
      }),
    );
  });
});

describe('formatTimestamp', () => {
  test('is ISO 8601 with a numeric offset', () => {
    assert.equal(formatTimestamp(new Date('2026-03-04T05:06:07.089Z')), '2026-03-04T05:06:07.089+00:00');
  });

  test('keeps the exact millisecond', () => {
    fc.assert(
      fc.property(time, (moment) => {
        const text = formatTimestamp(moment);
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
        assert.equal(Date.parse(text), moment.getTime());
      }),
    );
  });
});

test('addSeconds returns a new date and leaves its argument unchanged', () => {
  const start = new Date('2026-01-01T00:00:00Z');
  assert.equal(addSeconds(start, 3600).toISOString(), '2026-01-01T01:00:00.000Z');
  assert.equal(addSeconds(start, -0.5).toISOString(), '2025-12-31T23:59:59.500Z');
  assert.equal(start.toISOString(), '2026-01-01T00:00:00.000Z');
});

test("the system clock returns the machine's time", (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
  assert.equal(systemClock.now().toISOString(), '2030-01-01T00:00:00.000Z');
});
