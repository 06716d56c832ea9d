import { byId } from '../shared/dom.ts';

/** How long nobody types before the figures are asked for. */
const PAUSE_MS = 350;
const TIMEOUT_MS = 10_000;

/** Price and audience follow the form while it is being filled in. */
export function watchFilters(form: HTMLFormElement): void {
  const url = form.dataset.estimate ?? '';
  const output = byId('estimate', HTMLElement);
  let timer: number | undefined;
  let asked = 0;

  async function ask(): Promise<void> {
    asked += 1;
    const mine = asked;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value);
    const response = await fetch(url, { method: 'POST', body: fields, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const figures: unknown = await response.json();
    // An answer to an older question may come last.
    if (mine === asked) show(output, figures);
  }

  function askSoon(): void {
    output.dataset.state = 'old';
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      ask().catch(() => {
        output.dataset.state = 'failed';
      });
    }, PAUSE_MS);
  }

  form.addEventListener('input', askSoon);
  // Somebody may have typed before this script came, and a browser fills in anew what stood in a form it reloads.
  if (isFilledIn(form)) askSoon();
}

function isFilledIn(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLSelectElement) return isChosen(field);
    if (!(field instanceof HTMLInputElement)) return false;
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  });
}

/** A list to choose one from starts with its first option when none is marked. */
function isChosen(list: HTMLSelectElement): boolean {
  const options = [...list.options];
  const isMarked = list.multiple || options.some((option) => option.defaultSelected);
  return isMarked ? options.some((it) => it.selected !== it.defaultSelected) : list.selectedIndex > 0;
}

function show(output: HTMLElement, figures: unknown): void {
  if (typeof figures !== 'object' || figures === null) return;
  for (const [name, text] of Object.entries(figures)) {
    const place = output.querySelector(`[data-figure="${CSS.escape(name)}"]`);
    if (place !== null) place.textContent = String(text);
  }
  output.dataset.state = 'fresh';
}
