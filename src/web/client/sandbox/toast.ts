import { byId, element } from '../shared/dom.ts';
import { t } from './texts/index.ts';

const SHOWN_MS = 4_000;

/** Shows a message over the page for a moment, as Telegram does after a button. */
export function toast(text: string, mood: 'plain' | 'bad' = 'plain'): void {
  const line = element('p', { className: `toast toast-${mood}` }, text);
  byId('toasts', HTMLElement).append(line);
  setTimeout(() => line.remove(), SHOWN_MS);
}

/** Shows a dialog. Returns whether the visitor agreed. */
export function ask(text: string, agree: string = t.ok, refuse?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = element('dialog', { className: 'dialog' });
    dialog.setAttribute('aria-label', text);
    const yes = element('button', { className: 'button button-primary', value: 'yes', textContent: agree });
    const no =
      refuse === undefined ? [] : [element('button', { className: 'button', value: 'no', textContent: refuse })];
    const form = element('form', { method: 'dialog' }, element('p', {}, text));
    form.append(element('div', { className: 'dialog-buttons' }, ...no, yes));
    dialog.append(form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    yes.focus();
  });
}
