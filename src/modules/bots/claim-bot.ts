import type { Database } from '../../core/database.ts';
import type { Bot } from './bot.ts';
import { registerBot } from './register-bot.ts';
import { findBotByUsername } from './store.ts';

export type ClaimOutcome =
  | { readonly kind: 'registered'; readonly bot: Bot }
  /** The same account registered it before. */
  | { readonly kind: 'already_yours'; readonly bot: Bot }
  /** Another account has it. An operator decides disputes. */
  | { readonly kind: 'taken' };

/** Registers a bot for an account. The caller has checked that the account owns the bot. */
export async function claimBot(
  db: Database,
  { accountId, username, at }: { accountId: number; username: string; at: Date },
): Promise<ClaimOutcome> {
  return db.transaction(async (tx) => {
    const registered = await registerBot(tx, { accountId, username, at });
    if (registered !== undefined) return { kind: 'registered', bot: registered };
    const known = await findBotByUsername(tx, username);
    if (known === undefined) throw new Error('a bot vanished while it was being registered');
    return known.accountId === accountId ? { kind: 'already_yours', bot: known } : { kind: 'taken' };
  });
}
