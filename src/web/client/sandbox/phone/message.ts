import { attributes, element } from '../../shared/dom.ts';
import { toast } from '../dialogs.ts';
import { momentOf, timeOf } from '../format.ts';
import { t } from '../texts/index.ts';
import type { Button, Chat, Message } from '../wire.ts';
import { type Destination, destinationOf } from './destination.ts';
import { formatted } from './formatted.ts';

/** The actions of a message's buttons and links. */
export interface MessageActions {
  readonly chats: readonly Chat[];
  press(message: Message, data: string): void;
  say(text: string): void;
  openWebApp(url: string): void;
  follow(destination: Destination): void;
}

/** A message with its buttons. */
export function messageBubble(message: Message, actions: MessageActions): HTMLElement {
  const bubble = element('div', { className: 'bubble' });
  if (message.photo) bubble.append(picture(message));
  const text = element('div', { className: 'bubble-text', dir: 'auto' });
  text.append(
    formatted(message.text, message.entities, {
      link: (inside, url) => link(inside, url, actions),
      command(command) {
        const button = element('button', { type: 'button', className: 'text-command' }, command);
        button.addEventListener('click', () => actions.say(command));
        return button;
      },
    }),
  );
  const sent = new Date(message.date * 1000);
  const title = momentOf(sent.toISOString());
  bubble.append(text, element('time', { className: 'bubble-time', title }, timeOf(sent)));
  const row = element('li', { className: `message message-${message.from}` }, bubble);
  if (message.keyboard.length > 0) row.append(keyboard(message, actions));
  return attributes(row, { 'data-message': String(message.message_id) });
}

function picture(message: Message): HTMLElement {
  if (message.picture === undefined) return element('p', { className: 'no-picture' }, t.phone.noPicture);
  // A new tab shows the picture in full size.
  const image = element('img', { src: message.picture, alt: t.phone.picture, width: 640, height: 360 });
  return element('a', { href: message.picture, target: '_blank', rel: 'noopener', className: 'picture' }, image);
}

function link(inside: Node, address: string, actions: MessageActions): HTMLElement {
  const destination = destinationOf(address, actions.chats);
  if (destination.kind === 'none') return element('span', {}, inside);
  if (destination.kind === 'page') {
    return element('a', { href: destination.url, target: '_blank', rel: 'noopener noreferrer' }, inside);
  }
  const button = element('button', { type: 'button', className: 'text-command' }, inside);
  button.addEventListener('click', () => actions.follow(destination));
  return button;
}

function keyboard(message: Message, actions: MessageActions): HTMLElement {
  const rows = message.keyboard.map((row) =>
    element('div', { className: 'keyboard-row' }, ...row.map((button) => inlineButton(message, button, actions))),
  );
  return element('div', { className: 'keyboard' }, ...rows);
}

function inlineButton(message: Message, button: Button, actions: MessageActions): HTMLElement {
  const { text, callback_data: data, url, web_app: webApp, copy_text: copy } = button;
  if (url !== undefined) return urlButton(text, url, actions);
  const made = element('button', { type: 'button', className: 'inline-button' }, text);
  if (data !== undefined) {
    attributes(made, { 'data-press': data });
    made.addEventListener('click', () => actions.press(message, data));
  } else if (copy !== undefined) {
    made.append(mark('⧉'));
    made.addEventListener('click', () => void copyText(copy.text));
  } else if (webApp !== undefined) {
    made.append(mark('▣'));
    made.addEventListener('click', () => actions.openWebApp(webApp.url));
  } else {
    made.disabled = true;
    made.title = t.phone.cannot;
  }
  return made;
}

function urlButton(text: string, address: string, actions: MessageActions): HTMLElement {
  const destination = destinationOf(address, actions.chats);
  if (destination.kind === 'page') {
    const anchor = element('a', { href: destination.url, target: '_blank', rel: 'noopener noreferrer' }, text);
    anchor.className = 'inline-button';
    anchor.append(mark('↗'), element('span', { className: 'unseen' }, ` (${t.phone.elsewhere})`));
    return anchor;
  }
  const button = element('button', { type: 'button', className: 'inline-button' }, text, mark('↗'));
  button.disabled = destination.kind === 'none';
  if (destination.kind === 'chat') {
    attributes(button, { 'data-opens': destination.chat.username ?? String(destination.chat.chat_id) });
  }
  button.addEventListener('click', () => actions.follow(destination));
  return button;
}

const mark = (sign: string): HTMLElement =>
  attributes(element('span', { className: 'inline-mark' }, sign), { 'aria-hidden': 'true' });

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t.copied);
  } catch {
    toast(text); // without https or localhost there is no clipboard; the visitor copies the text by hand
  }
}
