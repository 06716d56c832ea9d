import { DAY_MS } from '../../core/clock.ts';
import type { StoredUser } from '../audience/index.ts';
import { chatContextOf, type KnownUser, readName } from '../targeting/index.ts';

/** What a bot may tell of a user. Everything but the id is optional; empty is the same as absent. */
export interface SentProfile {
  readonly userId: number;
  readonly chatId?: number | undefined;
  readonly firstName?: string | undefined;
  readonly username?: string | undefined;
  readonly languageCode?: string | undefined;
  readonly isPremium?: boolean | undefined;
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
    languageCode: blank(sent.languageCode) ?? DEFAULT_LANGUAGE,
    isPremium: sent.isPremium ?? false,
    name: recallName(sent.firstName ?? ''),
    hasUsername: blank(sent.username) === undefined ? undefined : true,
  };
}

/** Few names make up most of those that are sent, and reading one is a good part of what matching a user costs. */
const MAX_NAMES = 10_000;
const names = new Map<string, KnownUser['name']>();

function recallName(text: string): KnownUser['name'] {
  if (names.has(text)) return names.get(text);
  if (names.size >= MAX_NAMES) names.clear();
  const name = readName(text);
  names.set(text, name);
  return name;
}

/** Bots cut texts anywhere; half a character at the end is no fault of the user's, but PostgreSQL does not keep it. */
function blank(text: string | undefined): string | undefined {
  const trimmed = text?.toWellFormed().trim();
  return trimmed === '' ? undefined : trimmed;
}
