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

  form.addEventListener('input', () => {
    output.dataset.state = 'old';
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      ask().catch(() => {
        output.dataset.state = 'failed';
      });
    }, PAUSE_MS);
  });
}

function show(output: HTMLElement, figures: unknown): void {
  if (typeof figures !== 'object' || figures === null) return;
  for (const [name, text] of Object.entries(figures)) {
    const place = output.querySelector(`[data-figure="${CSS.escape(name)}"]`);
    if (place !== null) place.textContent = String(text);
  }
  output.dataset.state = 'fresh';
}
