import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Figures, measure } from '../../bench/fraud/measure.ts';
import { GOALS } from '../../bench/fraud/parameters.ts';
import { runMarket } from '../../bench/fraud/run-market.ts';
import { openWorld } from '../../bench/fraud/world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { planSecondMarket, START } from './second-generator.ts';

let database: TestDatabase;
let figures: Figures;
before(async () => {
  database = await createTestDatabase();
  const plan = planSecondMarket(7_919);
  const world = await openWorld(database.db, plan, START);
  figures = await measure(world, await runMarket(world, plan, { start: START, atOnce: 1 }));
});
after(() => database.drop());

const share = (value: number): string => `${(value * 100).toFixed(1)} %`;

test('most fraudulent money is stopped before payout', () => {
  assert.ok(figures.stopped >= GOALS.stopped, share(figures.stopped));
});

test('most of the money of a careful farm is stopped', () => {
  assert.ok(figures.stoppedCareful >= GOALS.stoppedCareful, share(figures.stoppedCareful));
});

test('no honest bot was ever low', () => {
  assert.equal(figures.honestLow, 0);
});

test('honest money is hardly delayed', () => {
  assert.ok(figures.honestDelayed <= GOALS.honestDelayed, share(figures.honestDelayed));
});

test('no honest reward is reversed or refused by error', () => {
  assert.equal(figures.honestWronged, 0);
});

test('every dishonest bot is caught', () => {
  const dishonest = figures.kinds.filter(({ side }) => side === 'dishonest');
  assert.equal(dishonest.length, 6);
  for (const { kind, uncaught } of dishonest) assert.equal(uncaught, 0, kind);
});

test('publishers keep the rewards of users whom an advertiser removed', () => {
  assert.ok(figures.removedKept > 0);
  assert.equal(figures.removedLost, 0);
});
