import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { livePageRoutes } from './live-routes.ts';
import type { LivePageDeps } from './live-sections.ts';
import { createRequestLog } from './request-log.ts';

/** Shows the requests of this process, and everything else that changes, on the open sandbox pages. */
export interface LivePage {
  onResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown): void;
  /** Removes the requests so far from the pages. */
  clear(): void;
  readonly routes: FastifyPluginAsync;
}

export function createLivePage(deps: Omit<LivePageDeps, 'requests'>): LivePage {
  const requests = createRequestLog(deps.clock);
  const listeners: (() => void)[] = [];
  return {
    onResponse(request, reply, payload) {
      requests.record(request, reply, payload);
      for (const listener of listeners) listener();
    },
    clear: () => requests.clear(),
    routes: livePageRoutes({ ...deps, requests, onResponse: (listener) => listeners.push(listener) }),
  };
}
