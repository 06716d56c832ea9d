import type { Method } from './call.ts';
import * as chats from './chats.ts';
import * as edits from './edits.ts';
import * as messages from './messages.ts';
import * as profiles from './profiles.ts';
import * as settings from './settings.ts';
import * as updates from './updates.ts';

/** The methods of the emulator. Any other name returns 404, as a misspelt method does at Telegram. */
const METHODS: Readonly<Record<string, Method>> = {
  getMe: chats.getMe,
  getUpdates: updates.getUpdates,
  setWebhook: updates.setWebhook,
  deleteWebhook: updates.deleteWebhook,
  getWebhookInfo: updates.getWebhookInfo,
  getChat: chats.getChat,
  getChatMember: chats.getChatMember,
  getChatMemberCount: chats.getChatMemberCount,
  getChatAdministrators: chats.getChatAdministrators,
  createChatInviteLink: chats.createChatInviteLink,
  editChatInviteLink: chats.editChatInviteLink,
  revokeChatInviteLink: chats.revokeChatInviteLink,
  approveChatJoinRequest: chats.approveChatJoinRequest,
  declineChatJoinRequest: chats.declineChatJoinRequest,
  getUserProfilePhotos: profiles.getUserProfilePhotos,
  getUserProfileAudios: profiles.getUserProfileAudios,
  getUserGifts: profiles.getUserGifts,
  sendMessage: messages.sendMessage,
  sendPhoto: messages.sendPhoto,
  sendChatAction: messages.sendChatAction,
  answerCallbackQuery: messages.answerCallbackQuery,
  editMessageText: edits.editMessageText,
  editMessageCaption: edits.editMessageCaption,
  editMessageMedia: edits.editMessageMedia,
  editMessageReplyMarkup: edits.editMessageReplyMarkup,
  deleteMessage: edits.deleteMessage,
  setMyCommands: settings.setMyCommands,
  getMyCommands: settings.getMyCommands,
  deleteMyCommands: settings.deleteMyCommands,
  setMyName: settings.setMyName,
  getMyName: settings.getMyName,
  setMyDescription: settings.setMyDescription,
  getMyDescription: settings.getMyDescription,
  setMyShortDescription: settings.setMyShortDescription,
  getMyShortDescription: settings.getMyShortDescription,
  setChatMenuButton: settings.setChatMenuButton,
  getChatMenuButton: settings.getChatMenuButton,
};

const BY_LOWER_CASE = new Map(Object.entries(METHODS).map(([name, method]) => [name.toLowerCase(), method]));

export function findMethod(name: string): Method | undefined {
  return BY_LOWER_CASE.get(name.toLowerCase());
}
