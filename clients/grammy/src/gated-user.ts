import type { Context } from 'grammy';
import type { Message, User } from 'grammy/types';
import type { GateUser } from './client.ts';

/** The user who has to pass the gate, and the chat. */
export interface GatedUser {
  readonly user: User;
  readonly isGroup: boolean;
  readonly chatId: number;
}

/** Contents that people send. Payments, joins and other service messages pass the gate. */
const SENT_BY_PEOPLE = [
  'text',
  'caption',
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'video_note',
  'document',
  'sticker',
  'contact',
  'location',
  'poll',
  'dice',
  'web_app_data',
] as const satisfies readonly (keyof Message)[];

/** Returns the user that this update gates; `undefined` for most kinds of updates. */
export function gatedUserOf(ctx: Context, withGroups: boolean): GatedUser | undefined {
  const { message, callbackQuery, chat } = ctx;
  const user = message?.from ?? callbackQuery?.from;
  if (user === undefined || user.is_bot || chat === undefined || chat.type === 'channel') return undefined;
  // Sent on behalf of a channel or group, which cannot subscribe.
  if (message?.sender_chat !== undefined) return undefined;
  if (message !== undefined && !SENT_BY_PEOPLE.some((kind) => message[kind] !== undefined)) return undefined;
  const isGroup = chat.type !== 'private';
  return isGroup && !withGroups ? undefined : { user, isGroup, chatId: chat.id };
}

/** Returns the body of get-sponsors, with everything that filters of orders can use. */
export function describeUser({ user, isGroup, chatId }: GatedUser, maxSponsors: number | undefined): GateUser {
  return {
    user_id: user.id,
    first_name: user.first_name,
    is_premium: user.is_premium ?? false,
    ...(user.username !== undefined && { username: user.username }),
    ...(user.language_code !== undefined && { language_code: user.language_code }),
    ...(isGroup && { chat_id: chatId }),
    ...(maxSponsors !== undefined && { max_sponsors: maxSponsors }),
  };
}
