/** Conveniences for browsers with scripts. Every page works without them. */

/** Ignores a second press of a button while the form is being sent. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  if (form.dataset.sent === 'yes') event.preventDefault();
  form.dataset.sent = 'yes';
});
// The browser may restore a page in the state in which the form was sent.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => {
        button.textContent = button.dataset.copied ?? '';
      },
      () => button.previousElementSibling instanceof HTMLElement && mark(button.previousElementSibling),
    );
  });
}

/** Selects the text when the browser denies access to the clipboard. */
function mark(element: HTMLElement): void {
  getSelection()?.selectAllChildren(element);
}

/** Escape and a click outside close the menu of narrow screens. */
const menu = document.querySelector<HTMLDetailsElement>('details.phone-menu');
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu?.open !== true) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});
document.addEventListener('click', (event) => {
  if (menu?.open === true && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
});

const named = document.querySelectorAll<HTMLInputElement>('input[data-suggestions]');
if (named.length > 0) {
  const { addSuggestions } = await import('./suggestions.ts');
  for (const field of named) addSuggestions(field);
}

if (document.querySelector('.plot') !== null) {
  const { addTooltips } = await import('./charts.ts');
  addTooltips();
}

const filters = document.querySelector<HTMLFormElement>('form[data-estimate]');
if (filters !== null) {
  const { updateEstimate } = await import('./filters.ts');
  updateEstimate(filters);
}
