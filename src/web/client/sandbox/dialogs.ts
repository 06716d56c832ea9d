import { attributes, byId, element } from '../shared/dom.ts';
import { t } from './texts/index.ts';

const SHOWN_MS = 5_000;

/** Shows a message over the page for a moment, as Telegram does after a button. */
export function toast(text: string, mood: 'plain' | 'bad' = 'plain'): void {
  const line = element('p', { className: `toast toast-${mood}`, dir: 'auto' }, text);
  byId('toasts', HTMLElement).append(line);
  setTimeout(() => line.remove(), SHOWN_MS);
}

/** Opens a modal dialog that is removed when it closes. A form in it closes it with the value of the pressed button. */
export function openDialog(label: string, className: string, ...children: readonly (Node | string)[]) {
  const dialog = attributes(element('dialog', { className }, ...children), { 'aria-label': label });
  dialog.addEventListener('close', () => dialog.remove());
  // A click on the backdrop hits the dialog itself, a click inside hits a child.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The buttons at the end of a dialog: a refusing one, if any, and the one that agrees. */
export function dialogButtons(agree: string, refuse?: string): HTMLElement {
  const no = element('button', { className: 'button', value: 'no', formNoValidate: true }, refuse ?? '');
  const yes = element('button', { className: 'button button-primary', value: 'yes' }, agree);
  return element('div', { className: 'dialog-buttons' }, ...(refuse === undefined ? [yes] : [no, yes]));
}

/** Shows a question. Returns whether the visitor agreed. */
export function ask(text: string, agree: string = t.ok, refuse?: string): Promise<boolean> {
  const form = element('form', { method: 'dialog' }, element('p', { dir: 'auto' }, text), dialogButtons(agree, refuse));
  return new Promise((resolve) => {
    const dialog = openDialog(text, 'dialog', form);
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'));
    dialog.querySelector<HTMLElement>('.button-primary')?.focus();
  });
}
