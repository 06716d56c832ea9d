import { attributes, element } from '../../shared/dom.ts';
import { addBotToChat, createOwnChat } from '../actions.ts';
import { dialogButtons, openDialog, toast } from '../dialogs.ts';
import { change, current } from '../store.ts';
import { t } from '../texts/index.ts';
import type { OwnChat } from '../wire.ts';
import { avatar } from './avatar.ts';

/** Where a link such as `t.me/some_bot?startchannel` adds the bot. */
export type AddTo = 'channel' | 'group';

/** Adds a bot to a chat of the shown person as an administrator, as Telegram does for such a link. */
export function openAddBot(bot: string, to: AddTo): void {
  const { phone, personId } = current();
  const fits = ({ type }: OwnChat): boolean => (to === 'channel') === (type === 'channel');
  const chats = phone?.own_chats.filter(fits) ?? [];
  const add = async (chat: Pick<OwnChat, 'chat_id' | 'title'>): Promise<void> => {
    if (await addBotToChat(personId, chat.chat_id, bot)) toast(t.phone.botAdded(bot, chat.title));
  };
  const lines = chats.map((chat) => {
    const line = element(
      'button',
      { type: 'button', className: 'chat-line' },
      avatar(chat.title),
      element('span', { className: 'chat-title', dir: 'auto' }, chat.title),
    );
    line.addEventListener('click', () => {
      dialog.close();
      void add(chat);
    });
    return attributes(line, { 'data-own-chat': String(chat.chat_id) });
  });
  const create = element('button', { type: 'button', className: 'button' }, t.phone.newChat[to]);
  create.addEventListener('click', () => {
    dialog.close();
    openCreation(to, (chat) => void add(chat));
  });
  const dialog = openDialog(
    t.phone.addBot[to],
    'dialog dialog-persons',
    element('h2', {}, t.phone.addBot[to]),
    element('p', { className: 'status' }, t.phone.addBotMeaning(bot)),
    element('div', { className: 'persons' }, ...lines),
    element('div', { className: 'dialog-buttons' }, create),
  );
}

/** Creates a channel or a group that the shown person owns. */
export function openCreation(to: AddTo, then: (chat: Pick<OwnChat, 'chat_id' | 'title'>) => void): void {
  const title = element('input', { required: true, maxLength: 128, autocomplete: 'off' });
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, t.phone.newChat[to]),
    element('label', { className: 'field' }, t.phone.name, title),
    dialogButtons(t.phone.create, t.cancel),
  );
  const dialog = openDialog(t.phone.newChat[to], 'dialog', form);
  title.focus();
  dialog.addEventListener('close', () => {
    const name = title.value.trim();
    if (dialog.returnValue !== 'yes' || name === '') return;
    void createOwnChat(current().personId, to === 'channel' ? 'channel' : 'supergroup', name).then((made) => {
      if (made !== undefined) then({ ...made, title: name });
    });
  });
}

/** Opens a chat as soon as the list of chats has it. */
export const openCreatedChat = (chat: { readonly chat_id: number }): void => change({ chatId: chat.chat_id });
