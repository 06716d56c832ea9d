import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { databaseUnavailable } from './errors.ts';

const STATUS = { schema: { response: { 200: Type.Object({ status: Type.String() }) } } };

/**
 * `health`: the process answers. A supervisor restarts a process that does not. `ready`: `checkReady` did not throw, so
 * requests can be served. A balancer leaves a process out until it is ready; a restart would not help.
 */
export function healthRoutes(checkReady: () => Promise<void>): FastifyPluginAsyncTypebox {
  let checking: Promise<void> | undefined;
  /** One check serves all who ask at the same time: several balancers must not empty the pool. */
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
