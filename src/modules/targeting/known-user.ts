import type { NameFacts } from './names.ts';

/** Everything that the service may know about a user when it selects tasks. An absent value is unknown and passes. */
export interface KnownUser {
  /** Unknown only if the bot explicitly says so: the API has a default for both. */
  readonly languageCode: string | undefined;
  readonly isPremium: boolean | undefined;
  /** From the data that the bot sent; null if the bot says that the user has no name. */
  readonly name: NameFacts | null | undefined;
  readonly hasUsername: boolean | undefined;
  readonly chatContext: ChatContext | undefined;
  /** Days since the service first saw the user; 0 on the first day. */
  readonly daysSinceFirstSeen: number;
  /** The learned values that are not too old, by key. */
  readonly learned: Readonly<Record<string, unknown>>;
}

export type ChatContext = 'private' | 'group';

/** Telegram gives groups negative ids; a private chat has the id of its user. */
export function chatContextOf(chatId: number | undefined): ChatContext | undefined {
  if (chatId === undefined) return undefined;
  return chatId < 0 ? 'group' : 'private';
}
