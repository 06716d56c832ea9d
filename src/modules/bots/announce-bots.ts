import { CHANGES_CHANNEL, encodeChange } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import { listBotsOfAccount } from './store.ts';

/** Makes every process ask anew who may use the tokens of these bots: their owner was banned, or is no longer. */
export async function announceBotsOf(tx: Transaction, accountId: number): Promise<number[]> {
  const botIds = (await listBotsOfAccount(tx, accountId)).map(({ id }) => id);
  for (const id of botIds) await tx.notify(CHANGES_CHANNEL, encodeChange({ kind: 'bot', id }));
  return botIds;
}
