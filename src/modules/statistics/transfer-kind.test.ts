import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { available, escrow, external, hold, type LedgerAccount, payout, platform } from '../ledger/index.ts';
import { describeTransfer, HISTORY_KINDS, type HistoryKind, type TransferFacts } from './transfer-kind.ts';

interface Example {
  readonly key: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  /** What the owner of an available balance or a hold reads in the history; nothing when no such account is touched. */
  readonly facts?: TransferFacts;
}

const subscription = { userId: 5_000_000_001, resourceId: 3 };
const of = (what: string): string => `${what}:${subscription.userId}:${subscription.resourceId}`;

/** Every shape of a key in the sources, a variable part written as <>, and the transfers that are posted with it. */
const SHAPES: Readonly<Record<string, readonly Example[]>> = {
  'deposit:<>': [
    { key: 'deposit:crypto-pay:77', from: external(1), to: available(1), facts: { kind: 'deposit' } },
    { key: 'deposit:operator:bank: of May', from: external(1), to: available(1), facts: { kind: 'deposit' } },
  ],
  'order:<>:fund:0': [
    { key: 'order:9:fund:0', from: available(1), to: escrow(9), facts: { kind: 'order_funded', orderId: 9 } },
  ],
  'order:<>:fund:<>': [
    { key: 'order:9:fund:0f-1', from: available(1), to: escrow(9), facts: { kind: 'order_topped_up', orderId: 9 } },
  ],
  'order:<>:refund:<>': [
    { key: 'order:9:refund:2', from: escrow(9), to: available(1), facts: { kind: 'order_refunded', orderId: 9 } },
  ],
  'count:<>:reward': [
    { key: `${of('count')}:reward`, from: escrow(9), to: hold(1), facts: { kind: 'reward_held', subscription } },
    { key: `${of('count')}:reward`, from: escrow(9), to: available(1), facts: { kind: 'reward_paid', subscription } },
    {
      key: `${of('count')}:3:9:reward`,
      from: escrow(9),
      to: hold(1),
      facts: { kind: 'reward_held', subscription, botId: 3, orderId: 9 },
    },
  ],
  'count:<>:margin': [{ key: `${of('count')}:margin`, from: escrow(9), to: platform(9) }],
  'release:<>:<>': [
    { key: of('release'), from: hold(1), to: available(1), facts: { kind: 'reward_released', subscription } },
  ],
  // The beginning of the two below.
  'reverse:<>': [],
  '<>:reward': [
    { key: `${of('reverse')}:reward`, from: hold(1), to: escrow(9), facts: { kind: 'reward_reversed', subscription } },
    {
      key: `${of('reverse')}:3:9:reward`,
      from: hold(1),
      to: escrow(9),
      facts: { kind: 'reward_reversed', subscription, botId: 3, orderId: 9 },
    },
    {
      key: `${of('reverse')}:reward`,
      from: available(1),
      to: platform(9),
      facts: { kind: 'reward_reversed', subscription },
    },
  ],
  '<>:margin': [{ key: `${of('reverse')}:margin`, from: platform(9), to: escrow(9) }],
  'payout:<>:request': [
    { key: 'payout:4:request', from: available(1), to: payout(4), facts: { kind: 'payout_requested', payoutId: 4 } },
  ],
  'payout:<>:<>': [
    { key: 'payout:4:return', from: payout(4), to: available(1), facts: { kind: 'payout_returned', payoutId: 4 } },
    { key: 'payout:4:sent', from: payout(4), to: external(1) },
  ],
  'debit:<>': [{ key: 'debit:bot:abc', from: available(1), to: platform(0), facts: { kind: 'debited' } }],
  'contest:<>:prize:<>': [
    {
      key: 'contest:6:prize:2',
      from: platform(0),
      to: available(1),
      facts: { kind: 'contest_prize', contestId: 6, place: 2 },
    },
  ],
};

const SRC = join(import.meta.dirname, '../..');

/** The files that move money, the ledger itself and tests apart. */
function postingFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^modules[/\\]ledger[/\\]/.test(path))
    .map((path) => readFileSync(join(SRC, path), 'utf8'))
    .filter((source) => source.includes('postTransfers('));
}

/** Texts in a source that read like keys: `word:…` or `${start}:word…`, with what is variable left out. */
function shapesIn(source: string): string[] {
  return [...source.matchAll(/`((?:\$\{\w+\}:[a-z]|[a-z]+:)[^`\s]*)`/g)].map(([, text = '']) =>
    text.replace(/\$\{[^{}]*\}/g, '<>'),
  );
}

describe('the kinds of history', () => {
  test('every key with which the sources move money is known here; a new one must be given a kind first', () => {
    const files = postingFiles();
    for (const source of files) assert.ok(shapesIn(source).length > 0, `no key is written in\n${source}`);
    const shapes = new Set(files.flatMap(shapesIn));
    assert.deepEqual([...shapes].sort(), Object.keys(SHAPES).sort());
  });

  const examples = Object.values(SHAPES).flat();
  const isOwned = ({ kind }: LedgerAccount): boolean => kind === 'available' || kind === 'hold';

  for (const { key, from, to, facts } of examples) {
    test(`${key} from ${from.kind} to ${to.kind} is ${facts?.kind ?? 'in nobody’s history'}`, () => {
      assert.equal(isOwned(from) || isOwned(to), facts !== undefined);
      if (facts !== undefined) assert.deepEqual(describeTransfer({ key, to }), facts);
    });
  }

  test('no kind is without a transfer that has it, but for the sum of all old ones and what nobody has named', () => {
    const named = new Set<HistoryKind>(examples.flatMap(({ facts }) => facts?.kind ?? []));
    assert.deepEqual(
      HISTORY_KINDS.filter((kind) => !named.has(kind)),
      ['earlier', 'other'],
    );
  });

  for (const key of [
    '',
    'gift:1',
    'order:9:gift:1',
    'count:1:2:gift',
    'payout:4:gift',
    'contest:6:gift:1',
    'reverse:1:2',
  ]) {
    test(`a key that nobody has named (${key}) is shown as other`, () => {
      assert.deepEqual(describeTransfer({ key, to: available(1) }), { kind: 'other' });
    });
  }
});
