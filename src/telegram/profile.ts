import type { ChatFullInfo } from 'grammy/types';

/** The data that the Bot API returned about a user. */
export interface ProfileAnswers {
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
