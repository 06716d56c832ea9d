import { attributes, byId, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { rubles, signedRubles } from '../format.ts';
import { show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Account, Exchange } from '../wire.ts';

interface Line {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  /** `undefined` for a kind of money that the account does not have. */
  readonly amounts: readonly [available: number, hold: number | undefined, escrow: number | undefined];
}

const SHOWN = 8;
const FLASH_MS = 4_000;
/** The id of the service's row; accounts have positive ids. */
const SERVICE = 0;

/** Lists balances and holds, the service's too. A changed amount shows the difference for a moment. */
export function mountMoney(): void {
  const body = byId('money', HTMLTableSectionElement);
  const more = byId('money-more', HTMLElement);
  const before = new Map<string, number>();
  let isFirst = true;
  show(
    ({ exchange }) => [exchange?.accounts, exchange?.orders, exchange?.service_balance, exchange],
    ([, , , exchange]) => {
      if (exchange === undefined) return;
      const lines = exchange.accounts.filter(isWorthShowing).map((account) => lineOf(account, exchange));
      const shown = [...lines.slice(0, SHOWN), serviceLine(exchange)];
      keyedList(body, shown, { key: (line) => String(line.id), render: row });
      more.textContent = lines.length > SHOWN ? t.money.more(lines.length - SHOWN) : '';
      for (const line of shown) {
        line.amounts.forEach((amount, column) => {
          if (amount === undefined) return;
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

function lineOf(account: Account, { orders }: Exchange): Line {
  const own = orders.filter((order) => order.account_id === account.account_id);
  const escrow = own.reduce((sum, order) => sum + Math.round(order.escrow * 100), 0) / 100;
  const role = account.is_publisher ? t.money.publisher : account.is_advertiser ? t.money.advertiser : '';
  return { id: account.account_id, name: account.name, role, amounts: [account.balance, account.hold_balance, escrow] };
}

const serviceLine = ({ service_balance: balance, publisher_share_percent: share }: Exchange): Line => ({
  id: SERVICE,
  name: 'Sponsorgate',
  role: t.money.service(100 - share),
  amounts: [balance, undefined, undefined],
});

function row(line: Line): HTMLElement {
  const name = element(
    'th',
    { scope: 'row' },
    element('span', { className: 'name', dir: 'auto' }, line.name),
    element('span', { className: 'under' }, line.role),
  );
  const cells = line.amounts.map((amount, column) =>
    attributes(element('td', { className: amount ? 'amount' : 'amount amount-none' }, amountText(amount)), {
      'data-amount': `${line.id}:${column}`,
    }),
  );
  return attributes(element('tr', {}, name, ...cells), { 'data-account': String(line.id) });
}

const amountText = (amount: number | undefined): string => (amount === undefined ? '–' : rubles(amount));

function flash(cell: Element | null, moved: number): void {
  if (cell === null) return;
  const mark = element('span', { className: `moved ${moved > 0 ? 'good' : 'bad'}` }, signedRubles(moved));
  cell.append(mark);
  setTimeout(() => mark.remove(), FLASH_MS);
}
