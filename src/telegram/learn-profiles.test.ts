import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatFullInfo } from 'grammy/types';
import { ageOf, readProfile } from './learn-profiles.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const chat = (given: object = {}): ChatFullInfo =>
  ({ id: 1, type: 'private', first_name: 'A', ...given }) as unknown as ChatFullInfo;
const profile = (given: object = {}, counts: { photos?: number; audios?: number; gifts?: number } = {}) =>
  readProfile(
    {
      chat: chat(given),
      photoCount: counts.photos ?? 0,
      audioCount: counts.audios ?? 0,
      giftCount: counts.gifts ?? 0,
    },
    NOW,
  );

test('an empty profile has no bio, photo, audio and gifts, and its rating and age are unknown', () => {
  assert.deepEqual(profile(), {
    has_bio: false,
    has_photo: false,
    real_photo: false,
    has_audio: false,
    gifts: 0,
    rating: undefined,
    age: undefined,
  });
});

test('three photos count as real, none as not real, and one or two leave it unknown', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((photos) => profile({}, { photos }).real_photo),
    [false, undefined, undefined, true, true],
  );
});

test('bio, photo, audio, gifts and the level of the rating are read from the profile', () => {
  const known = profile({ bio: 'hi', rating: { level: 4, rating: 900 } }, { photos: 1, audios: 2, gifts: 7 });
  assert.deepEqual(
    [known.has_bio, known.has_photo, known.has_audio, known.gifts, known.rating],
    [true, true, true, 7, 4],
  );
});

test('the age is in whole years, changes on the birthday, and is unknown without a year', () => {
  assert.equal(ageOf({ day: 15, month: 6, year: 2000 }, NOW), 26);
  assert.equal(ageOf({ day: 16, month: 6, year: 2000 }, NOW), 25);
  assert.equal(ageOf({ day: 1, month: 7, year: 2000 }, NOW), 25);
  assert.equal(ageOf({ day: 1, month: 1 }, NOW), undefined);
  assert.equal(ageOf(undefined, NOW), undefined);
  assert.equal(ageOf({ day: 1, month: 1, year: 2030 }, NOW), undefined);
});
