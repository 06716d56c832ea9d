import type { Audio, OwnedGifts, UserProfileAudios, UserProfilePhotos } from 'grammy/types';
import { unixTime, wirePhoto } from '../wire.ts';
import { type Call, findMetAccount, userIdOf } from './call.ts';

const PAGE_SIZE = 100;

/** Returns the numbers of the items on the requested page. */
function page(total: number, offset: number, limit: number | undefined): number[] {
  const size = Math.min(Math.max(limit ?? PAGE_SIZE, 1), PAGE_SIZE);
  const start = Math.max(offset, 0);
  return Array.from({ length: Math.max(Math.min(total - start, size), 0) }, (_, index) => start + index);
}

export async function getUserProfilePhotos(call: Call): Promise<UserProfilePhotos> {
  const user = await findMetAccount(call, userIdOf(call), 'user not found');
  const numbers = page(user.photos, call.params.integer('offset') ?? 0, call.params.integer('limit'));
  return { total_count: user.photos, photos: numbers.map((number) => wirePhoto(`photo${user.id}n${number}`)) };
}

export async function getUserProfileAudios(call: Call): Promise<UserProfileAudios> {
  const user = await findMetAccount(call, userIdOf(call), 'user not found');
  const numbers = page(user.audios, call.params.integer('offset') ?? 0, call.params.integer('limit'));
  const audios = numbers.map((number): Audio => {
    const id = `audio${user.id}n${number}`;
    return { file_id: id, file_unique_id: id, duration: 180, title: `Track ${number + 1}` };
  });
  return { total_count: user.audios, audios };
}

export async function getUserGifts(call: Call): Promise<OwnedGifts> {
  const user = await findMetAccount(call, userIdOf(call), 'user not found');
  const offset = call.params.integer('offset') ?? 0;
  const numbers = page(user.gifts, offset, call.params.integer('limit'));
  const end = offset + numbers.length;
  const sticker = {
    file_id: 'gift',
    file_unique_id: 'gift',
    type: 'regular',
    width: 512,
    height: 512,
    is_animated: false,
    is_video: false,
  } as const;
  return {
    total_count: user.gifts,
    gifts: numbers.map((number) => ({
      type: 'regular',
      gift: { id: `gift${number}`, sticker, star_count: 15 },
      send_date: unixTime(call.context.clock.now()),
    })),
    ...(end < user.gifts ? { next_offset: String(end) } : {}),
  };
}
