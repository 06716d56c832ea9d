import { byId } from '../../shared/dom.ts';
import { setFault } from '../actions.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Fault, FaultMode } from '../wire.ts';

type Mode = FaultMode | 'none';
const MODES = ['none', 'down', 'too_many_requests', 'slow', 'not_admin'] as const satisfies readonly Mode[];

/** The chosen mode, until the sandbox confirms it. */
let pending: Mode | undefined;
const PENDING_MS = 3_000;

/** Chooses one fault of Telegram. The API can set finer ones; the page names them too. */
export function mountFaults(): void {
  for (const mode of MODES) {
    byId(`fault-${mode}`, HTMLInputElement).addEventListener('change', () => void choose(mode));
  }
  show((state) => [state.world?.faults], draw);
}

/** Keeps the choice selected until the sandbox reports it, so that it does not jump back. */
async function choose(mode: Mode): Promise<void> {
  pending = mode;
  draw();
  if (!(await setFault(mode))) pending = undefined;
  setTimeout(() => {
    pending = undefined;
    draw();
  }, PENDING_MS);
}

function draw(): void {
  const faults = current().world?.faults ?? [];
  // The API can set modes and limits that this page cannot set.
  const isPlain = (fault: Fault): boolean => fault.method === null && fault.chat_id === null && !fault.counted;
  const everywhere = faults.find((fault) => isPlain(fault) && MODES.includes(fault.mode));
  const reported = everywhere?.mode ?? 'none';
  if (reported === pending) pending = undefined;
  const mode = pending ?? reported;
  for (const each of MODES) byId(`fault-${each}`, HTMLInputElement).checked = each === mode;
  const others = faults.filter((fault) => fault !== everywhere);
  const also = others.map((fault) => [fault.mode, fault.method, fault.chat_id].filter(Boolean).join(' '));
  const meaning = `${t.faults.modes[mode][1]}${also.length > 0 ? ` ${t.faults.also} ${also.join(', ')}.` : ''}`;
  byId('fault-meaning', HTMLElement).textContent = meaning;
}
