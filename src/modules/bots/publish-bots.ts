import { publishChanges } from '../../core/changes.ts';
import type { Transaction } from '../../core/database.ts';
import { listBotsOfAccount } from './store.ts';

/** Makes every process read the account's bots again: a ban or its end decides whether their tokens are valid. */
export async function publishBotsOf(tx: Transaction, accountId: number): Promise<void> {
  const bots = await listBotsOfAccount(tx, accountId);
  await publishChanges(tx, ...bots.map(({ id }) => ({ kind: 'bot' as const, id })));
}
