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
  /** The bot's name does not contain the code. Only the owner of the bot can add it. */
  | { readonly kind: 'unproved'; readonly code: string }
  | { readonly kind: 'unavailable' };

/** Letters and digits that are not easily confused. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

/**
 * Returns the code that proves the ownership of a bot to one account. It is derived, so it never changes and is not
 * stored.
 */
export function botOwnerCode(secrets: Secrets, accountId: number, username: string): string {
  const bytes = secrets.sign('bot-owner', `${accountId}:${username.toLowerCase()}`).subarray(0, CODE_LENGTH);
  return `SG-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/**
 * Proves that the account owns a bot without its token: the bot's name contains the account's code, and only the owner
 * can change the name. One proof is enough; the owner may remove the code afterwards.
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
