import { byId } from '../../shared/dom.ts';
import { current, show } from '../store.ts';
import { showTab } from '../tabs.ts';
import { t } from '../texts/index.ts';
import { ask } from '../toast.ts';
import { resetSandbox } from '../world/clock.ts';
import { type Looked, onLook } from '../world/signals.ts';
import { clearHighlight, highlight } from './highlight.ts';
import { drawPanel, focusPanel } from './panel.ts';
import { CAST, type Cast, STEPS } from './steps.ts';

interface Progress {
  readonly step: number;
  readonly isDone: boolean;
  /** The newest request before the tour began. */
  readonly firstCall: number;
  readonly cast: Cast;
}

const KEPT_AS = 'sponsorgate sandbox tour';

let progress: Progress | undefined;
let looks: readonly Looked[] = [];

/** Ten steps through the whole flow. Each finds out by itself that it was done; whoever is led goes on when ready. */
export function mountTour(): void {
  progress = recall();
  byId('tour-start', HTMLButtonElement).addEventListener('click', () => void start());
  onLook((look) => {
    looks = [...looks, look];
    follow();
  });
  show((state) => [state.world?.persons], draw); // by their names
  show((state) => [state], follow);
}

async function start(): Promise<void> {
  const isUsed = current().ledger.some((transfer) => transfer.user_id !== undefined);
  if (isUsed && !(await ask(t.tour.askReset, t.tour.askResetYes, t.cancel))) return;
  if (isUsed && !(await resetSandbox())) return;
  goTo({ step: 0, isDone: false, firstCall: current().calls[0]?.id ?? 0, cast: CAST });
}

function goTo(place: Progress): void {
  looks = [];
  progress = place;
  keep();
  draw();
  follow();
  focusPanel(byId('tour', HTMLElement));
  if (!progress.isDone) showWhere();
}

function leave(): void {
  progress = undefined;
  keep();
  draw();
  clearHighlight();
  byId('tour-start', HTMLButtonElement).focus({ preventScroll: true });
}

/** Looks whether the step is done by now, and marks what comes next in it. */
function follow(): void {
  const step = progress && STEPS[progress.step];
  if (progress === undefined || step === undefined) {
    clearHighlight();
    return;
  }
  if (!progress.isDone && step.isDone({ ...progress, state: current(), looks })) {
    progress = { ...progress, isDone: true };
    keep();
    draw();
  }
  if (progress.isDone) clearHighlight();
  else highlight(step.target(current(), progress.cast));
}

function showWhere(): void {
  const step = progress && STEPS[progress.step];
  if (progress === undefined || step === undefined) return;
  showTab(step.tab);
  // What it waits for may not be there yet.
  const target = document.querySelector(step.target(current(), progress.cast));
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' });
}

function draw(): void {
  const panel = byId('tour', HTMLElement);
  byId('tour-start', HTMLButtonElement).hidden = progress !== undefined;
  panel.hidden = progress === undefined;
  if (progress === undefined) return;
  const here = progress;
  const next = (): void => goTo({ ...here, step: here.step + 1, isDone: false });
  drawPanel(panel, { ...here, next, showWhere, restart: () => void start(), leave });
}

/** A reload, and with it the switch of language, goes on where it was. */
function keep(): void {
  if (progress === undefined) sessionStorage.removeItem(KEPT_AS);
  else sessionStorage.setItem(KEPT_AS, JSON.stringify(progress));
}

function recall(): Progress | undefined {
  try {
    const { step, isDone, firstCall, cast } = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '{}') as Partial<Progress>;
    const isWhole = [step, firstCall, cast?.first, cast?.second].every(Number.isSafeInteger);
    return isWhole ? ({ step, isDone: isDone === true, firstCall, cast } as Progress) : undefined;
  } catch {
    return undefined;
  }
}
