import type { Transaction } from './database.ts';

/**
 * The channel that keeps the caches of all processes in step with the database. A use case calls `publishChanges` in
 * the transaction that makes the change. After the COMMIT, `transaction` waits until the caches of this process have
 * applied the change, so the caller invalidates nothing. Other processes receive the change over LISTEN/NOTIFY.
 * `composition/follow-changes.ts` applies changes.
 */
export const CHANGES_CHANNEL = 'sponsorgate_changes';

export type Change =
  | { readonly kind: 'order' | 'bot' | 'link' | 'checker'; readonly id: number }
  /** The account with this id advertises something else than before, which can connect it with other accounts. */
  | { readonly kind: 'advertiser'; readonly id: number }
  /** The scores of sources were computed again, or an operator changed a level. */
  | { readonly kind: 'quality' }
  /** A reset of the sandbox: every cached row is stale. */
  | { readonly kind: 'everything' }
  /** An operator decided which accounts share an owner. */
  | { readonly kind: 'connections' };

/** Publishes the ids of changed rows when the transaction commits. The caches then read these rows again. */
export async function publishChanges(tx: Transaction, ...changes: readonly Change[]): Promise<void> {
  await Promise.all(changes.map((change) => tx.notify(CHANGES_CHANNEL, encodeChange(change))));
}

export function encodeChange(change: Change): string {
  return 'id' in change ? `${change.kind}:${change.id}` : change.kind;
}

export function decodeChange(payload: string): Change | undefined {
  if (payload === 'everything' || payload === 'quality' || payload === 'connections') return { kind: payload };
  const match = /^(order|bot|link|checker|advertiser):(\d{1,15})$/.exec(payload);
  return match === null
    ? undefined
    : { kind: match[1] as Extract<Change, { id: number }>['kind'], id: Number(match[2]) };
}
