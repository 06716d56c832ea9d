import { Worker } from 'node:worker_threads';
import type { DrawAnswer, DrawRequest } from './png-worker.ts';

/** The picture could not be drawn, or not in time: show the figures without it. */
export class PictureFailed extends Error {
  override readonly name = 'PictureFailed';
}

/** Long enough for the first picture on a busy machine, which has the renderer compiled. */
const TIMEOUT_MS = 20_000;
/** The renderer and its fonts take about 100 MB; without work for so long they are given back. */
const IDLE_MS = 60_000;
/** More would only wait until they are too late. */
const MOST_WAITING = 32;

interface Waiting {
  readonly resolve: (png: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface PngRenderer {
  /** Rejects with `PictureFailed`, never with anything else. */
  render(svg: string): Promise<Buffer>;
  /** Whether there is a thread at the moment. */
  readonly isRunning: boolean;
  close(): Promise<void>;
}

/** Draws pictures in a thread that is started by the first one and ended after a while without any. */
export function createPngRenderer({ timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = {}): PngRenderer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL('./png-worker.ts', import.meta.url));
    started.on('message', (answer: DrawAnswer) => {
      if ('png' in answer) settle(answer.id)?.resolve(Buffer.from(answer.png));
      else settle(answer.id)?.reject(new PictureFailed(answer.error));
    });
    started.on('error', (error) => abandon(started, `the renderer failed: ${String(error)}`));
    started.on('exit', () => abandon(started, 'the renderer has ended'));
    return started;
  }

  /** Takes a request off the list; when it was the last, the thread no longer keeps the process alive. */
  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    if (found === undefined) return undefined;
    clearTimeout(found.timer);
    waiting.delete(id);
    if (waiting.size === 0 && worker !== undefined) {
      const resting = worker;
      resting.unref();
      idle = setTimeout(() => abandon(resting, 'the renderer was not needed'), idleMs).unref();
    }
    return found;
  }

  /** The next request starts a new thread. */
  function abandon(failed: Worker, reason: string): void {
    if (failed !== worker) return;
    worker = undefined;
    clearTimeout(idle);
    for (const id of [...waiting.keys()]) settle(id)?.reject(new PictureFailed(reason));
    void failed.terminate();
  }

  return {
    render(svg) {
      if (waiting.size >= MOST_WAITING) return Promise.reject(new PictureFailed('too many pictures at once'));
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      const drawing = worker;
      return new Promise((resolve, reject) => {
        lastId += 1;
        // One that takes so long blocks those behind it: they begin anew in another thread when they are asked for again.
        const timer = setTimeout(() => abandon(drawing, `no picture within ${timeoutMs} ms`), timeoutMs);
        waiting.set(lastId, { resolve, reject, timer });
        drawing.postMessage({ id: lastId, svg } satisfies DrawRequest);
      });
    },
    get isRunning() {
      return worker !== undefined;
    },
    async close() {
      const ending = worker;
      if (ending === undefined) return;
      abandon(ending, 'the renderer is closing');
      await ending.terminate();
    },
  };
}

const shared = createPngRenderer();

/** An SVG document as a PNG. One thread for the whole process. */
export const renderPng = (svg: string): Promise<Buffer> => shared.render(svg);
