import { attributes, byId, element } from '../../shared/dom.ts';
import { addPerson, findPersons } from '../actions.ts';
import { dialogButtons, openDialog } from '../dialogs.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Exchange, Person } from '../wire.ts';
import { avatar } from './avatar.ts';
import { becomePerson } from './navigate.ts';

type Role = keyof typeof t.phone.roles;
const ROLES: readonly Role[] = ['user', 'publisher', 'advertiser', 'operator'];
const SEARCH_PAUSE_MS = 200;

/** A person whom no list contains, because there are many: found by the search, or just created. */
const found = new Map<number, Person>();
/** Draws the open choice of a person again. */
let redrawChoice: (() => void) | undefined;

/** Shows who the visitor is; a press opens the choice of a person. */
export function mountPersons(): void {
  const button = byId('person', HTMLButtonElement);
  const label = button.querySelector('.who-label');
  button.addEventListener('click', openChoice);
  show(
    ({ exchange, personId }) => [exchange?.persons, exchange?.accounts, personId],
    ([, , personId]) => {
      const person = findPerson(personId);
      const name = person?.first_name ?? '…';
      const about = element('span', { className: 'who-role' }, person === undefined ? '' : roleText(person));
      button.replaceChildren(
        avatar(name),
        label ?? '',
        element('strong', { className: 'who-name', dir: 'auto' }, name),
        about,
      );
      attributes(button, { 'data-person': String(personId) });
      redrawChoice?.();
    },
  );
}

const findPerson = (userId: number): Person | undefined =>
  current().exchange?.persons.find((person) => person.user_id === userId) ?? found.get(userId);

/** Returns the name; the users of the demo history are no persons of the emulated Telegram. */
export const personName = (userId: number): string => findPerson(userId)?.first_name ?? `${t.unknownPerson} ${userId}`;

function roleOf({ user_id: id }: Person, { accounts, operator_ids: operators }: Exchange): Role {
  if (operators.includes(id)) return 'operator';
  const account = accounts.find((candidate) => candidate.user_id === id);
  return account?.is_publisher ? 'publisher' : account?.is_advertiser ? 'advertiser' : 'user';
}

function roleText(person: Person): string {
  const { exchange } = current();
  const role = exchange === undefined ? 'user' : roleOf(person, exchange);
  return [t.phone.roles[role], person.language_code, person.is_premium ? '★' : undefined].filter(Boolean).join(' · ');
}

/** The choice of a person: a search, the persons by role, and a form for a new one. */
function openChoice(): void {
  const list = element('div', { className: 'persons' });
  const search = element('input', { type: 'search', className: 'search', placeholder: t.phone.searchPersons });
  attributes(search, { 'aria-label': t.phone.searchPersons });
  const create = element('button', { type: 'button', className: 'button', id: 'new-person' }, t.phone.newPerson);
  const head = element('div', { className: 'card-head' }, element('h2', {}, t.phone.choosePerson), create);
  const dialog = openDialog(t.phone.choosePerson, 'dialog dialog-persons', head, search, list);
  const choose = (person: Person): void => {
    found.set(person.user_id, person);
    becomePerson(person.user_id);
    dialog.close();
  };
  const draw = (persons: readonly Person[]): void => list.replaceChildren(...groups(persons, choose));
  let drawn: string | undefined;
  // Draws only when the persons changed, because drawing moves the focus away. A search result stays as it is.
  redrawChoice = () => {
    const persons = current().exchange?.persons ?? [];
    const ids = persons.map(({ user_id: id }) => id).join();
    if (search.value.trim() !== '' || ids === drawn) return;
    drawn = ids;
    draw(persons);
  };
  redrawChoice();
  dialog.addEventListener('close', () => {
    redrawChoice = undefined;
  });
  create.addEventListener('click', () => {
    dialog.close();
    openCreation();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void find(), SEARCH_PAUSE_MS);
  });
  const find = async (): Promise<void> => {
    const text = search.value.trim();
    const result = text === '' ? current().exchange : await findPersons(text);
    if (result !== undefined && search.value.trim() === text) draw(result.persons);
  };
}

function groups(persons: readonly Person[], choose: (person: Person) => void): HTMLElement[] {
  const { exchange, personId } = current();
  if (exchange === undefined || persons.length === 0) {
    return [element('p', { className: 'status' }, t.nothingFound)];
  }
  const line = (person: Person): HTMLElement => {
    const button = element(
      'button',
      { type: 'button', className: 'chat-line' },
      avatar(person.first_name),
      element('span', { className: 'chat-title', dir: 'auto' }, person.first_name),
      element(
        'span',
        { className: 'chat-preview' },
        [`@${person.username ?? person.user_id}`, roleText(person)].join(' · '),
      ),
    );
    button.addEventListener('click', () => choose(person));
    const isShown = person.user_id === personId;
    return attributes(button, { 'data-person': String(person.user_id), 'aria-current': isShown ? 'true' : undefined });
  };
  return ROLES.flatMap((role) => {
    const members = persons.filter((person) => roleOf(person, exchange) === role);
    if (members.length === 0) return [];
    return [element('h3', { className: 'chat-group' }, t.phone.groups[role]), ...members.map(line)];
  });
}

function openCreation(): void {
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
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, t.phone.newPerson),
    element('label', { className: 'field' }, t.phone.name, name),
    element('label', { className: 'field' }, t.phone.language, language),
    element('label', { className: 'check' }, premium, t.phone.premium),
    dialogButtons(t.phone.create, t.cancel),
  );
  const dialog = openDialog(t.phone.newPerson, 'dialog', form);
  name.focus();
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'yes') return;
    const person = {
      first_name: name.value.trim() || 'Person',
      language_code: language.value,
      is_premium: premium.checked,
    };
    void addPerson(person).then((added) => {
      if (added === undefined) return;
      found.set(added.user_id, { ...person, ...added, username: null });
      becomePerson(added.user_id);
    });
  });
}
