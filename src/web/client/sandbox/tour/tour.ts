import { byId } from '../../shared/dom.ts';
import { current, show } from '../store.ts';
import { showTab } from '../tabs.ts';
import { t } from '../texts/index.ts';
import { ask } from '../toast.ts';
import { resetSandbox } from '../world/clock.ts';
import { type OpenedDetails, onDetailsOpened } from '../world/opened-details.ts';
import { clearHighlight, highlight } from './highlight.ts';
import { drawPanel, focusPanel } from './panel.ts';
import { CAST, type Cast, STEPS } from './steps.ts';

interface Progress {
  readonly step: number;
  readonly isDone: boolean;
  /** The id of the newest request before the tour began. */
  readonly firstCall: number;
  readonly cast: Cast;
}

const STORAGE_KEY = 'sponsorgate sandbox tour';

let progress: Progress | undefined;
let opened: readonly OpenedDetails[] = [];

/** A tour of ten steps through the whole flow. A step detects that it is done; the visitor chooses when to go on. */
export function mountTour(): void {
  progress = loadProgress();
  byId('tour-start', HTMLButtonElement).addEventListener('click', () => void start());
  onDetailsOpened((entry) => {
    opened = [...opened, entry];
    update();
  });
  show((state) => [state.world?.persons], draw); // the panel contains their names
  show((state) => [state], update);
}

async function start(): Promise<void> {
  const isUsed = current().ledger.some((transfer) => transfer.user_id !== null);
  if (isUsed && !(await ask(t.tour.askReset, t.tour.askResetYes, t.cancel))) return;
  if (isUsed && !(await resetSandbox())) return;
  goTo({ step: 0, isDone: false, firstCall: current().calls[0]?.id ?? 0, cast: CAST });
}

function goTo(place: Progress): void {
  opened = [];
  progress = place;
  saveProgress();
  draw();
  update();
  focusPanel(byId('tour', HTMLElement));
  if (!progress.isDone) showWhere();
}

function leave(): void {
  progress = undefined;
  saveProgress();
  draw();
  clearHighlight();
  byId('tour-start', HTMLButtonElement).focus({ preventScroll: true });
}

/** Checks whether the step is done, and marks the elements to press next. */
function update(): void {
  const step = progress && STEPS[progress.step];
  if (progress === undefined || step === undefined) {
    clearHighlight();
    return;
  }
  if (!progress.isDone && step.isDone({ ...progress, state: current(), opened })) {
    progress = { ...progress, isDone: true };
    saveProgress();
    draw();
  }
  if (progress.isDone) clearHighlight();
  else highlight(step.target(current(), progress.cast));
}

function showWhere(): void {
  const step = progress && STEPS[progress.step];
  if (progress === undefined || step === undefined) return;
  showTab(step.tab);
  // The target may not exist yet.
  const target = document.querySelector(step.target(current(), progress.cast));
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target?.scrollIntoView({ block: 'center', behavior: isMotionReduced ? 'auto' : 'smooth' });
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

/** Stores the progress, so that a reload or a change of language continues the tour. */
function saveProgress(): void {
  if (progress === undefined) sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(progress));
}

function loadProgress(): Progress | undefined {
  try {
    const { step, isDone, firstCall, cast } = JSON.parse(
      sessionStorage.getItem(STORAGE_KEY) ?? '{}',
    ) as Partial<Progress>;
    const isComplete = [step, firstCall, cast?.first, cast?.second].every(Number.isSafeInteger);
    return isComplete ? ({ step, isDone: isDone === true, firstCall, cast } as Progress) : undefined;
  } catch {
    return undefined;
  }
}
