import { attributes, element } from '../shared/dom.ts';

const MOST_SHOWN = 8;

interface Suggestion {
  readonly name: string;
  readonly code: string;
}

/** Turns a field of names with commas between into a search with a list of the chosen names. */
export function addSuggestions(field: HTMLInputElement): void {
  const list = document.getElementById(field.dataset.suggestions ?? '');
  if (!(list instanceof HTMLDataListElement)) return;
  const all = [...list.options].map((option): Suggestion => ({ name: option.value, code: option.label }));
  const { search: placeholder = '', remove = '' } = list.dataset;
  const chosen = field.value
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

  const listId = `${field.id}-list`;
  const chips = element('ul', { className: 'chips' });
  const search = attributes(element('input', { type: 'text', placeholder, autocomplete: 'off' }), {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-describedby': field.getAttribute('aria-describedby') ?? undefined,
  });
  const popup = attributes(element('ul', { className: 'suggestions', id: listId, hidden: true }), {
    role: 'listbox',
    'aria-label': placeholder,
  });
  let active = -1;

  function change(names: readonly string[]): void {
    chosen.splice(0, chosen.length, ...names);
    field.value = chosen.join(', ');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    showChosen();
  }

  function showChosen(): void {
    chips.hidden = chosen.length === 0;
    chips.replaceChildren(
      ...chosen.map((name) => {
        const button = attributes(element('button', { type: 'button' }, name), { 'aria-label': `${remove}: ${name}` });
        button.addEventListener('click', () => {
          change(chosen.filter((one) => one !== name));
          search.focus();
        });
        return element('li', {}, button);
      }),
    );
  }

  function found(): Suggestion[] {
    const typed = search.value.trim().toLocaleLowerCase();
    if (typed === '') return [];
    const rank = ({ name, code }: Suggestion): number => {
      const lower = name.toLocaleLowerCase();
      return code.toLowerCase() === typed ? 0 : lower.startsWith(typed) ? 1 : lower.includes(typed) ? 2 : 3;
    };
    return all
      .filter((one) => rank(one) < 3 && !chosen.includes(one.name))
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MOST_SHOWN);
  }

  function suggest(at = 0): void {
    const names = found();
    active = names.length === 0 ? -1 : (at + names.length) % names.length;
    popup.hidden = names.length === 0;
    popup.replaceChildren(
      ...names.map(({ name, code }, index) => {
        const item = attributes(
          element(
            'li',
            { id: `${listId}-${index}` },
            name,
            ' ',
            element('small', { className: 'suggestion-code' }, code),
          ),
          {
            role: 'option',
            'aria-selected': String(index === active),
          },
        );
        // `mousedown`, because the click would come after the field has lost its focus and the list is gone.
        item.addEventListener('mousedown', (event) => {
          event.preventDefault();
          choose(name);
        });
        return item;
      }),
    );
    attributes(search, {
      'aria-expanded': String(!popup.hidden),
      'aria-activedescendant': active < 0 ? undefined : `${listId}-${active}`,
    });
  }

  function choose(name: string): void {
    search.value = '';
    change([...chosen, name]);
    suggest();
  }

  /** Takes typed words that were not chosen from the list; the server names those that it does not know. */
  function take(words: readonly string[]): void {
    const names = words.flatMap((word) => {
      const typed = word.trim().toLocaleLowerCase();
      const known = all.find(({ name, code }) => name.toLocaleLowerCase() === typed || code.toLowerCase() === typed);
      return typed === '' ? [] : (known?.name ?? word.trim());
    });
    if (names.length > 0) change([...new Set([...chosen, ...names])]);
  }

  search.addEventListener('input', (event) => {
    event.stopPropagation(); // only a chosen name changes the form
    const words = search.value.split(/[,;]/);
    const last = words.pop() ?? '';
    if (words.length > 0) {
      search.value = last.trimStart();
      take(words);
    }
    suggest();
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      suggest(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter' && search.value !== '') {
      event.preventDefault();
      const name = found()[active]?.name;
      if (name !== undefined) choose(name);
    } else if (event.key === 'Escape') popup.hidden = true;
    else if (event.key === 'Backspace' && search.value === '') change(chosen.slice(0, -1));
  });
  search.addEventListener('blur', () => {
    take([search.value]);
    search.value = '';
    popup.hidden = true;
  });

  field.hidden = true;
  search.id = `${field.id}-search`;
  document.querySelector(`label[for="${CSS.escape(field.id)}"]`)?.setAttribute('for', search.id);
  field.after(element('div', { className: 'combobox' }, chips, search, popup));
  showChosen();
}
