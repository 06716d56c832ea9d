import { DAY_MS } from '../../../core/clock.ts';
import type { StoredUser } from '../../audience/index.ts';
import { chatContextOf, type KnownUser, type NameFacts, readName } from '../../targeting/index.ts';

/**
 * The profile that a bot sends. Everything but the id is optional. An empty name or username means that the user has
 * none. Null means that the bot does not know, which differs from absent where the wire defines a default.
 */
export interface SentProfile {
  readonly userId: number;
  readonly chatId?: number | undefined;
  readonly firstName?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly languageCode?: string | null | undefined;
  readonly isPremium?: boolean | null | undefined;
}

const DEFAULT_LANGUAGE = 'ru';

/** Joins the sent profile with the stored one. */
export function userProfile(
  sent: SentFacts,
  { chatId, stored, now }: { chatId: number | undefined; stored: StoredUser; now: Date },
): KnownUser {
  const { firstSeenAt } = stored;
  return {
    ...sent,
    chatContext: chatContextOf(chatId),
    daysSinceFirstSeen:
      firstSeenAt === undefined ? 0 : Math.max(0, Math.floor((now.getTime() - firstSeenAt.getTime()) / DAY_MS)),
    learned: stored.learned,
  };
}

/** The part of a request that describes the person and is stored: not the chat, not the time. */
export type SentFacts = Pick<KnownUser, 'languageCode' | 'isPremium' | 'name' | 'hasUsername'>;

export function sentFacts(sent: SentProfile): SentFacts {
  return {
    languageCode: sent.languageCode === undefined ? DEFAULT_LANGUAGE : clean(sent.languageCode ?? '') || undefined,
    isPremium: sent.isPremium === undefined ? false : (sent.isPremium ?? undefined),
    name: sent.firstName == null ? undefined : cachedName(sent.firstName),
    hasUsername: sent.username == null ? undefined : clean(sent.username) !== '',
  };
}

/** Most requests send one of few names, and parsing a name is a large part of matching a user. */
const MAX_NAMES = 10_000;
const names = new Map<string, NameFacts | null>();

function cachedName(text: string): NameFacts | null {
  const cached = names.get(text);
  if (cached !== undefined) return cached;
  if (names.size >= MAX_NAMES) names.clear();
  const name = readName(text) ?? null;
  names.set(text, name);
  return name;
}

/** Bots may cut a text inside a surrogate pair, and PostgreSQL rejects the half that is left. */
function clean(text: string): string {
  return text.toWellFormed().trim();
}
