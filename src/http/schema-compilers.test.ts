import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { sharedCompilers } from './schema-compilers.ts';

const serverWith = async (name: object) => {
  const app = fastify({ schemaController: { compilersFactory: sharedCompilers } });
  app.addSchema({ $id: 'name', ...name });
  const schema = {
    body: { type: 'object', properties: { name: { $ref: 'name#' } }, required: ['name'] },
    response: { 200: { type: 'object', properties: { name: { $ref: 'name#' } } } },
  };
  app.post('/', { schema }, (request) => request.body);
  await app.ready();
  return app;
};

describe('shared compilers', () => {
  it('keep servers apart whose routes refer to other schemas under the same name', async () => {
    const texts = await serverWith({ type: 'string' });
    const numbers = await serverWith({ type: 'array', items: { type: 'integer' } });
    const send = async (app: typeof texts, name: unknown) => {
      const { statusCode, payload } = await app.inject({ method: 'POST', url: '/', payload: { name } });
      return statusCode === 200 ? JSON.parse(payload) : statusCode;
    };
    assert.deepEqual(await send(texts, 'Ann'), { name: 'Ann' });
    assert.deepEqual(await send(numbers, [1, 2]), { name: [1, 2] });
    assert.equal(await send(numbers, { first: 'Ann' }), 400);
  });
});
