import type { GateUser } from './client.ts';

/** The fields of the Bot API that the gate reads. Every framework has them under these names. */
interface TelegramUser {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly username?: string | undefined;
  readonly language_code?: string | undefined;
  readonly is_premium?: boolean | undefined;
}

interface TelegramChat {
  readonly id: number;
  readonly type: string;
}

interface TelegramMessage {
  readonly message_id: number;
  readonly chat: TelegramChat;
  readonly from?: TelegramUser | undefined;
  readonly sender_chat?: unknown;
}

export interface TelegramUpdate {
  readonly update_id: number;
  readonly message?: TelegramMessage | undefined;
  readonly edited_message?: TelegramMessage | undefined;
  readonly callback_query?:
    | {
        readonly id: string;
        readonly from: TelegramUser;
        readonly data?: string | undefined;
        readonly message?: { readonly message_id: number; readonly chat: TelegramChat } | undefined;
      }
    | undefined;
  readonly inline_query?: { readonly id: string; readonly from: TelegramUser } | undefined;
}

/** The kinds of updates that the gate can hold back. */
export type GatedKind = 'message' | 'edited_message' | 'callback_query' | 'inline_query';

/** The user who has to pass the gate, and where. An inline query has no chat. */
export interface GatedUser {
  readonly kind: GatedKind;
  readonly user: TelegramUser;
  readonly isGroup: boolean;
  readonly chatId: number | undefined;
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
];

const KINDS = ['message', 'edited_message', 'callback_query', 'inline_query'] as const satisfies readonly GatedKind[];

/** Returns the user that this update gates; `undefined` for all other updates. */
export function gatedUserOf(
  update: TelegramUpdate,
  { kinds, groups }: { readonly kinds: readonly GatedKind[]; readonly groups: boolean },
): GatedUser | undefined {
  const kind = KINDS.find((one) => update[one] !== undefined);
  if (kind === undefined || !kinds.includes(kind)) return undefined;
  const message = update.message ?? update.edited_message;
  const user = (message ?? update.callback_query ?? update.inline_query)?.from;
  if (user === undefined || user.is_bot) return undefined;
  if (kind === 'inline_query') return { kind, user, isGroup: false, chatId: undefined };
  const chat = message?.chat ?? update.callback_query?.message?.chat;
  if (chat === undefined || chat.type === 'channel') return undefined;
  // Sent on behalf of a channel or group, which cannot subscribe.
  if (message?.sender_chat !== undefined) return undefined;
  if (message !== undefined && !SENT_BY_PEOPLE.some((content) => content in message)) return undefined;
  const isGroup = chat.type !== 'private';
  return isGroup && !groups ? undefined : { kind, user, isGroup, chatId: chat.id };
}

/** Returns the body of get-sponsors, with everything that filters of orders can use. */
export function describeUser({ user, isGroup, chatId }: GatedUser, maxSponsors: number | undefined): GateUser {
  return {
    user_id: user.id,
    first_name: user.first_name,
    is_premium: user.is_premium ?? false,
    ...(user.username !== undefined && { username: user.username }),
    ...(user.language_code !== undefined && { language_code: user.language_code }),
    ...(isGroup && chatId !== undefined && { chat_id: chatId }),
    ...(maxSponsors !== undefined && { max_sponsors: maxSponsors }),
  };
}

/** Returns whether the update is a `/start`, which may contain a referral that must not be lost. */
export function isStart(update: TelegramUpdate): boolean {
  const { text } = (update.message ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' && /^\/start\b/.test(text);
}
