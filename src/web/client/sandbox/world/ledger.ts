import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { verifyLedger } from '../actions.ts';
import { momentOf, rubles } from '../format.ts';
import { personName } from '../phone/persons.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { LedgerAccount, Transfer } from '../wire.ts';
import { reportOpening } from './opened-details.ts';

const SHOWN = 20;

/** Lists the latest transfers in words. An unfolded entry shows the accounts and the key. */
export function mountLedger(): void {
  const list = byId('ledger', HTMLElement);
  const empty = byId('ledger-empty', HTMLElement);
  show(
    (state) => [state.ledger, state.world?.persons, state.world?.orders, state.world?.accounts],
    ([ledger]) => {
      const shown = ledger.slice(0, SHOWN).map((transfer) => ({ transfer, words: describe(transfer) }));
      keyedList(list, shown, { key: ({ transfer }) => String(transfer.id), render: transferEntry });
      empty.textContent = ledger.length === 0 ? t.ledger.empty : '';
    },
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

function describe(transfer: Transfer): string {
  const { kind, from, to } = transfer;
  const order = [from, to].find(({ kind }) => kind === 'escrow') ?? [from, to].find(({ kind }) => kind === 'platform');
  const owner = [to, from].find(({ kind }) => kind === 'available' || kind === 'hold');
  const who = transfer.user_id === null ? ownerName(owner) : personName(transfer.user_id);
  return t.ledger.transfers[kind](who, order === undefined ? '' : ownerName(order));
}

function transferEntry({ transfer, words }: { transfer: Transfer; words: string }): HTMLElement {
  const details = element(
    'details',
    { className: 'entry' },
    element(
      'summary',
      {},
      element('span', { className: 'entry-main' }, words),
      element('span', { className: 'amount' }, rubles(transfer.amount)),
      element('span', { className: 'under' }, momentOf(transfer.at)),
    ),
    element(
      'dl',
      { className: 'facts' },
      element('dt', {}, t.ledger.from),
      element('dd', {}, accountName(transfer.from)),
      element('dt', {}, t.ledger.to),
      element('dd', {}, accountName(transfer.to)),
      element('dt', {}, t.ledger.key),
      element('dd', {}, element('code', {}, transfer.key)),
    ),
  );
  attributes(details, { 'data-kind': transfer.kind, 'data-user': String(transfer.user_id ?? '') });
  return reportOpening(details, { list: 'transfer', subject: transfer.kind });
}

const accountName = (account: LedgerAccount): string => t.ledger.accounts[account.kind](ownerName(account));

function ownerName(account: LedgerAccount | undefined): string {
  if (account === undefined) return '';
  const { kind, owner_id: id } = account;
  const { world } = current();
  if (kind === 'payout') return String(id);
  const order = world?.orders.find((candidate) => candidate.order_id === id);
  if (kind === 'escrow' || kind === 'platform') return order?.name ?? String(id);
  return world?.accounts.find((candidate) => candidate.account_id === id)?.name ?? String(id);
}
