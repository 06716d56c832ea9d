import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MoneyDesk } from '../support/money-desk.ts';

const SCRIPT = join(import.meta.dirname, '../support/stepping-worker.ts');
const LIMIT_MS = 60_000;

export interface SteppingWorker {
  /** The step before which the worker stopped, or undefined when it ran to its end. */
  readonly stoppedBefore: Promise<string | undefined>;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
}

/** Starts a worker that stops before its n-th step. Without `step` it runs to its end. */
export function startWorker(desk: MoneyDesk, task: 'payouts' | 'contests', step = -1): SteppingWorker {
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: desk.url,
      BANK_URL: desk.bank.url,
      TASK: task,
      STOP_AT: String(step),
      NOW: desk.clock.now().toISOString(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const overdue = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let output = '';
  const stoppedBefore = new Promise<string | undefined>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const stopped = /^stopped before (.+)\n/.exec(output)?.[1];
      if (stopped !== undefined) resolve(stopped);
    });
    void closed.then(() => resolve(undefined));
  });
  return {
    stoppedBefore,
    async kill() {
      clearTimeout(overdue);
      child.kill('SIGKILL');
      await closed;
    },
  };
}
