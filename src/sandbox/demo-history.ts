import { addSeconds, type Clock, SECOND_MS } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { assert } from '../core/errors.ts';
import type { Secrets } from '../core/secrets.ts';
import { claimUsersToLookUp, learnValues } from '../modules/audience/index.ts';
import type { Bot } from '../modules/bots/index.ts';
import { available, readBalances } from '../modules/ledger/index.ts';
import { forgetNotices, takeNotices } from '../modules/notices/index.ts';
import { createOrderBook, type Order, type Resource } from '../modules/orders/index.ts';
import { approvePayout, markPayoutSent, requestPayout } from '../modules/payouts/index.ts';
import { NO_LIMITS } from '../modules/quality/index.ts';
import { createTaskFlow, type MembershipStatus, type TaskFlow } from '../modules/tasks/index.ts';

/** How many new users the demo bot had on each day. */
const USERS_PER_DAY = [3, 4, 4, 6, 9, 8, 5, 4, 6, 7, 9, 12] as const;
/** A little more than a day, so that the subscriptions of a day can settle before the next one begins. */
const STEP_SECONDS = (24 * 60 + 20) * 60;
/** Leaves a day after the last settlement, so that nothing of the history happens while a visitor watches. */
export const HISTORY_SECONDS = 14 * 24 * 60 * 60;
/** Settling after every day would double the time of a reset. */
const SETTLE_EVERY_DAYS = 4;
const FIRST_USER_ID = 1_204_000_000;

const NAMES = ['Иван', 'Мария', 'Олег', 'Светлана', 'Тимур', 'Alex', 'Emma', 'Дарья', 'Никита', 'Noah'] as const;
const LANGUAGES = ['ru', 'ru', 'ru', 'uk', 'ru', 'en', 'en', 'ru', 'kk', 'en'] as const;
const COUNTRIES = ['RU', 'RU', 'KZ', 'UA', 'RU', 'US', 'GB', 'BY', 'KZ', 'DE'] as const;
const DEVICES = [
  { device_type: 'smartphone', os: 'Android' },
  { device_type: 'smartphone', os: 'iOS' },
  { device_type: 'desktop', os: 'Windows' },
] as const;

export interface HistoryDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  /** The clock of the demo data, which this moves. */
  readonly clock: Clock & { moveTo(time: Date): void };
  readonly operatorId: number;
}

/**
 * Lets the demo bot work for two weeks with the real use cases, so that every counter and transfer is as in a live
 * service. Afterwards the publisher has withdrawn everything: a tour starts at a balance of zero. The users exist only
 * for the service; the emulated Telegram would list them among the persons.
 */
export async function createDemoHistory(deps: HistoryDeps, bot: Bot): Promise<void> {
  const { db, clock } = deps;
  const begin = clock.now();
  const telegram = createPastTelegram();
  const book = createOrderBook(db, clock);
  await book.reloadAll();
  const flow = createTaskFlow({
    ...deps,
    book,
    membershipChecker: telegram.membershipChecker,
    reservationSeconds: 60 * 60,
    reservationsOfNewBot: 1_000,
    operatorIds: new Set(),
    candidateCheckMs: 10_000,
    unknownCharge: 'full',
    ...NO_LIMITS,
    personalLink: () => '',
    connections: { of: () => new Set() },
  });
  let firstUser = 0;
  for (const [day, count] of USERS_PER_DAY.entries()) {
    const users = Array.from({ length: count }, (_, index) => firstUser + index);
    firstUser += count;
    clock.moveTo(addSeconds(begin, day * STEP_SECONDS));
    await Promise.all(users.map((user) => learnUser(db, user, clock.now())));
    const left = (await Promise.all(users.map((user) => gateUser({ flow, bot, telegram }, user)))).flat();
    clock.moveTo(addSeconds(clock.now(), 5 * 60 * 60));
    for (const membership of left) {
      const change = { wasMember: true, isMember: false, isRemoval: false, at: clock.now() };
      await flow.recordMembership({ ...membership, ...change });
    }
    if ((day + 1) % SETTLE_EVERY_DAYS > 0) continue;
    clock.moveTo(addSeconds(begin, day * STEP_SECONDS + 24 * 60 * 60 + 60));
    await flow.expireTasks();
    await flow.settleDue();
    if (day + 1 > SETTLE_EVERY_DAYS) await payOut(deps, bot.accountId);
  }
  await flow.drain();
  await forgetAllNotices(db, clock.now());
  // The emulated Telegram does not know these users, so the profile job must not ask for them.
  const now = addSeconds(begin, HISTORY_SECONDS);
  await claimUsersToLookUp(db, { now, staleBefore: now, limit: firstUser });
}

/** No person reads what happened before the start, and no person has started the management bot yet. */
async function forgetAllNotices(db: Database, now: Date): Promise<void> {
  const notices = await takeNotices(db, { now: addSeconds(now, 24 * 60 * 60), leaseSeconds: 60, limit: 1_000 });
  await forgetNotices(
    db,
    notices.map(({ id }) => id),
  );
}

const userIdOf = (user: number): number => FIRST_USER_ID + user * 7_919;
const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

/** A smart link learned something about three of four users. */
async function learnUser(db: Database, user: number, at: Date): Promise<void> {
  if (user % 4 === 3) return;
  const values = {
    country: pick(COUNTRIES, user),
    gender: user % 2 === 0 ? 'male' : 'female',
    age: 18 + ((user * 7) % 35),
    ...pick(DEVICES, user),
  };
  await learnValues(db, userIdOf(user), values, { source: 'smart_link', at });
}

interface Gate {
  readonly flow: TaskFlow;
  readonly bot: Bot;
  readonly telegram: PastTelegram;
}

/** Shows tasks to a user, who subscribes to most of them. Returns the chat that the user leaves within a day, if any. */
async function gateUser({ flow, bot, telegram }: Gate, user: number): Promise<{ userId: number; chatId: number }[]> {
  const userId = userIdOf(user);
  const { tasks } = await flow.getSponsors({
    bot,
    userId,
    action: 'subscribe',
    max: 3 + (user % 4),
    firstName: pick(NAMES, user),
    username: user % 3 === 0 ? '' : `user_${user}`,
    languageCode: pick(LANGUAGES, user),
    isPremium: user % 6 === 5,
  });
  // Three of four tasks, the same share for each order: the conversion decides which order is shown first.
  const orders = tasks.filter((_, index) => (Math.floor(user / 4) + user + index) % 4 !== 0).map(({ order }) => order);
  for (const { resource } of orders) telegram.join(resource, userId);
  await flow.confirm({ bot, userId, orderIds: orders.map(({ id }) => id) });
  const left: Order | undefined =
    user % 8 === 4 ? orders.find(({ resource }) => resource.type === 'channel') : undefined;
  if (left === undefined) return [];
  telegram.leave(left.resource, userId);
  return [{ userId, chatId: left.resource.chatId }];
}

/** Withdraws the whole balance, as the publisher and an operator do. */
async function payOut({ db, clock, operatorId }: HistoryDeps, accountId: number): Promise<void> {
  const balanceOf = await readBalances(db, [available(accountId)]);
  const at = clock.now();
  const request = {
    accountId,
    key: `demo-${at.getTime()}`,
    amountKopecks: balanceOf(available(accountId)),
    method: 'manual',
    destination: 'Demo bank, account 4081',
  } as const;
  const outcome = await requestPayout({ db, clock, minimumKopecks: 1n, cryptoPay: undefined }, request);
  assert(outcome.kind === 'requested', 'the demo publisher can withdraw the balance');
  const payoutId = outcome.payout.id;
  await db.transaction(async (tx) => {
    await approvePayout(tx, { payoutId, operatorId, at });
    await markPayoutSent(tx, {
      payoutId,
      reference: `Demo transfer ${payoutId}`,
      at: new Date(at.getTime() + SECOND_MS),
    });
  });
}

type PastTelegram = ReturnType<typeof createPastTelegram>;

/** Answers the membership checks of users that the emulated Telegram does not have. */
function createPastTelegram() {
  const members = new Set<string>();
  const keyOf = ({ id }: Resource, userId: number): string => `${id}:${userId}`;
  const check = async (resource: Resource, userId: number): Promise<MembershipStatus> =>
    members.has(keyOf(resource, userId)) || isOldMember(resource, userId) ? 'member' : 'left';
  return {
    join: (resource: Resource, userId: number) => void members.add(keyOf(resource, userId)),
    leave: (resource: Resource, userId: number) => void members.delete(keyOf(resource, userId)),
    membershipChecker: { check, checkKnownMember: check, checkIfAffordable: check, checkInTurn: check },
  };
}

/** Users are members of some channels already, so that each of them gets other tasks. */
const isOldMember = ({ id, type }: Resource, userId: number): boolean => type === 'channel' && (id + userId) % 5 === 0;
