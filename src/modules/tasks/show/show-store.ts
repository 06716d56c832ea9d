import { latest } from '../../../core/clock.ts';
import type { Database, Queryable } from '../../../core/database.ts';
import { memberChatsOf, readUsers, type StoredUser } from '../../audience/index.ts';
import type { Pair } from '../task-list.ts';
import { type History, type KnownList, type ListQuestion, readHistories, readLists } from '../task-list-store.ts';

export interface AskerKey extends Pair {
  readonly now: Date;
}

/** Everything stored that decides which orders are for a user in a bot. */
export interface Asker {
  readonly history: History;
  /** Chats to which the user belongs, as Telegram told us unasked, with the first time at which the user was seen there. */
  readonly memberOf: ReadonlyMap<number, Date>;
  readonly stored: StoredUser;
}

/** What a request asks for first. */
export interface Question extends AskerKey, ListQuestion {
  /** Nobody remembers an answer for this user, so that most likely new tasks must be found: read what that takes as well. */
  readonly isExpectedNew: boolean;
}

export interface Known {
  /** Nothing, when it stands as it is remembered. */
  readonly list: KnownList | undefined;
  readonly asker: Asker | undefined;
}

/** The lists of many requests, and behind them what the newcomers among them need, in one round trip. */
export async function readKnown(db: Database, questions: readonly Question[]): Promise<Known[]> {
  const newcomers = questions.filter(({ isExpectedNew }) => isExpectedNew);
  // In this order: while a list stands as it was read, what is read behind it cannot be older.
  const [lists, askers] = await db.reading((one) =>
    Promise.all([readLists(one, questions), newcomers.length === 0 ? [] : readAskersOn(one, newcomers)]),
  );
  const askerOf = new Map(newcomers.map((question, i) => [question, askers[i]]));
  return questions.map((question, i) => ({ list: lists[i], asker: askerOf.get(question) }));
}

export function readAskers(db: Database, keys: readonly AskerKey[]): Promise<Asker[]> {
  return db.reading((one) => readAskersOn(one, keys));
}

/** For many requests at once: three reads, however many there are. */
async function readAskersOn(db: Queryable, keys: readonly AskerKey[]): Promise<Asker[]> {
  const userIds = keys.map(({ userId }) => userId);
  const now = latest(keys.map((key) => key.now));
  const [histories, memberOf, stored] = await Promise.all([
    readHistories(db, keys),
    memberChatsOf(db, userIds),
    readUsers(db, userIds, now),
  ]);
  return keys.map(({ userId }, index) => ({
    history: histories[index] ?? NOTHING,
    memberOf: memberOf.get(userId) ?? NOWHERE,
    stored: stored[index] ?? { userId, firstSeenAt: undefined, learned: {} },
  }));
}

const NOWHERE: ReadonlyMap<number, Date> = new Map();
const NOTHING: History = { countedResources: new Set(), doneOrders: new Set(), doneResources: new Set() };
