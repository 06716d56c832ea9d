import type { Context } from 'grammy';
import type { Message, User } from 'grammy/types';
import type { GateUser } from './client.ts';

/** Somebody at the gate, and where. */
export interface Visitor {
  readonly user: User;
  readonly isGroup: boolean;
  readonly chatId: number;
}

/** What people send. Payments, joins and other service messages are none of the gate's business. */
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

/** Who is to be gated by this update; nobody, for most kinds of updates. */
export function visitorOf(ctx: Context, withGroups: boolean): Visitor | undefined {
  const { message, callbackQuery, chat } = ctx;
  const user = message?.from ?? callbackQuery?.from;
  if (user === undefined || user.is_bot || chat === undefined || chat.type === 'channel') return undefined;
  // Sent in the name of a channel or of the group itself: nobody who could subscribe.
  if (message?.sender_chat !== undefined) return undefined;
  if (message !== undefined && !SENT_BY_PEOPLE.some((kind) => message[kind] !== undefined)) return undefined;
  const isGroup = chat.type !== 'private';
  return isGroup && !withGroups ? undefined : { user, isGroup, chatId: chat.id };
}

/** The visitor as get-sponsors takes it: everything that the targeting of orders can use. */
export function describeUser({ user, isGroup, chatId }: Visitor, maxSponsors: number | undefined): GateUser {
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
