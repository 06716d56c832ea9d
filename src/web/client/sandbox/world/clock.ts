import { attributes, byId } from '../../shared/dom.ts';
import { moveClock, reset } from '../actions.ts';
import { sandboxNow } from '../clock.ts';
import { dayOf, secondsOf } from '../format.ts';
import { openChat } from '../phone/navigate.ts';
import { show } from '../store.ts';
import { t } from '../texts/index.ts';
import { ask } from '../toast.ts';

/** Moves the sandbox's clock and resets the sandbox. */
export function mountClock(): void {
  const time = byId('clock-time', HTMLElement);
  const day = byId('clock-day', HTMLElement);
  const tick = (): void => {
    const now = sandboxNow();
    time.textContent = secondsOf(now);
    day.textContent = dayOf(now);
  };
  show((state) => [state.world?.clock_ahead_seconds], tick);
  setInterval(tick, 1_000);

  for (const [id, hours] of [
    ['clock-hour', 1],
    ['clock-day-later', 24],
  ] as const) {
    byId(id, HTMLButtonElement).addEventListener('click', () => {
      void runWithStatus(t.clock.moving, async () => ((await moveClock(hours)) ? t.clock.moved(hours) : ''));
    });
  }
  byId('reset', HTMLButtonElement).addEventListener('click', () => void startOver());
}

async function startOver(): Promise<void> {
  if (await ask(t.clock.resetAsk, t.clock.resetYes, t.cancel)) await resetSandbox();
}

/** Restores the demo data. Returns whether it worked. */
export async function resetSandbox(): Promise<boolean> {
  let isReset = false;
  await runWithStatus(t.clock.resetting, async () => {
    isReset = await reset();
    return isReset ? t.clock.resetDone : '';
  });
  if (isReset) openChat(undefined);
  return isReset;
}

/** Disables the buttons while the work runs, and shows its progress and result beside the clock. */
async function runWithStatus(meanwhile: string, work: () => Promise<string>): Promise<void> {
  const buttons = document.querySelectorAll<HTMLButtonElement>('#clock-buttons button');
  const status = byId('clock-status', HTMLElement);
  status.textContent = meanwhile;
  // `disabled` would move the focus away from the pressed button.
  for (const button of buttons) attributes(button, { 'aria-disabled': 'true' });
  try {
    status.textContent = await work();
  } finally {
    for (const button of buttons) attributes(button, { 'aria-disabled': undefined });
  }
}
