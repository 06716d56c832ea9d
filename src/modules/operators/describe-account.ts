import type { Queryable } from '../../core/database.ts';
import type { Kopecks } from '../../core/money.ts';
import {
  type AccountSummary,
  type Freeze,
  type Funds,
  findAccountSummary,
  findAccountsByNumber,
  findFreeze,
  readFunds,
} from '../accounts/index.ts';
import { type Bot, findBotByUsername, listBotsOfAccount } from '../bots/index.ts';
import { hold, readBalances } from '../ledger/index.ts';
import { countOrdersByStatus, type OrderStatus } from '../orders/index.ts';

/** An account as an operator sees it before a decision. */
export interface AccountDescription extends AccountSummary, Funds {
  readonly holdKopecks: Kopecks;
  /** Present when withdrawals are frozen. */
  readonly freeze: Freeze | undefined;
  readonly bots: readonly Bot[];
  readonly orders: ReadonlyMap<OrderStatus, number>;
}

export async function describeAccount(db: Queryable, accountId: number): Promise<AccountDescription | undefined> {
  const [summary, freeze, funds, balanceOf, bots, orders] = await Promise.all([
    findAccountSummary(db, accountId),
    findFreeze(db, accountId),
    readFunds(db, accountId),
    readBalances(db, [hold(accountId)]),
    listBotsOfAccount(db, accountId),
    countOrdersByStatus(db, accountId),
  ]);
  if (summary === undefined) return undefined;
  return { ...summary, ...funds, freeze, holdKopecks: balanceOf(hold(accountId)), bots, orders };
}

const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/** Finds accounts by a typed text: an account number, a Telegram id, or the username of a bot. */
export async function searchAccounts(db: Queryable, text: string): Promise<AccountSummary[]> {
  const typed = text.trim();
  const number = /^\d{1,16}$/.test(typed) ? Number(typed) : 0;
  if (number > 0 && number <= MAX_NUMBER) return findAccountsByNumber(db, number);
  const username = /^(?:@|https:\/\/t\.me\/)?(\w{1,64})$/.exec(typed)?.[1];
  const bot = username === undefined ? undefined : await findBotByUsername(db, username);
  const owner = bot && (await findAccountSummary(db, bot.accountId));
  return owner === undefined ? [] : [owner];
}
