import { byId } from '../shared/dom.ts';

/** The pause in typing after which the estimate is requested. */
const PAUSE_MS = 350;
const TIMEOUT_MS = 10_000;

/** Updates price and audience while the form is being filled in. */
export function updateEstimate(form: HTMLFormElement): void {
  const url = form.dataset.estimate ?? '';
  const output = byId('estimate', HTMLElement);
  let timer: number | undefined;
  let requests = 0;

  async function request(): Promise<void> {
    requests += 1;
    const number = requests;
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value);
    const response = await fetch(url, { method: 'POST', body: fields, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const figures: unknown = await response.json();
    // A response to an older request may arrive last.
    if (number === requests) show(output, figures);
  }

  function requestSoon(): void {
    output.dataset.state = 'old';
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      request().catch(() => {
        output.dataset.state = 'failed';
      });
    }, PAUSE_MS);
  }

  form.addEventListener('input', requestSoon);
  // The visitor may have typed before this script ran, and browsers restore the fields of a reloaded form.
  if (isFilledIn(form)) requestSoon();
}

function isFilledIn(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLSelectElement) return isChosen(field);
    if (!(field instanceof HTMLInputElement)) return false;
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  });
}

/** A list without a marked option starts with its first one. */
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
