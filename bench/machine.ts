/**
 * Detects when the machine itself was slow. A host can pause the processors of a virtual machine for tens of
 * milliseconds without a notification. The same instructions then take several times as long, and every server on the
 * machine stops. Such moments must not count as latency of a server.
 *
 * A process with the highest priority repeats a fixed amount of work. Several slow repetitions in a row show that the
 * machine was slow. Without root the process cannot get that priority, and a busy server would look like a slow
 * machine, so there is no result.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { median } from './random.ts';

const EVERY_MS = 8;
/** About a millisecond of work. */
const STEPS = 100_000;
/** A repetition is slow when it takes this many times the median. */
const SLOW = 2;
/** The machine was slow when this many slow repetitions follow each other closely. */
const IN_A_ROW = 3;
const CLOSE_MS = 40;
/** How long a server may take to process the requests that arrived meanwhile. */
const AFTERMATH_MS = 200;

interface Piece {
  readonly at: number;
  readonly took: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns milliseconds of a clock that all processes of the machine share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

if (process.argv[2] === 'watch-machine') watch();

function watch(): void {
  setPriority(constants.priority.PRIORITY_HIGHEST);
  const pieces: Piece[] = [];
  let sum = 0;
  const piece = (): void => {
    const at = now();
    for (let i = 0; i < STEPS; i++) sum = (sum * 31 + i) | 0;
    pieces.push({ at, took: now() - at });
  };
  for (let i = 0; i < 200; i++) piece();
  pieces.length = 0;
  const timer = setInterval(piece, EVERY_MS);
  process.once('message', () => {
    clearInterval(timer);
    process.send?.(pieces, () => process.disconnect());
  });
  process.send?.('ready');
}

export interface MachineWatch {
  /**
   * Ends the measurement. Returns a function that returns whether the machine was slow at any time within a span of
   * `performance.now()`.
   */
  stop(): Promise<(span: Span) => boolean>;
}

/** Returns undefined when the process cannot get the highest priority. */
export async function watchMachine(): Promise<MachineWatch | undefined> {
  const child = fork(import.meta.filename, ['watch-machine'], { stdio: 'ignore' });
  const isReady = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)]);
  if (!isReady) return undefined;
  const offset = now() - performance.now();
  return {
    async stop() {
      child.send('stop');
      const [pieces] = (await once(child, 'message')) as [Piece[]];
      const slow = slowSpans(pieces);
      return (span) => slow.some(({ from, to }) => span.to + offset >= from && span.from + offset <= to);
    },
  };
}

function slowSpans(pieces: readonly Piece[]): Span[] {
  const usual = median(pieces.map(({ took }) => took));
  const rows: Piece[][] = [];
  for (const piece of pieces) {
    if (piece.took < usual * SLOW) continue;
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row !== undefined && last !== undefined && piece.at - last.at - last.took < CLOSE_MS) row.push(piece);
    else rows.push([piece]);
  }
  return rows
    .filter((row) => row.length >= IN_A_ROW)
    .map((row) => {
      const [first, last] = [row[0], row.at(-1)];
      return { from: (first?.at ?? 0) - EVERY_MS, to: (last?.at ?? 0) + (last?.took ?? 0) + AFTERMATH_MS };
    });
}
