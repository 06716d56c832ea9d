import type { Chat, ChatMember, ChatMemberUpdated, Message, PhotoSize, User } from 'grammy/types';
import type { Account, Bot, ChatRoom, Membership } from './context.ts';
import type { StoredMarkup, StoredMessage } from './messages-store.ts';

// Converts stored records to the types of the Bot API.

export function unixTime(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

export function wireUser(account: Account): User {
  return {
    id: account.id,
    is_bot: account.isBot,
    first_name: account.firstName,
    ...(account.username === null ? {} : { username: account.username }),
    ...(account.languageCode === null ? {} : { language_code: account.languageCode }),
    ...(account.isPremium ? { is_premium: true as const } : {}),
  };
}

export function wireBot(bot: Bot): User {
  return { id: bot.id, is_bot: true, first_name: bot.title, username: bot.username };
}

export function wirePrivateChat(account: Account): Chat.PrivateChat {
  return {
    id: account.id,
    type: 'private',
    first_name: account.firstName,
    ...(account.username === null ? {} : { username: account.username }),
  };
}

export function wireChat(chat: ChatRoom): Chat.ChannelChat | Chat.SupergroupChat | Chat.GroupChat {
  if (chat.type === 'group') return { id: chat.id, type: 'group', title: chat.title };
  return {
    id: chat.id,
    type: chat.type,
    title: chat.title,
    ...(chat.username === null ? {} : { username: chat.username }),
  };
}

/** The actor that Telegram shows instead of an anonymous administrator of a group. */
export const GROUP_ANONYMOUS_BOT: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};

const ADMIN_RIGHTS = {
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: false,
  can_change_info: true,
  can_invite_users: true,
  can_post_stories: true,
  can_edit_stories: true,
  can_delete_stories: true,
  can_post_messages: true,
  can_edit_messages: true,
  can_send_welcome_messages: false,
} as const;

const RESTRICTIONS = {
  can_send_messages: false,
  can_send_audios: false,
  can_send_documents: false,
  can_send_photos: false,
  can_send_videos: false,
  can_send_video_notes: false,
  can_send_voice_notes: false,
  can_send_polls: false,
  can_send_other_messages: false,
  can_add_web_page_previews: false,
  can_react_to_messages: false,
  can_change_info: false,
  can_invite_users: false,
  can_edit_tag: false,
  can_pin_messages: false,
  can_manage_topics: false,
  until_date: 0,
} as const;

export function wireMember(user: User, membership: Membership): ChatMember {
  const is_anonymous = membership.isAnonymous === true;
  switch (membership.status) {
    case 'creator':
      return { status: 'creator', user, is_anonymous };
    case 'administrator':
      return { status: 'administrator', user, can_be_edited: false, is_anonymous, ...ADMIN_RIGHTS };
    case 'member':
      return { status: 'member', user };
    case 'restricted':
      return { status: 'restricted', user, is_member: membership.isMember, ...RESTRICTIONS };
    case 'left':
      return { status: 'left', user };
    case 'kicked':
      return { status: 'kicked', user, until_date: 0 };
  }
}

export interface MemberChange {
  readonly chat: Chat;
  readonly from: User;
  readonly who: User;
  readonly before: Membership;
  readonly after: Membership;
  readonly at: Date;
}

export function wireMemberChange(change: MemberChange): ChatMemberUpdated {
  return {
    chat: change.chat,
    from: change.from,
    date: unixTime(change.at),
    old_chat_member: wireMember(change.who, change.before),
    new_chat_member: wireMember(change.who, change.after),
  };
}

export function wirePhoto(id: string): PhotoSize[] {
  return [{ file_id: id, file_unique_id: id.slice(-16), width: 1280, height: 720, file_size: 1 }];
}

export function isInline(markup: StoredMarkup | null): markup is Extract<StoredMarkup, { inline_keyboard: unknown }> {
  return markup !== null && 'inline_keyboard' in markup;
}

export function wireMessage(message: StoredMessage, chat: Chat, from: User): Message {
  const entities = message.entities.length > 0 ? [...message.entities] : undefined;
  const content =
    message.photo === null
      ? { text: message.text, ...(entities ? { entities } : {}) }
      : {
          photo: wirePhoto(message.photo),
          ...(message.text === '' ? {} : { caption: message.text }),
          ...(entities ? { caption_entities: entities } : {}),
        };
  return {
    message_id: message.id,
    // A post in a channel shows the channel as its sender, not the bot.
    ...(chat.type === 'channel' ? { sender_chat: chat } : { from }),
    chat,
    date: unixTime(message.sentAt),
    ...(message.editedAt ? { edit_date: unixTime(message.editedAt) } : {}),
    ...content,
    ...(isInline(message.markup) ? { reply_markup: message.markup } : {}),
  } as Message;
}
