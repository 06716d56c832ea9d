import type { Chat } from '../wire.ts';

/** The target of a link: a chat of the phone, a page in a new tab, or none when the link is unsafe. */
export type Destination =
  | { readonly kind: 'chat'; readonly chat: Chat; readonly startParam: string | undefined }
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'none' };

export function destinationOf(link: string, chats: readonly Chat[]): Destination {
  const url = readUrl(link);
  if (url === undefined) return { kind: 'none' };
  if (url.host === 't.me') {
    const username = url.pathname.slice(1).toLowerCase();
    const chat = chats.find((candidate) => candidate.username?.toLowerCase() === username);
    if (chat !== undefined) return { kind: 'chat', chat, startParam: url.searchParams.get('start') ?? undefined };
  }
  return { kind: 'page', url: url.href };
}

/** Returns undefined for unsafe links: a bot can send `javascript:` as a link. */
function readUrl(link: string): URL | undefined {
  const full = /^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}
