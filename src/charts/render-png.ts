import { Worker } from 'node:worker_threads';
import type { RenderRequest, RenderResult } from './png-worker.ts';

/** The picture could not be rendered in time. The caller shows the figures without it. */
export class PictureFailed extends Error {
  override readonly name = 'PictureFailed';
}

/** Long enough for the first picture on a busy machine, which includes compiling the renderer. */
const TIMEOUT_MS = 20_000;
/** The renderer and its fonts need about 100 MB, so an idle thread ends after this time. */
const IDLE_MS = 60_000;
/** More pictures would time out while they wait. */
const MAX_PENDING = 32;

interface PendingRender {
  readonly resolve: (png: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface PngRenderer {
  /** Rejects with `PictureFailed` only. */
  render(svg: string): Promise<Buffer>;
  /** Whether the worker thread exists. */
  readonly isRunning: boolean;
  close(): Promise<void>;
}

/** Renders pictures in a worker thread. The first picture starts the thread, and an idle thread ends. */
export function createPngRenderer({ timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = {}): PngRenderer {
  const pending = new Map<number, PendingRender>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL('./png-worker.ts', import.meta.url));
    started.on('message', (result: RenderResult) => {
      if ('png' in result) settle(result.id)?.resolve(Buffer.from(result.png));
      else settle(result.id)?.reject(new PictureFailed(result.error));
    });
    started.on('error', (error) => abandon(started, `the renderer failed: ${String(error)}`));
    started.on('exit', () => abandon(started, 'the renderer has ended'));
    return started;
  }

  /** Removes a request from the list. Without requests, the thread does not keep the process alive. */
  function settle(id: number): PendingRender | undefined {
    const found = pending.get(id);
    if (found === undefined) return undefined;
    clearTimeout(found.timer);
    pending.delete(id);
    if (pending.size === 0 && worker !== undefined) {
      const resting = worker;
      resting.unref();
      idle = setTimeout(() => abandon(resting, 'the renderer was idle'), idleMs).unref();
    }
    return found;
  }

  /** Ends the thread and rejects its requests. The next request starts a new thread. */
  function abandon(failed: Worker, reason: string): void {
    if (failed !== worker) return;
    worker = undefined;
    clearTimeout(idle);
    for (const id of [...pending.keys()]) settle(id)?.reject(new PictureFailed(reason));
    void failed.terminate();
  }

  return {
    render(svg) {
      if (pending.size >= MAX_PENDING) return Promise.reject(new PictureFailed('too many pictures at once'));
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      const drawing = worker;
      return new Promise((resolve, reject) => {
        lastId += 1;
        // A slow picture blocks those behind it; they fail too, and a new request starts another thread.
        const timer = setTimeout(() => abandon(drawing, `no picture within ${timeoutMs} ms`), timeoutMs);
        pending.set(lastId, { resolve, reject, timer });
        drawing.postMessage({ id: lastId, svg } satisfies RenderRequest);
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

/** Returns an SVG document as PNG. The process has one renderer thread. */
export const renderPng = (svg: string): Promise<Buffer> => shared.render(svg);
