import { attributes, element } from '../../shared/dom.ts';
import { keyedList } from '../../shared/keyed-list.ts';
import { timeOf } from '../format.ts';
import { current } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Chat } from '../wire.ts';
import { avatar } from './avatar.ts';
import { openChat } from './navigate.ts';

/** Lists all chats on the first screen of the phone: the bots of the service, the person's own chats, the others. */
export function drawChatList(host: HTMLElement, chats: readonly Chat[]): void {
  const own = new Set(current().phone?.own_chats.map((chat) => chat.chat_id));
  const isOwn = (chat: Chat): boolean => own.has(chat.chat_id);
  const groups = [
    { title: t.phone.bots, chats: chats.filter((chat) => chat.is_service) },
    { title: t.phone.ownChats, chats: chats.filter((chat) => !chat.is_service && isOwn(chat)) },
    { title: t.phone.sponsors, chats: chats.filter((chat) => !chat.is_service && !isOwn(chat)) },
  ].filter((group) => group.chats.length > 0);
  keyedList(host, groups, {
    key: (group) => group.title,
    version: (group) => group.title,
    render: (group) =>
      element(
        'section',
        {},
        element('h3', { className: 'chat-group' }, group.title),
        element('ul', { className: 'chat-list' }),
      ),
  });
  groups.forEach((group, index) => {
    const list = host.children[index]?.querySelector('ul');
    if (list) keyedList(list, group.chats, { key: (chat) => String(chat.chat_id), render: chatLine });
  });
}

function chatLine(chat: Chat): HTMLElement {
  const preview =
    chat.last === null
      ? subtitle(chat)
      : `${chat.last.from_person ? t.phone.youSaid : ''}${chat.last.text || t.phone.photo}`;
  const line = element('button', { type: 'button', className: 'chat-line' }, avatar(chat.title));
  line.append(
    element('span', { className: 'chat-title', dir: 'auto' }, chat.title),
    element('span', { className: 'chat-time' }, chat.last === null ? '' : timeOf(new Date(chat.last.date * 1000))),
    element('span', { className: 'chat-preview', dir: 'auto' }, preview.replaceAll(/\s+/g, ' ')),
  );
  if (!chat.is_service && chat.is_member) {
    line.append(
      element('span', { className: 'chat-member' }, '✓', element('span', { className: 'unseen' }, t.phone.isMember)),
    );
  }
  line.addEventListener('click', () => openChat(chat));
  return element('li', {}, attributes(line, { 'data-chat': chat.username ?? String(chat.chat_id) }));
}

export function subtitle(chat: Chat): string {
  return chat.type === 'bot' ? t.phone.bot : t.phone.members(chat.members);
}
