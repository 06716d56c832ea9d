import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BotProgress } from '../counters-store.ts';
import { reservationLimit } from './placement.ts';

const bot = (shownTotal: number, confirmedTotal: number, reversedTotal = 0): BotProgress => ({
  reservedCount: 0,
  shownTotal,
  confirmedTotal,
  reversedTotal,
});
const limitOf = (progress: BotProgress, isKnownToTelegram = true): number =>
  reservationLimit(progress, { ofNewBot: 20, isKnownToTelegram });

test('a new bot has the configured limit', () => {
  assert.equal(limitOf(bot(0, 0)), 20);
  assert.equal(limitOf(bot(0, 0), false), 20);
});

test('subscriptions that stayed raise the limit, and a better conversion raises it more', () => {
  assert.equal(limitOf(bot(980, 100)), 20 + 1_000, '10 %');
  assert.equal(limitOf(bot(480, 100)), 20 + 2_000, '20 %');
  assert.equal(limitOf(bot(9_980, 100)), 20 + 100, '1 %');
});

test('reversed subscriptions do not raise the limit, and showings without subscriptions lower it', () => {
  assert.equal(limitOf(bot(1_000, 100, 100)), 20);
  assert.equal(limitOf(bot(1_000, 0)), 20);
  assert.ok(limitOf(bot(50_000, 100)) < limitOf(bot(1_000, 100)));
});

test('users without data from Telegram get a quarter of the limit, at least that of a new bot', () => {
  assert.equal(limitOf(bot(980, 100), false), 255);
  assert.equal(limitOf(bot(980, 2), false), 20);
});

test('a conversion above 100 % raises the limit no further', () => {
  assert.equal(limitOf(bot(0, 10)), 20 + Math.floor(10 * 0.5 * 100));
  assert.equal(limitOf(bot(0, 100)), 20 + 100 * 100);
});
