import { attributes, element } from '../../shared/dom.ts';
import { t } from '../texts/index.ts';

/**
 * Shows a Mini App over the phone's screen. One from another origin opens in a new tab, because we must not frame it.
 */
export function showMiniApp(title: string, url: string): void {
  const dialog = element('dialog', { className: 'mini-app' });
  attributes(dialog, { 'aria-label': `${t.phone.miniApp}: ${title}` });
  const tab = element('a', { href: url, target: '_blank', rel: 'noopener', className: 'button' }, t.phone.newTab);
  const close = element('button', { type: 'button', className: 'button' }, t.phone.close);
  close.addEventListener('click', () => dialog.close());
  dialog.append(element('div', { className: 'mini-app-bar' }, element('strong', {}, title), tab, close));
  const frame = element('iframe', { title: t.phone.miniApp });
  if (new URL(url).origin === location.origin) {
    frame.src = url;
    dialog.append(frame);
  }
  // Mini Apps send messages to the frame around them, as in Telegram's web versions.
  const listen = (event: MessageEvent<unknown>): void => {
    if (event.source === frame.contentWindow && String(event.data).includes('"web_app_close"')) dialog.close();
  };
  addEventListener('message', listen);
  dialog.addEventListener('close', () => {
    removeEventListener('message', listen);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
