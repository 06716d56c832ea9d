import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/api/v1/health', { schema: { response: { 200: Type.Object({ status: Type.String() }) } } }, async () => ({
    status: 'ok',
  }));
};
