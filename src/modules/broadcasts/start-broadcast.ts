import type { Transaction } from '../../core/database.ts';
import { countRecipients } from '../accounts/index.ts';
import { type Broadcast, isBroadcastText } from './broadcast.ts';
import { insertBroadcast } from './store.ts';

export interface NewBroadcast {
  /** The idempotency key: a repeated request creates no second broadcast. */
  readonly key: string;
  readonly textRu: string;
  readonly textEn: string;
  readonly operatorId: number;
  readonly at: Date;
}

export type StartBroadcastOutcome =
  | { readonly kind: 'started'; readonly broadcast: Broadcast; readonly isRepeat: boolean }
  | { readonly kind: 'invalid_text' };

/** Stores a broadcast. The job sends it to every account that exists now. */
export async function startBroadcast(
  tx: Transaction,
  { key, textRu, textEn, operatorId, at }: NewBroadcast,
): Promise<StartBroadcastOutcome> {
  if (!isBroadcastText(textRu) || !isBroadcastText(textEn)) return { kind: 'invalid_text' };
  const total = await countRecipients(tx, at);
  const texts = { textRu: textRu.trim(), textEn: textEn.trim() };
  const { broadcast, isNew } = await insertBroadcast(tx, { key, ...texts, createdBy: operatorId, total, at });
  return { kind: 'started', broadcast, isRepeat: !isNew };
}
