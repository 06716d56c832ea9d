import { attributes, byId } from '../../shared/dom.ts';
import { moveClock, reset } from '../actions.ts';
import { ask, toast } from '../dialogs.ts';
import { dayOf, secondsOf, ZONE_NAME } from '../format.ts';
import { restartStream } from '../live-stream.ts';
import { openChat } from '../phone/navigate.ts';
import { sandboxNow, show } from '../store.ts';
import { t } from '../texts/index.ts';

/** Moves the sandbox's clock and resets the sandbox. */
export function mountClock(): void {
  const time = byId('clock-time', HTMLElement);
  const day = byId('clock-day', HTMLElement);
  const tick = (): void => {
    const now = sandboxNow();
    time.textContent = `${secondsOf(now)} ${ZONE_NAME}`;
    day.textContent = dayOf(now);
  };
  show((state) => [state.exchange?.clock_ahead_seconds], tick);
  setInterval(tick, 1_000);
  byId('clock-hour', HTMLButtonElement).addEventListener('click', () => void passTime(1));
  byId('clock-day-later', HTMLButtonElement).addEventListener('click', () => void passTime(24));
  byId('reset', HTMLButtonElement).addEventListener('click', () => void startOver());
}

export const passTime = (hours: number): Promise<boolean> => runBusy(() => moveClock(hours), t.clock.moved(hours));

async function startOver(): Promise<void> {
  if (await ask(t.clock.resetAsk, t.clock.resetYes, t.cancel)) await resetSandbox();
}

/** Restores the demo data, with no requests and the clock at the present. Returns whether it worked. */
export async function resetSandbox(): Promise<boolean> {
  const isReset = await runBusy(reset, t.clock.resetDone);
  if (!isReset) return false;
  openChat(undefined);
  restartStream();
  return true;
}

/** Disables the buttons while the work runs, and shows its result. */
async function runBusy(work: () => Promise<boolean>, done: string): Promise<boolean> {
  const buttons = document.querySelectorAll<HTMLButtonElement>('.clock button');
  // `disabled` would move the focus away from the pressed button.
  for (const button of buttons) attributes(button, { 'aria-disabled': 'true' });
  try {
    const isDone = await work();
    if (isDone) toast(done);
    return isDone;
  } finally {
    for (const button of buttons) attributes(button, { 'aria-disabled': undefined });
  }
}
