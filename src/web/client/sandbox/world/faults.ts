import { byId } from '../../shared/dom.ts';
import { setFault } from '../actions.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Fault, FaultMode } from '../wire.ts';

type Mode = FaultMode | 'none';
const MODES = ['none', 'down', 'too_many_requests', 'slow', 'not_admin'] as const satisfies readonly Mode[];

/** Chosen here, and not yet what the sandbox told last. */
let wish: Mode | undefined;
const WISH_MS = 3_000;

/** How Telegram fares. One fault at a time; finer ones can be set through the API and are told of here. */
export function mountFaults(): void {
  for (const mode of MODES) {
    byId(`fault-${mode}`, HTMLInputElement).addEventListener('change', () => void choose(mode));
  }
  show((state) => [state.world?.faults], draw);
}

/** Between the click and the sandbox's word the choice must not jump back. */
async function choose(mode: Mode): Promise<void> {
  wish = mode;
  draw();
  if (!(await setFault(mode))) wish = undefined;
  setTimeout(() => {
    wish = undefined;
    draw();
  }, WISH_MS);
}

function draw(): void {
  const faults = current().world?.faults ?? [];
  // Only what can be chosen here; the API knows modes and limits that are not.
  const isPlain = (fault: Fault): boolean => fault.method === null && fault.chat_id === null && !fault.counted;
  const everywhere = faults.find((fault) => isPlain(fault) && MODES.includes(fault.mode));
  const told = everywhere?.mode ?? 'none';
  if (told === wish) wish = undefined;
  const mode = wish ?? told;
  for (const each of MODES) byId(`fault-${each}`, HTMLInputElement).checked = each === mode;
  const others = faults.filter((fault) => fault !== everywhere);
  const also = others.map((fault) => [fault.mode, fault.method, fault.chat_id].filter(Boolean).join(' '));
  const meaning = `${t.faults.modes[mode][1]}${also.length > 0 ? ` ${t.faults.also} ${also.join(', ')}.` : ''}`;
  byId('fault-meaning', HTMLElement).textContent = meaning;
}
