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
export function knownUser(sent: SentProfile, stored: StoredUser, now: Date): KnownUser {
  const { firstSeenAt } = stored;
  return {
    ...sentFacts(sent),
    chatContext: chatContextOf(sent.chatId),
    daysSinceFirstSeen:
      firstSeenAt === undefined ? 0 : Math.max(0, Math.floor((now.getTime() - firstSeenAt.getTime()) / DAY_MS)),
    learned: stored.learned,
  };
}

/** The part that depends on the person alone, and not on where or when they ask; this much is kept of a request. */
export function sentFacts(sent: SentProfile): Pick<KnownUser, 'languageCode' | 'isPremium' | 'name' | 'hasUsername'> {
  return {
    languageCode: blank(sent.languageCode) ?? DEFAULT_LANGUAGE,
    isPremium: sent.isPremium ?? false,
    name: readName(sent.firstName ?? ''),
    hasUsername: blank(sent.username) === undefined ? undefined : true,
  };
}

/** Bots cut texts anywhere; half a character at the end is no fault of the user's, but PostgreSQL does not keep it. */
function blank(text: string | undefined): string | undefined {
  const trimmed = text?.toWellFormed().trim();
  return trimmed === '' ? undefined : trimmed;
}
