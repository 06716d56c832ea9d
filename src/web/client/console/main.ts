/** What makes the pages handier where scripts run. Every one of them works without. */

/** A second press while the first is under way sends nothing. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  if (form.dataset.sent === 'yes') event.preventDefault();
  form.dataset.sent = 'yes';
});
// The browser shows a page again as it was left, sent forms included.
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

/** Where the clipboard is closed to us, the text is at least marked. */
function mark(element: HTMLElement): void {
  getSelection()?.selectAllChildren(element);
}

/** The menu of narrow screens closes by Escape and by a press beside it, as menus do. */
const menu = document.querySelector<HTMLDetailsElement>('details.phone-menu');
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu?.open !== true) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});
document.addEventListener('click', (event) => {
  if (menu?.open === true && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
});

const filters = document.querySelector<HTMLFormElement>('form[data-estimate]');
if (filters !== null) {
  const { watchFilters } = await import('./filters.ts');
  watchFilters(filters);
}
