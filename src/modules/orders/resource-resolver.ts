import type { ResourceType } from './order.ts';
import type { ChatFacts } from './resource-store.ts';

/** The advertiser's description of the resource. */
export interface RequestedResource {
  readonly type: ResourceType;
  readonly link: string;
  /** For a channel whose link does not contain its name (an invite link). */
  readonly chatId?: number | undefined;
  readonly botToken?: string | undefined;
  /** The chat was resolved before, so only the rights of our bot are checked. */
  readonly isKnown?: boolean;
}

/** A resource that we can check. The advertiser's side checks an external one. */
export type ResolvedResource =
  | {
      readonly type: ResourceType;
      readonly chatId: number;
      readonly botToken?: string | undefined;
      /** A verified link into the chat, if it differs from the given one. */
      readonly link?: string;
      readonly chat?: ChatFacts;
      /** The checker bot that is an administrator of the channel; null: the management bot. */
      readonly checkerId?: number | null;
    }
  | { readonly type: 'bot'; readonly externalUsername: string };

export type Resolution =
  | { readonly kind: 'resolved'; readonly resource: ResolvedResource }
  | { readonly kind: 'refused'; readonly field: 'link' | 'bot_token' | 'chat_id'; readonly message: string }
  | { readonly kind: 'unavailable' };

/** Queries Telegram for the resource behind a link, and whether our bot can check it. */
export interface ResourceResolver {
  resolve(requested: RequestedResource): Promise<Resolution>;
  /** Returns the display name of a bot, not its @username; empty if Telegram knows no such bot. */
  nameOfBot(username: string): Promise<string | 'unavailable'>;
}

/** Returns the public name in a t.me link, or undefined for any other link. */
export function usernameIn(link: string): string | undefined {
  return /^https?:\/\/(?:t\.me|telegram\.me)\/([A-Za-z][A-Za-z0-9_]{3,63})(?:[/?#].*)?$/.exec(link)?.[1];
}

/** Reads a typed chat name: `@name`, `name`, `t.me/name`. */
export function chatNamedIn(text: string): `@${string}` | 'invite_link' | undefined {
  const typed = text.trim();
  if (/(?:t|telegram)\.me\/(?:\+|joinchat\/)/i.test(typed)) return 'invite_link';
  const name = usernameIn(typed.replace(/^(?:https?:\/\/)?(?=(?:t|telegram)\.me\/)/i, 'https://')) ?? typed;
  return /^@?[A-Za-z]\w{3,31}$/.test(name) ? `@${name.replace('@', '')}` : undefined;
}
