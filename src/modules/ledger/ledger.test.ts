import assert from 'node:assert/strict';
import { test } from 'node:test';
import { available, escrow, external, hold, LEDGER_KINDS, movesMoney, payout, platform } from './ledger.ts';

test('every kind of account has its constructor', () => {
  const accounts = [available, hold, escrow, payout, platform, external].map((open) => open(5));
  assert.deepEqual(
    accounts,
    LEDGER_KINDS.map((kind) => ({ kind, ownerId: 5 })),
  );
});

test('a movement of nothing is no transfer', () => {
  const transfer = { key: 'k', from: available(1), to: hold(1) };
  assert.equal(movesMoney({ ...transfer, amountKopecks: 0n }), false);
  assert.equal(movesMoney({ ...transfer, amountKopecks: 1n }), true);
});
