import type { NameFacts } from './names.ts';

/** Everything the service may know about a user when it chooses tasks. What is absent is unknown, and unknown passes. */
export interface KnownUser {
  /** Unknown only when the bot says so: the contract gives both a default. */
  readonly languageCode: string | undefined;
  readonly isPremium: boolean | undefined;
  /** From what the bot sent; null when it says that the user has no name. */
  readonly name: NameFacts | null | undefined;
  readonly hasUsername: boolean | undefined;
  readonly chatContext: ChatContext | undefined;
  /** Days since the service first saw the user; 0 on the first day. */
  readonly daysSinceFirstSeen: number;
  /** What was learned and is not too old, by its key. */
  readonly learned: Readonly<Record<string, unknown>>;
}

export type ChatContext = 'private' | 'group';

/** Groups have negative ids at Telegram; a private chat has its user's. */
export function chatContextOf(chatId: number | undefined): ChatContext | undefined {
  if (chatId === undefined) return undefined;
  return chatId < 0 ? 'group' : 'private';
}
