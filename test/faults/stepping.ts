import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { MoneyDesk } from '../support/money-desk.ts';

const SCRIPT = join(import.meta.dirname, '../support/stepping-worker.ts');
const LIMIT_MS = 30_000;

export interface Stepping {
  /** What the worker was about to do, or nothing when it came to its end. */
  readonly stoppedBefore: string | undefined;
  /** SIGKILL, and the end of the process awaited. */
  kill(): Promise<void>;
}

/** Runs a worker up to its n-th step. */
export async function runUntil(desk: MoneyDesk, task: 'payouts' | 'contests', step: number): Promise<Stepping> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: desk.url,
      BANK_URL: desk.bank.url,
      TASK: task,
      STOP_AT: String(step),
      NOW: desk.clock.now().toISOString(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  const overdue = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes('\n')) break;
  }
  clearTimeout(overdue);
  const stopped = /^stopped before (.+)$/m.exec(output)?.[1];
  if (stopped !== undefined) return { stoppedBefore: stopped, kill };
  await kill();
  if (!output.startsWith('done')) throw new Error(`the worker said nothing: ${output}`);
  return { stoppedBefore: undefined, kill };
}
