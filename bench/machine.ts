/**
 * When the machine itself was slow. A host takes its processors away from a virtual machine for tens of milliseconds at a
 * time, and nothing inside is told: the same few instructions just take several times as long, and every server on the
 * machine stands still, whichever it is. Such moments are no figure of a server.
 *
 * A process that goes before all others does a fixed piece of work again and again; several slow pieces in a row can only be
 * the machine. Where it may not go before others (not root) a busy server would look like a slow machine, so nothing is said.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { median } from './random.ts';

const EVERY_MS = 8;
/** About a millisecond of work. */
const STEPS = 100_000;
/** So many times the usual is slow, */
const SLOW = 2;
/** and so many slow ones, one close to the other, are the machine's. */
const IN_A_ROW = 3;
const CLOSE_MS = 40;
/** How long a server may take to make up for what came in meanwhile. */
const AFTERMATH_MS = 200;

interface Piece {
  readonly at: number;
  readonly took: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One clock for all processes of the machine, in milliseconds. */
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
  /** Ends the watch. Answers whether the machine was slow at any time between two moments of `performance.now()`. */
  stop(): Promise<(span: Span) => boolean>;
}

/** Nothing, where the watch may not go before other processes. */
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
