import type { Database } from '../../core/database.ts';
import { memberChatsOf, readUsers, type StoredUser } from '../audience/index.ts';
import { type History, readHistories } from './placement-store.ts';
import type { Pair } from './task-list.ts';

export interface AskerKey extends Pair {
  readonly now: Date;
}

/** Everything stored that decides which orders are for a user in a bot. */
export interface Asker {
  readonly history: History;
  /** Chats to which the user belongs, as Telegram told us unasked. */
  readonly memberOf: ReadonlySet<number>;
  readonly stored: StoredUser;
}

/** For many requests at once: three reads, however many there are. */
export async function readAskers(db: Database, keys: readonly AskerKey[]): Promise<Asker[]> {
  const userIds = keys.map(({ userId }) => userId);
  const now = keys.reduce((latest, key) => (key.now > latest ? key.now : latest), keys[0]?.now ?? new Date(0));
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

const NOWHERE: ReadonlySet<number> = new Set();
const NOTHING: History = { countedResources: new Set(), doneOrders: new Set(), doneResources: new Set() };
