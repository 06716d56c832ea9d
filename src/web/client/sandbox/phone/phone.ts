import { attributes, byId, element } from '../../shared/dom.ts';
import { join, leave } from '../actions.ts';
import { toast } from '../dialogs.ts';
import { momentOf, rubles, timeOf, ZONE_NAME } from '../format.ts';
import { chatOpenIn, current, sandboxNow, show, subscriptionTo } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Chat, Phone, Subscription } from '../wire.ts';
import { avatar } from './avatar.ts';
import { drawChatList, subtitle } from './chat-list.ts';
import { conversationView, say } from './conversation.ts';
import { goBack } from './navigate.ts';
import { openCreatedChat, openCreation } from './own-chats.ts';
import { replyKeyboardView } from './reply-keyboard.ts';

/** Shows the list of chats or the open chat. */
export function mountPhone(): void {
  const screen = byId('screen', HTMLElement);
  const chats = element('div', { className: 'chats', tabIndex: -1 });
  const listScreen = element('div', { className: 'chat' }, listHead(), chats);
  const chatScreen = createChatScreen();
  show(
    (state) => [state.phone, chatOpenIn(state), state.startParam, state.exchange?.orders],
    ([phone, chat, startParam]) => {
      // The list stays visible until it contains the chat.
      const wanted = chat !== undefined && phone !== undefined ? chatScreen.element : listScreen;
      if (screen.firstElementChild !== wanted || screen.children.length > 1) screen.replaceChildren(wanted);
      attributes(screen, { 'aria-busy': phone === undefined ? 'true' : undefined });
      if (phone === undefined) return;
      if (chat === undefined) {
        drawChatList(chats, phone.chats);
      } else chatScreen.draw(chat, phone, startParam);
    },
  );
  const clock = byId('phone-time', HTMLElement);
  const tick = (): void => {
    clock.textContent = `${timeOf(sandboxNow())} ${ZONE_NAME}`;
  };
  show((state) => [state.exchange?.clock_ahead_seconds], tick);
  setInterval(tick, 1_000);
}

function listHead(): HTMLElement {
  const create = attributes(element('button', { type: 'button', className: 'icon-button', id: 'new-channel' }, '+'), {
    'aria-label': t.phone.newChat.channel,
    title: t.phone.newChat.channel,
  });
  create.addEventListener('click', () => openCreation('channel', openCreatedChat));
  return element('div', { className: 'chat-head' }, element('h2', { className: 'chat-name' }, t.phone.chats), create);
}

/** Says what a leave does to the reward that a publisher got for this subscription. */
function consequence({ state, reward, window_ends_at: end, is_kept: isKept }: Subscription): string {
  if (state === 'reversed') return t.phone.reversed(rubles(reward));
  if (state === 'settled' || isKept) return t.phone.final(rubles(reward));
  return t.phone.reversible(rubles(reward), end === null ? '' : momentOf(end));
}

function createChatScreen() {
  const back = attributes(element('button', { type: 'button', className: 'icon-button' }, '‹'), {
    'aria-label': t.phone.back,
    id: 'chat-back',
  });
  back.addEventListener('click', goBack);
  const picture = element('span');
  const title = element('h2', { className: 'chat-name', tabIndex: -1, dir: 'auto' });
  const under = element('span', { className: 'chat-under' });
  const leaveButton = element('button', { type: 'button', className: 'button button-small', id: 'chat-leave' });
  const head = element(
    'div',
    { className: 'chat-head' },
    back,
    picture,
    element('div', { className: 'chat-names' }, title, under),
    leaveButton,
  );
  const conversation = conversationView();
  const about = element('div', { className: 'channel-about' });
  const below = replyKeyboardView();
  const foot = createFoot();
  let shown: number | undefined;

  const reward = element('p', { className: 'chat-reward' });

  leaveButton.addEventListener('click', () => {
    const chat = chatOpenIn(current());
    if (chat !== undefined) void leaveChat(chat);
  });

  return {
    element: element('div', { className: 'chat' }, head, conversation.list, about, reward, below.element, foot.element),
    draw(chat: Chat, phone: Phone, startParam: string | undefined) {
      const isBot = chat.type === 'bot';
      picture.replaceChildren(avatar(chat.title));
      title.textContent = chat.title;
      under.textContent = isBot ? `@${chat.username} · ${t.phone.bot}` : subtitle(chat);
      leaveButton.textContent = isBot ? t.phone.block : t.phone.leave;
      leaveButton.hidden = !chat.is_member;
      conversation.list.hidden = !isBot;
      about.hidden = isBot;
      const talk = phone.open?.bot.toLowerCase() === chat.username?.toLowerCase() ? phone.open : null;
      below.draw(chat, isBot ? talk : null);
      if (isBot) {
        conversation.draw(chat, talk);
      } else {
        about.replaceChildren(
          avatar(chat.title),
          element('p', {}, chat.username === null ? t.phone.privateChat : `@${chat.username}`),
          element('p', {}, t.phone.aboutChannel),
        );
      }
      const subscription = subscriptionTo(current(), chat.chat_id);
      reward.hidden = subscription === undefined || (subscription.state === 'reversed' && chat.is_member);
      reward.textContent = subscription === undefined ? '' : consequence(subscription);
      foot.draw(chat, startParam);
      if (shown !== chat.chat_id) title.focus({ preventScroll: true });
      shown = chat.chat_id;
    },
  };
}

/** Leaves the chat. Says so when nothing comes of it, because the window is over. */
async function leaveChat(chat: Chat): Promise<void> {
  const subscription = subscriptionTo(current(), chat.chat_id);
  if (!(await leave(chat.chat_id, current().personId)) || subscription === undefined) return;
  if (subscription.state === 'settled' || subscription.is_kept) toast(t.phone.leftTooLate(rubles(subscription.reward)));
}

/** Shows a text field below the chat, or the button that starts the bot or joins the channel. */
function createFoot() {
  const field = attributes(element('input', { id: 'chat-field', maxLength: 4096, autocomplete: 'off' }), {
    'aria-label': t.phone.write,
    placeholder: t.phone.write,
    enterkeyhint: 'send',
  });
  const send = attributes(element('button', { className: 'icon-button send' }, '➤'), { 'aria-label': t.phone.send });
  const form = element('form', { className: 'chat-form' }, field, send);
  const action = element('button', { type: 'button', className: 'chat-action', id: 'chat-action' });
  const note = element('p', { className: 'chat-note' });

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chat = chatOpenIn(current());
    const text = field.value.trim();
    if (chat === undefined || text === '') return;
    field.value = '';
    void say(chat, text);
  });
  action.addEventListener('click', () => {
    const chat = chatOpenIn(current());
    if (chat === undefined) return;
    const { startParam, personId } = current();
    if (chat.type === 'bot') void say(chat, startParam === undefined ? '/start' : `/start ${startParam}`);
    else void join(chat.chat_id, personId);
  });

  return {
    element: element('div', { className: 'chat-foot' }, note, form, action),
    draw(chat: Chat, startParam: string | undefined) {
      const isBot = chat.type === 'bot';
      const isActing = !chat.is_member || (isBot && startParam !== undefined);
      note.hidden = isActing || isBot;
      note.textContent = t.phone.joined;
      form.hidden = !isBot || isActing;
      action.hidden = !isActing;
      action.textContent = isBot ? (chat.is_blocked ? t.phone.restart : t.phone.start) : t.phone.join;
    },
  };
}
