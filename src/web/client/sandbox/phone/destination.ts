import type { Chat } from '../wire.ts';
import type { AddTo } from './own-chats.ts';

/**
 * The target of a link: a chat of the phone, a bot to add to a chat, a Mini App of the service, a page, or none when the
 * link is unsafe.
 */
export type Destination =
  | { readonly kind: 'chat'; readonly chat: Chat; readonly startParam: string | undefined }
  | { readonly kind: 'add_bot'; readonly bot: string; readonly to: AddTo }
  | { readonly kind: 'mini_app'; readonly bot: Chat; readonly url: string }
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'none' };

export function destinationOf(link: string, chats: readonly Chat[]): Destination {
  const url = readUrl(link);
  if (url === undefined) return { kind: 'none' };
  if (url.host === 't.me') {
    const username = url.pathname.slice(1).toLowerCase();
    const query = url.searchParams;
    if (query.has('startchannel')) return { kind: 'add_bot', bot: username, to: 'channel' };
    if (query.has('startgroup')) return { kind: 'add_bot', bot: username, to: 'group' };
    const chat = chats.find((candidate) => candidate.username?.toLowerCase() === username);
    const startApp = query.get('startapp');
    if (chat?.is_service && startApp !== null) {
      return {
        kind: 'mini_app',
        bot: chat,
        url: `${location.origin}/app?${new URLSearchParams({ startapp: startApp })}`,
      };
    }
    if (chat !== undefined) return { kind: 'chat', chat, startParam: query.get('start') ?? undefined };
  }
  return { kind: 'page', url: url.href };
}

/** Returns undefined for unsafe links: a bot can send `javascript:` as a link. */
function readUrl(link: string): URL | undefined {
  const full = /^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}
