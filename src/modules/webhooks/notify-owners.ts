import type { Database } from '../../core/database.ts';
import type { Endpoint } from './endpoint.ts';
import { claimNotices, markNotified } from './endpoint-store.ts';

const NOTICE_LEASE_SECONDS = 60;

export interface NotifyOwnersDeps {
  readonly db: Database;
  readonly onDisabled: (endpoint: Endpoint) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Notifies the owners of disabled endpoints. A failed notice is retried when its lease ends. */
export async function notifyOwners({ db, onDisabled, onError }: NotifyOwnersDeps): Promise<void> {
  for (const endpoint of await claimNotices(db, NOTICE_LEASE_SECONDS)) {
    try {
      await onDisabled(endpoint);
      await markNotified(db, endpoint.id);
    } catch (error) {
      onError(error);
    }
  }
}
