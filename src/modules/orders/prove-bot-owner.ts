import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database.ts';
import type { Secrets } from '../../core/secrets.ts';
import { isBotOwner, recordBotOwner } from './bot-owner-store.ts';
import type { ResourceResolver } from './resource-resolver.ts';

export interface ProveOwnerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly resolver: Pick<ResourceResolver, 'nameOfBot'>;
}

export type OwnerProof =
  | { readonly kind: 'proved' }
  /** The code is not in the bot's name; only the bot's owner can put it there. */
  | { readonly kind: 'unproved'; readonly code: string }
  | { readonly kind: 'unavailable' };

/** Letters and digits that nobody takes for each other. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

/** The code that proves a bot to one account. Derived, so that it is the same whenever it is shown and stored nowhere. */
export function botOwnerCode(secrets: Secrets, accountId: number, username: string): string {
  const bytes = secrets.sign('bot-owner', `${accountId}:${username.toLowerCase()}`).subarray(0, CODE_LENGTH);
  return `SG-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/**
 * Proves that a bot without its token is the account's: the account's code stands in the bot's name, which only its
 * owner can change. Once is enough; the code may be taken out again.
 */
export async function proveBotOwner(deps: ProveOwnerDeps, accountId: number, username: string): Promise<OwnerProof> {
  const name = username.toLowerCase();
  if (await isBotOwner(deps.db, accountId, name)) return { kind: 'proved' };
  const code = botOwnerCode(deps.secrets, accountId, name);
  const shown = await deps.resolver.nameOfBot(name);
  if (shown === 'unavailable') return { kind: 'unavailable' };
  if (!shown.includes(code)) return { kind: 'unproved', code };
  await recordBotOwner(deps.db, { accountId, username: name, at: deps.clock.now() });
  return { kind: 'proved' };
}
