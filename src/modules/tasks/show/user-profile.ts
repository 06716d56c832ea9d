import { DAY_MS } from '../../../core/clock.ts';
import type { StoredUser } from '../../audience/index.ts';
import { chatContextOf, type KnownUser, type NameFacts, readName } from '../../targeting/index.ts';

/**
 * What a bot may tell of a user. Everything but the id is optional. An empty name or username says that the user has
 * none; null says that the bot does not know, which differs from absent where the contract gives a default.
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

/** What was sent, joined with what is stored; what was sent wins. */
export function knownUser(
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

/** The part that depends on the person alone, and not on where or when they ask; this much is kept of a request. */
export type SentFacts = Pick<KnownUser, 'languageCode' | 'isPremium' | 'name' | 'hasUsername'>;

export function sentFacts(sent: SentProfile): SentFacts {
  return {
    languageCode: sent.languageCode === undefined ? DEFAULT_LANGUAGE : clean(sent.languageCode ?? '') || undefined,
    isPremium: sent.isPremium === undefined ? false : (sent.isPremium ?? undefined),
    name: sent.firstName == null ? undefined : recallName(sent.firstName),
    hasUsername: sent.username == null ? undefined : clean(sent.username) !== '',
  };
}

/** Few names make up most of those that are sent, and reading one is a good part of what matching a user costs. */
const MAX_NAMES = 10_000;
const names = new Map<string, NameFacts | null>();

function recallName(text: string): NameFacts | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) names.clear();
  const name = readName(text) ?? null;
  names.set(text, name);
  return name;
}

/** Bots cut texts anywhere; half a character at the end is no fault of the user's, but PostgreSQL does not keep it. */
function clean(text: string): string {
  return text.toWellFormed().trim();
}
