import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { databaseUnavailable } from './errors.ts';

const STATUS = { schema: { response: { 200: Type.Object({ status: Type.String() }) } } };

/**
 * `health` shows that the process responds; a supervisor restarts a process that does not. `ready` shows that
 * `checkReady` succeeds, so the process can serve requests. A balancer sends no requests to a process that is not
 * ready; a restart would not help there.
 */
export function healthRoutes(checkReady: () => Promise<void>): FastifyPluginAsyncTypebox {
  let checking: Promise<void> | undefined;
  /** Shares one check between concurrent requests, so that several balancers do not use up the connection pool. */
  const check = (): Promise<void> => {
    checking ??= checkReady().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  return async (app) => {
    app.get('/api/v1/health', STATUS, async () => ({ status: 'ok' }));
    app.get('/api/v1/ready', STATUS, async () => {
      try {
        await check();
      } catch (error) {
        throw databaseUnavailable(error);
      }
      return { status: 'ready' };
    });
  };
}
