import type { ChatFullInfo } from 'grammy/types';
import { addDays, type Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { claimUsersToLookUp, learnValues, releaseUsersToLookUp } from '../modules/audience/index.ts';
import { apiSignal, type BotApi, failureOf, unlessRefused } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';

interface LearnDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly api: BotApi;
  readonly budget: CheckBudget;
}

/** Most users per run, so that confirms keep enough calls. */
const PER_RUN = 50;
/** Learned values count for 90 days; reading them again after this long keeps them valid. */
const ASK_AGAIN_DAYS = 60;
const CALL_TIMEOUT_MS = 5_000;

/** Reads profiles that were not read for long from the Bot API. Returns how many users it learned something about. */
export async function learnProfiles(deps: LearnDeps, signal: AbortSignal): Promise<number> {
  const now = deps.clock.now();
  const staleBefore = addDays(now, -ASK_AGAIN_DAYS);
  const userIds = await claimUsersToLookUp(deps.db, { now, staleBefore, limit: PER_RUN });
  let learned = 0;
  for (const [index, userId] of userIds.entries()) {
    const answers = signal.aborted ? 'unavailable' : await ask(deps, userId, signal);
    // Telegram is unreachable: release the rest of this run, so that the next run starts with them.
    if (answers === 'unavailable') {
      await releaseUsersToLookUp(deps.db, userIds.slice(index));
      break;
    }
    if (answers === undefined) continue;
    await learnValues(deps.db, userId, readProfile(answers, now), { source: 'bot_api', at: now });
    learned += 1;
  }
  return learned;
}

/**
 * Values that Telegram refuses stay unknown. Returns undefined when it returns neither the chat nor the photos: the bot
 * has never met the user, which is the usual case.
 */
async function ask(
  { api, budget }: LearnDeps,
  userId: number,
  stopping: AbortSignal,
): Promise<ProfileAnswers | 'unavailable' | undefined> {
  const signal = () => apiSignal(AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]));
  const ifAllowed = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    await budget.take();
    return unlessRefused(call(), undefined);
  };
  try {
    const chat = await ifAllowed(() => api.service.getChat(userId, signal()));
    const photos = await ifAllowed(() => api.service.getUserProfilePhotos(userId, { limit: 1 }, signal()));
    if (chat === undefined && photos === undefined) return undefined;
    const audios = await ifAllowed(() => api.service.getUserProfileAudios(userId, { limit: 1 }, signal()));
    const gifts = await ifAllowed(() => api.service.getUserGifts(userId, { limit: 1 }, signal()));
    return {
      chat,
      photoCount: photos?.total_count,
      audioCount: audios?.total_count,
      giftCount: gifts?.total_count,
    };
  } catch (error) {
    // Rethrows our own faults.
    failureOf(error);
    return 'unavailable';
  }
}

/** The data that the Bot API returned about a user. */
interface ProfileAnswers {
  /** Each value is undefined when Telegram refused its call. */
  readonly chat: ChatFullInfo | undefined;
  readonly photoCount: number | undefined;
  readonly audioCount: number | undefined;
  readonly giftCount: number | undefined;
}

/**
 * Telegram does not say whether a photo shows its owner. A user with several photos most likely shows themselves; one
 * or two photos leave it unknown.
 */
const REAL_PHOTO_COUNT = 3;

/** Maps the profile to filter values. */
export function readProfile({ chat, photoCount, audioCount, giftCount }: ProfileAnswers, now: Date) {
  return {
    has_bio: chat && chat.bio !== undefined && chat.bio !== '',
    has_photo: hasPhoto(chat, photoCount),
    real_photo: photoCount === undefined ? undefined : realPhoto(photoCount),
    has_audio: audioCount === undefined ? undefined : audioCount > 0,
    gifts: giftCount,
    rating: chat?.rating?.level,
    age: ageOf(chat?.birthdate, now),
  };
}

function hasPhoto(chat: ChatFullInfo | undefined, photoCount: number | undefined): boolean | undefined {
  if ((photoCount ?? 0) > 0 || chat?.photo !== undefined) return true;
  return chat === undefined && photoCount === undefined ? undefined : false;
}

function realPhoto(photoCount: number): boolean | undefined {
  if (photoCount === 0) return false;
  return photoCount >= REAL_PHOTO_COUNT ? true : undefined;
}

/** Returns whole years, or undefined when the user hides the year of birth. */
export function ageOf(birthdate: ChatFullInfo['birthdate'], now: Date): number | undefined {
  if (birthdate?.year === undefined) return undefined;
  const hadBirthday =
    now.getUTCMonth() + 1 > birthdate.month ||
    (now.getUTCMonth() + 1 === birthdate.month && now.getUTCDate() >= birthdate.day);
  const age = now.getUTCFullYear() - birthdate.year - (hadBirthday ? 0 : 1);
  return age >= 0 && age <= 120 ? age : undefined;
}
