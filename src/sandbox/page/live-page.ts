import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { watchRoutes } from './live-routes.ts';
import type { WatchDeps } from './live-sections.ts';
import { createCallLog } from './request-log.ts';

/** The sandbox's eye: sees every answer of this process, and tells the pages that look. */
export interface Watch {
  onAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): void;
  readonly routes: FastifyPluginAsync;
}

export function createWatch(deps: Omit<WatchDeps, 'calls'>): Watch {
  const calls = createCallLog(deps.clock);
  const listeners: (() => void)[] = [];
  return {
    onAnswer(request, reply, payload) {
      calls.record(request, reply, payload);
      for (const listener of listeners) listener();
    },
    routes: watchRoutes({ ...deps, calls, onAnswered: (listener) => listeners.push(listener) }),
  };
}
