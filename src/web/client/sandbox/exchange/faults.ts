import { byId } from '../../shared/dom.ts';
import { setFaults } from '../actions.ts';
import { current, show } from '../store.ts';
import { t } from '../texts/index.ts';
import type { Fault, FaultMode } from '../wire.ts';

type Mode = Exclude<FaultMode, 'flood_limits'> | 'none';
const MODES = ['none', 'down', 'too_many_requests', 'slow', 'not_admin'] as const satisfies readonly Mode[];

interface Choice {
  readonly mode: Mode;
  readonly hasLimits: boolean;
}

/** The choice of the visitor, until the sandbox confirms it. */
let pending: Choice | undefined;
const PENDING_MS = 3_000;

/** Chooses one fault of Telegram, and whether its limits apply. The API can set finer faults; the page names them too. */
export function mountFaults(): void {
  for (const mode of MODES) {
    byId(`fault-${mode}`, HTMLInputElement).addEventListener('change', () => void choose({ ...chosen(), mode }));
  }
  const limits = byId('flood-limits', HTMLInputElement);
  limits.addEventListener('change', () => void choose({ ...chosen(), hasLimits: limits.checked }));
  show((state) => [state.exchange?.faults], draw);
}

/** Keeps the choice selected until the sandbox reports it, so that it does not jump back. */
async function choose(choice: Choice): Promise<void> {
  pending = choice;
  draw();
  const modes: FaultMode[] = choice.mode === 'none' ? [] : [choice.mode];
  if (!(await setFaults(choice.hasLimits ? [...modes, 'flood_limits'] : modes))) pending = undefined;
  setTimeout(() => {
    pending = undefined;
    draw();
  }, PENDING_MS);
}

/** Whether the fault applies to every call; the API can also limit one to a method, a chat or a number of calls. */
const isPlain = (fault: Fault): boolean => fault.method === null && fault.chat_id === null && !fault.counted;
const plainFaults = (): readonly Fault[] => (current().exchange?.faults ?? []).filter(isPlain);
const isMode = (mode: FaultMode): mode is Exclude<Mode, 'none'> => MODES.some((known) => known === mode);

function chosen(): Choice {
  const modes = plainFaults().map((fault) => fault.mode);
  return pending ?? { mode: modes.find(isMode) ?? 'none', hasLimits: modes.includes('flood_limits') };
}

function draw(): void {
  const choice = chosen();
  for (const mode of MODES) byId(`fault-${mode}`, HTMLInputElement).checked = mode === choice.mode;
  byId('flood-limits', HTMLInputElement).checked = choice.hasLimits;
  const others = (current().exchange?.faults ?? []).filter(
    (fault) => !isPlain(fault) || (fault.mode !== 'flood_limits' && !isMode(fault.mode)),
  );
  const also = others.map((fault) => [fault.mode, fault.method, fault.chat_id].filter(Boolean).join(' '));
  byId('fault-meaning', HTMLElement).textContent =
    `${t.faults[choice.mode]}${also.length > 0 ? ` ${t.faults.also} ${also.join(', ')}.` : ''}`;
}
