import { byId, element } from '../../shared/dom.ts';
import { addPerson } from '../actions.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Account, Person } from '../wire.ts';
import { becomePerson } from './navigate.ts';

/** Chooses the person whose phone is shown, or creates a new one. */
export function mountPersons(): void {
  const select = byId('person', HTMLSelectElement);
  select.addEventListener('change', () => becomePerson(Number(select.value)));
  show(
    (state) => [state.world?.persons, state.world?.accounts, state.personId],
    ([persons = [], accounts = [], personId]) => {
      select.replaceChildren(...groups(persons, accounts));
      select.value = String(personId);
    },
  );
  byId('new-person', HTMLButtonElement).addEventListener('click', openPersonDialog);
}

function groups(persons: readonly Person[], accounts: readonly Account[]): HTMLOptGroupElement[] {
  const owners = (is: (account: Account) => boolean) => new Set(accounts.filter(is).map((account) => account.user_id));
  const publishers = owners((account) => account.is_publisher);
  const advertisers = owners((account) => account.is_advertiser && !account.is_publisher);
  const isOwner = (person: Person): boolean => publishers.has(person.user_id) || advertisers.has(person.user_id);
  const titled: readonly (readonly [string, readonly Person[]])[] = [
    [t.phone.groups.people, persons.filter((person) => !isOwner(person))],
    [t.phone.groups.publishers, persons.filter((person) => publishers.has(person.user_id))],
    [t.phone.groups.advertisers, persons.filter((person) => advertisers.has(person.user_id))],
  ];
  return titled
    .filter(([, members]) => members.length > 0)
    .map(([label, members]) => element('optgroup', { label }, ...members.map(option)));
}

function option(person: Person): HTMLOptionElement {
  const details = [person.language_code, person.is_premium ? '★' : undefined].filter(Boolean).join(' ');
  return element('option', { value: String(person.user_id) }, `${person.first_name}${details && ` · ${details}`}`);
}

function openPersonDialog(): void {
  const dialog = element('dialog', { className: 'dialog' });
  dialog.setAttribute('aria-label', t.phone.newPerson);
  const name = element('input', { required: true, maxLength: 64, autocomplete: 'off' });
  const language = element(
    'select',
    {},
    element('option', { value: 'en' }, t.phone.languages.en),
    element('option', { value: 'ru' }, t.phone.languages.ru),
    element('option', { value: 'de' }, t.phone.languages.other),
  );
  language.value = document.documentElement.lang;
  const premium = element('input', { type: 'checkbox' });
  const cancel = element('button', { type: 'button', className: 'button' }, t.cancel);
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, t.phone.newPerson),
    element('label', { className: 'field' }, t.phone.name, name),
    element('label', { className: 'field' }, t.phone.language, language),
    element('label', { className: 'check' }, premium, t.phone.premium),
    element(
      'div',
      { className: 'dialog-buttons' },
      cancel,
      element('button', { className: 'button button-primary' }, t.phone.create),
    ),
  );
  cancel.addEventListener('click', () => dialog.close());
  form.addEventListener('submit', () => {
    const person = {
      first_name: name.value.trim() || 'Person',
      language_code: language.value,
      is_premium: premium.checked,
    };
    void addPerson(person).then((added) => added && becomePerson(added.user_id));
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
}

export const personName = (userId: number | undefined): string =>
  current().world?.persons.find((person) => person.user_id === userId)?.first_name ?? t.unknownPerson;
