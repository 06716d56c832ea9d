import { byId } from '../../shared/dom.ts';
import { ask } from '../dialogs.ts';
import { resetSandbox } from '../exchange/clock.ts';
import { becomePerson, openChat } from '../phone/navigate.ts';
import { CASTS, type Cast, chatOpenIn, current, type State, show } from '../store.ts';
import { showTab } from '../tabs.ts';
import { language, t } from '../texts/index.ts';
import { drawPanel, focusPanel, type Money } from './panel.ts';
import { clubOf, isSponsor, STEPS, type Step } from './steps.ts';

interface Progress {
  readonly step: number;
  readonly cast: Cast;
}

const STORAGE_KEY = 'sponsorgate sandbox tour';
const MARK = 'tour-target';
const MOVES_MONEY: ReadonlySet<string> = new Set(['confirm', 'day', 'second', 'leave']);
/** The time to see the result of a step before the next one begins. */
const PAUSE_MS = 1_500;
/** The time to see that a sponsor was joined before the phone goes back. */
const GO_BACK_MS = 700;
/** The time between two looks at a pressed button that the bot has not answered. */
const BUSY_MS = 200;

let progress: Progress | undefined;
/** Whether the step's state is reached, and the next step begins after the pause. */
let isDone = false;
/** Whether the tour still has to switch the phone to the step's person and chat. */
let isArriving = false;
let isBusy = false;
/** What the visitor was led to last. */
let lastTarget: Element | undefined;
/** The publisher's money when the step began, and before the last change. */
let atStart: Money = { available: 0, hold: 0 };
let before: Money = atStart;

/** A tour through the whole flow. Each step leads to a state of the sandbox; the next step begins by itself. */
export function mountTour(): void {
  progress = loadProgress();
  isArriving = progress !== undefined;
  byId('tour-start', HTMLButtonElement).addEventListener('click', () => void start());
  // `toggle` does not bubble.
  document.addEventListener('toggle', () => update(), true);
  addEventListener('resize', () => keepInView());
  show((state) => [state], update);
}

const stepOf = (place: Progress | undefined): Step | undefined => place && STEPS[place.step];

async function start(): Promise<void> {
  const cast = CASTS[language];
  const isUsed = current().ledger.some(({ user_id: id }) => id === cast.first || id === cast.second);
  if (isUsed && !(await ask(t.tour.askReset, t.tour.askResetYes, t.cancel))) return;
  if (isUsed && !(await resetSandbox())) return;
  goTo({ step: 0, cast });
}

function goTo(place: Progress): void {
  progress = place;
  isDone = false;
  isArriving = true;
  // A step without money still belongs to the change before it, the last part of which may come late.
  if (place.step === 0 || MOVES_MONEY.has(stepOf(place)?.name ?? '')) atStart = moneyIn(current());
  if (place.step === 0) before = atStart;
  saveProgress();
  update();
  focusPanel(byId('tour', HTMLElement));
}

function leave(): void {
  progress = undefined;
  saveProgress();
  update();
  byId('tour-start', HTMLButtonElement).focus({ preventScroll: true });
}

/** Brings the page in line with the step: the phone, the panel, the mark; begins the next step when this one is done. */
function update(): void {
  const state = current();
  const panel = byId('tour', HTMLElement);
  byId('tour-start', HTMLButtonElement).hidden = progress !== undefined;
  panel.hidden = progress === undefined;
  const step = stepOf(progress);
  if (progress === undefined) {
    mark('');
    return;
  }
  if (step !== undefined && isArriving) arrive(step, progress.cast[step.person], state);
  // The phone of another person, or none, tells nothing about the step.
  const isReady = step !== undefined && !isArriving && state.phone?.user_id === state.personId;
  if (isReady && !isDone && step.isDone(state, progress.cast[step.person])) finishStep(progress);
  if (isReady && !isDone) goBackFromSponsor(step, state);
  const isMissed = isReady && !isDone && step.isMissed?.(state, progress.cast[step.person]) === true;
  draw(panel, progress, isMissed);
  if (isMissed) mark('#tour-restart');
  else mark(isReady && !isDone ? step.target(state, progress.cast[step.person]) : '');
}

/** Switches the phone to the person and chat of the step, as soon as the data for it is there. */
function arrive(step: Step, person: number, state: State): void {
  showTab(step.tab);
  if (state.personId !== person) becomePerson(person);
  else if (state.phone?.user_id === person && state.exchange !== undefined) {
    const chat = step.chat(state);
    // The data of the phone may be older than the transfer that ended the step before.
    if (chat === undefined && !step.isDone(state, person) && step.isMissed?.(state, person) !== true) return;
    isArriving = false;
    if (chat !== undefined && chat.chat_id !== state.chatId) openChat(chat);
  }
}

/** Ends the step when the actions that led to its state have ended too: a confirm pays sponsor by sponsor. */
function finishStep(place: Progress): void {
  if (isBusy || document.querySelector('[aria-busy="true"]') !== null) {
    setTimeout(update, BUSY_MS);
    return;
  }
  isDone = true;
  setTimeout(() => {
    if (progress === place) goTo({ ...place, step: place.step + 1 });
  }, PAUSE_MS);
}

/** Returns from a joined sponsor to the list of sponsors, so that the visitor need not find the way. */
function goBackFromSponsor(step: Step, state: State): void {
  const chat = chatOpenIn(state);
  if (step.chat !== clubOf || chat?.is_member !== true || !isSponsor(state, chat)) return;
  setTimeout(() => {
    if (chatOpenIn(current())?.chat_id === chat.chat_id && stepOf(progress) === step) openChat(clubOf(current()));
  }, GO_BACK_MS);
}

function draw(panel: HTMLElement, place: Progress, isMissed: boolean): void {
  const money = moneyIn(current());
  if (money.available !== atStart.available || money.hold !== atStart.hold) before = atStart;
  drawPanel(panel, {
    ...place,
    isDone,
    isMissed,
    isBusy,
    money,
    before,
    performStep: () => void performStep(),
    showWhere,
    restart: () => void start(),
    leave,
  });
}

function moneyIn({ exchange }: State): Money {
  const account = exchange?.accounts.find((candidate) => candidate.account_id === exchange.demo_account_id);
  return { available: account?.balance ?? 0, hold: account?.hold_balance ?? 0 };
}

async function performStep(): Promise<void> {
  const step = stepOf(progress);
  if (progress === undefined || step === undefined || isBusy) return;
  isBusy = true;
  update();
  try {
    await step.perform(progress.cast[step.person]);
  } finally {
    isBusy = false;
    update();
  }
}

/** Goes to the step's person, chat and side again, and puts the focus on the marked control. */
function showWhere(): void {
  isArriving = true;
  lastTarget = undefined;
  update();
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`.${MARK}`)?.focus({ preventScroll: true }));
}

/** Marks the first element of the selector and brings it into view when it is another one than before. */
function mark(selector: string): void {
  const wanted = selector === '' ? null : document.querySelector(selector);
  for (const marked of document.querySelectorAll(`.${MARK}`)) if (marked !== wanted) marked.classList.remove(MARK);
  wanted?.classList.add(MARK);
  if (wanted === lastTarget) return;
  lastTarget = wanted ?? undefined;
  keepInView();
}

function keepInView(): void {
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  lastTarget?.scrollIntoView({ block: 'center', behavior: isMotionReduced ? 'auto' : 'smooth' });
}

/** Stores the progress, so that a reload or a change of language continues the tour. */
function saveProgress(): void {
  if (progress === undefined) sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(progress));
}

function loadProgress(): Progress | undefined {
  try {
    const { step, cast } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Progress>;
    const isComplete = [step, cast?.first, cast?.second].every(Number.isSafeInteger);
    return isComplete ? ({ step, cast } as Progress) : undefined;
  } catch {
    return undefined;
  }
}
