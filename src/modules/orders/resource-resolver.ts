import type { ChatFacts } from './chat-store.ts';
import type { ResourceType } from './order.ts';

/** What an advertiser says about the thing to be advertised. */
export interface ResourceWish {
  readonly type: ResourceType;
  readonly link: string;
  /** For a channel whose link does not name it (an invite link). */
  readonly chatId?: number | undefined;
  readonly botToken?: string | undefined;
  /** The chat was resolved before: only our bot's rights in it are asked about. */
  readonly isKnown?: boolean;
}

/** A resource that we are able to check. An external one is checked by its advertiser's side. */
export type ResolvedResource =
  | {
      readonly type: ResourceType;
      readonly chatId: number;
      readonly botToken?: string | undefined;
      /** A link into the chat that was proved to lead there, when it is another one than was given. */
      readonly link?: string;
      readonly chat?: ChatFacts;
    }
  | { readonly type: 'bot'; readonly externalUsername: string };

export type Resolution =
  | { readonly kind: 'resolved'; readonly resource: ResolvedResource }
  | { readonly kind: 'refused'; readonly field: 'link' | 'bot_token' | 'chat_id'; readonly message: string }
  | { readonly kind: 'unavailable' };

/** Asks Telegram what stands behind a link, and whether our bot can check it. */
export interface ResourceResolver {
  resolve(wish: ResourceWish): Promise<Resolution>;
  /** The name that a bot shows to people, not its @username; empty when Telegram knows no such bot. */
  nameOfBot(username: string): Promise<string | 'unavailable'>;
}

/** The public name in a t.me link, or nothing when it is another kind of link. */
export function usernameIn(link: string): string | undefined {
  return /^https?:\/\/(?:t\.me|telegram\.me)\/([A-Za-z][A-Za-z0-9_]{3,63})(?:[/?#].*)?$/.exec(link)?.[1];
}
