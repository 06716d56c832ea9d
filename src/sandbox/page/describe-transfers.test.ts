import assert from 'node:assert/strict';
import { it } from 'node:test';
import { available, escrow, hold, platform } from '../../modules/ledger/index.ts';
import { factsOf } from './describe-transfers.ts';

it('derives the kind of a transfer from its key', () => {
  const subscription = { user_id: 7, resource_id: 3 };
  for (const [key, to, facts] of [
    ['deposit:sandbox:1', available(1), { what: 'deposit' }],
    ['order:3:fund:0', escrow(3), { what: 'order_funded' }],
    ['order:3:fund:abc', escrow(3), { what: 'order_topped_up' }],
    ['order:3:refund:1', available(1), { what: 'order_refunded' }],
    ['count:7:3:reward', hold(1), { what: 'reward_held', ...subscription }],
    ['count:7:3:reward', available(1), { what: 'reward_paid', ...subscription }],
    ['count:7:3:margin', platform(3), { what: 'margin', ...subscription }],
    ['release:7:3', available(1), { what: 'released', ...subscription }],
    ['reverse:7:3:reward', escrow(3), { what: 'reversed', ...subscription }],
    ['reverse:7:3:margin', escrow(3), { what: 'margin_returned', ...subscription }],
    ['payout:4:request', available(1), { what: 'payout' }],
    ['contest:2:prize:1', available(1), { what: 'prize' }],
    ['something:else', available(1), { what: 'other' }],
  ] as const) {
    assert.deepEqual(factsOf({ key, to }), facts, key);
  }
});
