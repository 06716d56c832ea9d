import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderProgress } from './order.ts';
import { slotsByTimetable } from './order.ts';

const progress = (countedToday = 0, reservedCount = 0): OrderProgress => ({
  orderId: 1,
  reservedCount,
  reservedKopecks: 0n,
  countedCount: 0,
  unsettledCount: 0,
  shownTotal: 0,
  confirmedTotal: 0,
  countedDay: '2026-03-01',
  countedToday,
  reversedTotal: 0,
  spentKopecks: 0n,
  approvedTotal: 0,
  declinedTotal: 0,
});

/** Returns a time on 1 March 2026 in Moscow. */
const moscow = (time: string): Date => new Date(`2026-03-01T${time}:00+03:00`);
const order = { activeHours: null, paceEvenly: false, dailyLimit: null };

test('an order without a timetable has no limit', () => {
  assert.equal(slotsByTimetable(order, progress(), moscow('00:00')), Number.POSITIVE_INFINITY);
});

test('an order has no slots outside its hours', () => {
  const evening = { ...order, activeHours: [18, 19] };
  assert.equal(slotsByTimetable(evening, progress(), moscow('17:59')), 0);
  assert.ok(slotsByTimetable(evening, progress(), moscow('18:00')) > 0);
  assert.ok(slotsByTimetable(evening, progress(), moscow('19:59')) > 0);
  assert.equal(slotsByTimetable(evening, progress(), moscow('20:00')), 0);
});

test('even pacing releases the daily limit in proportion to the elapsed day', () => {
  const even = { ...order, paceEvenly: true, dailyLimit: 24 };
  assert.equal(slotsByTimetable(even, progress(), moscow('00:00')), 1);
  assert.equal(slotsByTimetable(even, progress(), moscow('11:59')), 12);
  assert.equal(slotsByTimetable(even, progress(), moscow('23:59')), 24);
  assert.equal(slotsByTimetable(even, progress(10, 1), moscow('11:59')), 1);
  assert.equal(slotsByTimetable(even, progress(12), moscow('11:59')), 0);
});

test('even pacing counts only the active hours', () => {
  const evening = { paceEvenly: true, dailyLimit: 10, activeHours: [18, 19] };
  assert.equal(slotsByTimetable(evening, progress(), moscow('18:59')), 5);
  assert.equal(slotsByTimetable(evening, progress(), moscow('19:59')), 10);
});

test('yesterday’s subscriptions do not slow down today', () => {
  const even = { ...order, paceEvenly: true, dailyLimit: 24 };
  const yesterday = { ...progress(24), countedDay: '2026-02-28' };
  assert.equal(slotsByTimetable(even, yesterday, moscow('11:59')), 12);
});
