import type { Database } from '../../core/database.ts';
import { markTold, takeNotices } from './store.ts';
import type { Webhook } from './webhook.ts';

const NOTICE_LEASE_SECONDS = 60;

export interface TellOwnersDeps {
  readonly db: Database;
  readonly onDisabled: (webhook: Webhook) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Tells the owners of webhooks that were disabled. One who could not be told is tried again after a while. */
export async function tellOwners({ db, onDisabled, onError }: TellOwnersDeps): Promise<void> {
  for (const webhook of await takeNotices(db, NOTICE_LEASE_SECONDS)) {
    try {
      await onDisabled(webhook);
      await markTold(db, webhook.id);
    } catch (error) {
      onError(error);
    }
  }
}
