import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { rubles, signedRubles } from '../format.ts';
import { show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Account, Order } from '../wire.ts';

interface Line {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly amounts: readonly [available: number, hold: number, escrow: number];
}

const SHOWN = 8;
const FLASH_MS = 2_500;

/** Lists balances and holds. A changed amount shows the difference for a moment. */
export function mountMoney(): void {
  const body = byId('money', HTMLTableSectionElement);
  const more = byId('money-more', HTMLElement);
  const before = new Map<string, number>();
  let isFirst = true;
  show(
    (state) => [state.world?.accounts, state.world?.orders],
    ([accounts, orders = []]) => {
      if (accounts === undefined) return;
      const lines = accounts.filter(isWorthShowing).map((account) => lineOf(account, orders));
      keyedList(body, lines.slice(0, SHOWN), { key: (line) => String(line.id), render: row });
      more.textContent = lines.length > SHOWN ? t.more(lines.length - SHOWN) : '';
      if (lines.length === 0) more.textContent = t.money.empty;
      for (const line of lines) {
        line.amounts.forEach((amount, column) => {
          const key = `${line.id}:${column}`;
          const moved = Math.round((amount - (before.get(key) ?? 0)) * 100) / 100;
          before.set(key, amount);
          if (!isFirst && moved !== 0) flash(body.querySelector(`[data-amount="${key}"]`), moved);
        });
      }
      isFirst = false;
    },
  );
}

/** Every person who wrote to the management bot has an account; the page leaves out empty ones. */
const isWorthShowing = (account: Account): boolean =>
  account.is_publisher || account.is_advertiser || account.balance !== 0 || account.hold_balance !== 0;

function lineOf(account: Account, orders: readonly Order[]): Line {
  const own = orders.filter((order) => order.account_id === account.account_id);
  const escrow = own.reduce((sum, order) => sum + Math.round(order.escrow * 100), 0) / 100;
  const role = account.is_publisher ? t.money.publisher : account.is_advertiser ? t.money.advertiser : '';
  return { id: account.account_id, name: account.name, role, amounts: [account.balance, account.hold_balance, escrow] };
}

function row(line: Line): HTMLElement {
  const name = element('th', { scope: 'row' }, line.name, element('span', { className: 'under' }, line.role));
  const cells = line.amounts.map((amount, column) =>
    attributes(element('td', { className: amount === 0 ? 'amount amount-none' : 'amount' }, rubles(amount)), {
      'data-amount': `${line.id}:${column}`,
    }),
  );
  return attributes(element('tr', {}, name, ...cells), { 'data-account': String(line.id) });
}

function flash(cell: Element | null, moved: number): void {
  if (cell === null) return;
  const mark = element('span', { className: `moved ${moved > 0 ? 'moved-up' : 'moved-down'}` }, signedRubles(moved));
  cell.append(mark);
  setTimeout(() => mark.remove(), FLASH_MS);
}
