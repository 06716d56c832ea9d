import { addDays, businessDay, type Clock } from '../../core/clock.ts';
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
import { countUndecided } from '../cases/index.ts';
import { countWaitingContests } from '../contests/index.ts';
import { hold, readBalances } from '../ledger/index.ts';
import { countInModeration, countOrdersByStatus, type OrderStatus } from '../orders/index.ts';
import { countOpenDepositRequests, countPayoutsIn } from '../payouts/index.ts';
import { type Earnings, readEarnings } from './store.ts';

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

/** The length of the reviewed period, today included. */
export const REVIEW_DAYS = 30;
const SHOWN_COUNTERPARTIES = 5;

/** The sources of a publisher's money. An operator reads them before approving a payout. */
export interface EarningsReview extends Earnings {
  readonly funds: Funds;
  /** Rewards, in hold or in the balance, that are reversed if their users leave. */
  readonly reversibleKopecks: Kopecks;
  /** The same in percent of all rewards of the period; null when there were none. */
  readonly unsettledPercent: number | null;
  /** Reversed subscriptions in percent of the counted ones; null when none was counted. */
  readonly reversalPercent: number | null;
}

export async function reviewEarnings(
  { db, clock }: { db: Queryable; clock: Clock },
  accountId: number,
): Promise<EarningsReview> {
  const since = businessDay(addDays(clock.now(), -(REVIEW_DAYS - 1)));
  const [funds, balanceOf, earnings] = await Promise.all([
    readFunds(db, accountId),
    readBalances(db, [hold(accountId)]),
    readEarnings(db, { accountId, since, limit: SHOWN_COUNTERPARTIES }),
  ]);
  const reversibleKopecks = funds.unsettledKopecks + balanceOf(hold(accountId));
  return {
    ...earnings,
    funds,
    reversibleKopecks,
    unsettledPercent: percentOf(reversibleKopecks, earnings.rewardKopecks),
    reversalPercent: percentOf(BigInt(earnings.reversed), BigInt(earnings.counted)),
  };
}

/** Returns whole percent, rounded up so that a small part is not shown as zero. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole <= 0n ? null : Number((part * 100n + whole - 1n) / whole);
}

/** How many items wait for an operator. */
export interface Queues {
  readonly orders: number;
  readonly payouts: number;
  readonly deposits: number;
  readonly contests: number;
  readonly cases: number;
}

/** A manual payout waits twice: for approval, and then for an operator to pay it. */
export const WAITING_PAYOUTS = ['requested', 'approved'] as const;

export async function readQueues({ db, clock }: { db: Queryable; clock: Clock }): Promise<Queues> {
  const [orders, payouts, deposits, contests, cases] = await Promise.all([
    countInModeration(db),
    countPayoutsIn(db, WAITING_PAYOUTS),
    countOpenDepositRequests(db),
    countWaitingContests(db, clock.now()),
    countUndecided(db),
  ]);
  return { orders, payouts, deposits, contests, cases };
}
