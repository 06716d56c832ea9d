import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { available, escrow, external, hold, LEDGER_KINDS, type LedgerAccount, payout, platform } from './account.ts';
import {
  contestPrizeTransfer,
  countedTransfers,
  debitTransfer,
  depositTransfer,
  movesMoney,
  OWNER_TRANSFER_KINDS,
  orderFundedTransfer,
  orderRefundedTransfer,
  orderToppedUpTransfer,
  payoutRequestedTransfer,
  payoutReturnedTransfer,
  payoutSentTransfer,
  reversedTransfers,
  rewardReleasedTransfer,
  TRANSFER_KINDS,
  type Transfer,
} from './transfer.ts';

const task = {
  userId: 5_000_000_001,
  resourceId: 3,
  botId: 4,
  orderId: 9,
  accountId: 1,
  rewardKopecks: 700n,
  chargeKopecks: 1_000n,
};
const money = { accountId: 1, amountKopecks: 100n };

const ALL: readonly Transfer[] = [
  depositTransfer({ ...money, key: 'crypto-pay:77' }),
  debitTransfer({ ...money, key: 'bot:abc' }),
  orderFundedTransfer({ ...money, orderId: 9 }),
  orderToppedUpTransfer({ ...money, orderId: 9, key: '0f-1' }),
  orderRefundedTransfer({ ...money, orderId: 9, number: 2 }),
  ...countedTransfers(task, { isPending: false, isHeld: true }),
  ...countedTransfers(task, { isPending: true, isHeld: false }),
  rewardReleasedTransfer(task),
  ...reversedTransfers(task, { isPending: false, isHeld: true, refund: true }),
  ...reversedTransfers(task, { isPending: true, isHeld: false, refund: false }),
  payoutRequestedTransfer({ ...money, id: 4 }),
  payoutSentTransfer({ ...money, id: 4 }),
  payoutReturnedTransfer({ ...money, id: 4 }),
  contestPrizeTransfer({ ...money, contestId: 6, place: 2 }),
];

const describe = ({ kind, key, from, to, amountKopecks }: Transfer): string =>
  `${kind} ${key} ${from.kind}:${from.ownerId} → ${to.kind}:${to.ownerId} ${amountKopecks}`;

test('every kind of transfer has its key, its accounts and its amount', () => {
  assert.deepEqual(ALL.map(describe), [
    'deposit deposit:crypto-pay:77 external:1 → available:1 100',
    'debited debit:bot:abc available:1 → platform:0 100',
    'order_funded order:9:fund:0 available:1 → escrow:9 100',
    'order_topped_up order:9:fund:0f-1 available:1 → escrow:9 100',
    'order_refunded order:9:refund:2 escrow:9 → available:1 100',
    'reward_held count:5000000001:3:reward escrow:9 → hold:1 700',
    'margin_charged count:5000000001:3:margin escrow:9 → platform:9 300',
    'reward_paid count:5000000001:3:4:9:reward escrow:9 → available:1 700',
    'margin_charged count:5000000001:3:4:9:margin escrow:9 → platform:9 300',
    'reward_released release:5000000001:3 hold:1 → available:1 700',
    'reward_reversed reverse:5000000001:3:reward hold:1 → escrow:9 700',
    'margin_returned reverse:5000000001:3:margin platform:9 → escrow:9 300',
    'reward_reversed reverse:5000000001:3:4:9:reward available:1 → platform:9 700',
    'payout_requested payout:4:request available:1 → payout:4 100',
    'payout_sent payout:4:sent payout:4 → external:1 100',
    'payout_returned payout:4:return payout:4 → available:1 100',
    'contest_prize contest:6:prize:2 platform:0 → available:1 100',
  ]);
  assert.deepEqual(new Set(ALL.map(({ kind }) => kind)), new Set(TRANSFER_KINDS));
});

test('a transfer names the rows that it was created for', () => {
  const { userId, botId, orderId } = task;
  for (const { kind, key, from: _from, to: _to, amountKopecks: _amount, ...references } of ALL) {
    if (/reward|margin/.test(kind)) assert.deepEqual(references, { userId, botId, orderId }, key);
    else if (kind.startsWith('order')) assert.deepEqual(references, { orderId }, key);
    else if (kind.startsWith('payout')) assert.deepEqual(references, { payoutId: 4 }, key);
    else if (kind === 'contest_prize') assert.deepEqual(references, { contestId: 6, place: 2 }, key);
    else assert.deepEqual(references, {}, key);
  }
});

test('owners see exactly the transfers from or to their balance or hold', () => {
  const isOwned = ({ kind }: LedgerAccount): boolean => kind === 'available' || kind === 'hold';
  const owned = ALL.filter(({ from, to }) => isOwned(from) || isOwned(to)).map(({ kind }) => kind);
  assert.deepEqual(new Set(owned), new Set(OWNER_TRANSFER_KINDS));
});

test('only the ledger module writes keys of transfers', () => {
  const src = join(import.meta.dirname, '../..');
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^modules[/\\]ledger[/\\]/.test(path),
  );
  const posting = sources.filter((path) => readFileSync(join(src, path), 'utf8').includes('postTransfers('));
  assert.ok(posting.length >= 7);
  for (const path of posting)
    assert.doesNotMatch(readFileSync(join(src, path), 'utf8'), /\bfrom: \w+\(|amountKopecks,? \}\]/, path);
});

test('every kind of account has its constructor', () => {
  const accounts = [available, hold, escrow, payout, platform, external].map((open) => open(5));
  assert.deepEqual(
    accounts,
    LEDGER_KINDS.map((kind) => ({ kind, ownerId: 5 })),
  );
});

test('a transfer of zero moves no money', () => {
  const transfer = depositTransfer({ ...money, key: 'k' });
  assert.equal(movesMoney({ ...transfer, amountKopecks: 0n }), false);
  assert.equal(movesMoney({ ...transfer, amountKopecks: 1n }), true);
});
