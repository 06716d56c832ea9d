import type { Queryable } from '../../core/database.ts';
import { listConnections, listConnectionsOf } from './connection-store.ts';

/**
 * The cache of accounts that appear to share an owner. get-sponsors and confirm read it without a query. It is at most one
 * refresh behind, except for new orders and moved chats: what they connect is known at once.
 */
export interface ConnectionBook {
  /** Returns the accounts that are connected with this one. */
  of(accountId: number): ReadonlySet<number>;
  /** Reads all pairs again. */
  reload(): Promise<void>;
  /** Reads the pairs of one account, and adds new ones. */
  reloadAccount(accountId: number): Promise<void>;
}

const NONE: ReadonlySet<number> = new Set();

export function createConnectionBook(db: Queryable): ConnectionBook {
  let connected = new Map<number, Set<number>>();

  const add = (pairs: Map<number, Set<number>>, accountId: number, otherId: number): void => {
    const others = pairs.get(accountId);
    if (others === undefined) pairs.set(accountId, new Set([otherId]));
    else others.add(otherId);
  };

  return {
    of: (accountId) => connected.get(accountId) ?? NONE,
    async reload() {
      const fresh = new Map<number, Set<number>>();
      for (const { accountId, otherId } of await listConnections(db)) add(fresh, accountId, otherId);
      connected = fresh;
    },
    async reloadAccount(accountId) {
      for (const { otherId } of await listConnectionsOf(db, accountId)) {
        add(connected, accountId, otherId);
        add(connected, otherId, accountId);
      }
    },
  };
}
