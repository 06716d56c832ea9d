import type { Database } from '../../core/database.ts';
import type { Bot } from './bot.ts';
import { registerBot } from './register-bot.ts';
import { findBotByUsername } from './store.ts';

export type ClaimOutcome =
  | { readonly kind: 'registered'; readonly bot: Bot }
  /** Registered before, by the same account: whoever asks twice is told twice. */
  | { readonly kind: 'already_yours'; readonly bot: Bot }
  /** Another account has it. Who is right is for an operator to find out. */
  | { readonly kind: 'taken' };

/** Registers a bot for an account that has shown, to whoever calls this, that the bot is its own. */
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
