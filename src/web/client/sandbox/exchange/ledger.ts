import { byId, element } from '../../shared/dom.ts';
import { verifyLedger } from '../actions.ts';
import { inSentence, momentOf, signedRubles } from '../format.ts';
import { personName } from '../phone/persons.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { LedgerAccount, Transfer, TransferKind } from '../wire.ts';
import { type Entry, entryList, part } from './entries.ts';

/** The side of a transfer that its line is about: the amount has the sign that this account sees. */
const SUBJECTS: Readonly<Record<TransferKind, 'from' | 'to'>> = {
  deposit: 'to',
  order_funded: 'from',
  order_topped_up: 'from',
  order_refunded: 'to',
  reward_held: 'to',
  reward_paid: 'to',
  reward_released: 'to',
  reward_reversed: 'from',
  margin_charged: 'to',
  margin_returned: 'from',
  payout_requested: 'from',
  payout_sent: 'from',
  payout_returned: 'to',
  contest_prize: 'to',
  debited: 'from',
};

/** Lists the latest transfers in words. An unfolded entry shows the accounts and the key. */
export function mountLedger(): void {
  const draw = entryList<Transfer>(byId('ledger', HTMLElement), {
    element: byId('ledger-empty', HTMLElement),
    text: t.ledger.empty,
  });
  show(
    (state) => [state.ledger, state.exchange?.persons, state.exchange?.orders, state.exchange?.accounts],
    ([ledger]) => draw(ledger, toEntry),
  );
  const status = byId('ledger-status', HTMLElement);
  byId('ledger-check', HTMLButtonElement).addEventListener('click', () => {
    void verifyLedger().then((report) => {
      if (report === undefined) return;
      const isRight = report.balanced && report.total_kopecks === 0;
      status.textContent = isRight ? `✓ ${t.ledger.balanced}` : `✗ ${t.ledger.unbalanced}`;
      status.className = isRight ? 'status good' : 'status bad';
    });
  });
  // A new transfer makes the last result outdated.
  show(
    (state) => [state.ledger[0]?.id],
    () => {
      status.textContent = '';
    },
  );
}

function toEntry(transfer: Transfer): Entry {
  const side = SUBJECTS[transfer.kind];
  const amount = side === 'to' ? transfer.amount : -transfer.amount;
  return {
    key: String(transfer.id),
    data: { kind: transfer.kind, user: String(transfer.user_id ?? '') },
    summary: [
      part('entry-main', describe(transfer)),
      part(`amount ${amount < 0 ? 'bad' : 'good'}`, signedRubles(amount)),
      part('under', `${accountName(transfer[side])} · ${momentOf(transfer.at)}`),
    ],
    details: [facts(transfer)],
  };
}

/** Says in a sentence what the transfer is for. */
function describe(transfer: Transfer): string {
  const { kind, from, to } = transfer;
  const order = [from, to].find(({ kind }) => kind === 'escrow') ?? [from, to].find(({ kind }) => kind === 'platform');
  const owner = [to, from].find(({ kind }) => kind === 'available' || kind === 'hold');
  const who = transfer.user_id === null ? ownerName(owner) : personName(transfer.user_id);
  return t.ledger.transfers[kind](inSentence(who), order === undefined ? '' : inSentence(ownerName(order)));
}

function facts({ from, to, key }: Transfer): HTMLElement {
  const lines = [
    [t.ledger.from, accountName(from)],
    [t.ledger.to, accountName(to)],
    [t.ledger.key, element('code', {}, key)],
  ] as const;
  return element(
    'dl',
    { className: 'facts' },
    ...lines.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  );
}

const accountName = (account: LedgerAccount): string => t.ledger.accounts[account.kind](inSentence(ownerName(account)));

function ownerName(account: LedgerAccount | undefined): string {
  if (account === undefined) return '';
  const { kind, owner_id: id } = account;
  const { exchange } = current();
  if (kind === 'payout') return String(id);
  const order = exchange?.orders.find((candidate) => candidate.order_id === id);
  if (kind === 'escrow' || kind === 'platform') return order?.name ?? String(id);
  return exchange?.accounts.find((candidate) => candidate.account_id === id)?.name ?? String(id);
}
