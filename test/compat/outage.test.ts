import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { DatabaseUnavailable } from '../../src/core/database.ts';
import { createMemoryRateLimiter } from '../../src/http/rate-limit.ts';
import { botohubRoutes } from '../../src/modules/compat/botohub/routes.ts';
import { flyerRoutes } from '../../src/modules/compat/flyer/routes.ts';
import { piarflowRoutes } from '../../src/modules/compat/piarflow/routes.ts';
import { subgramRoutes } from '../../src/modules/compat/subgram/routes.ts';
import { tgrassRoutes } from '../../src/modules/compat/tgrass/routes.ts';

const caller = { bot: { id: 1, accountId: 1, maxSponsors: 5 }, scopes: [], hash: Buffer.alloc(32) };
const policy = { name: 'test', perSecond: 1_000, burst: 1_000 };

/** Returns the responses of the five networks when every request fails with this error. */
async function answersTo(error: Error) {
  const app = fastify();
  app.decorateRequest('caller', null);
  const fail = () => Promise.reject(error);
  const deps = {
    gate: { ask: fail, review: fail, confirm: fail },
    access: {
      tokens: { cached: () => caller, find: async () => caller },
      limiter: createMemoryRateLimiter(),
      perToken: policy,
      perAddress: policy,
    },
  } as never;
  for (const routes of [subgramRoutes, flyerRoutes, tgrassRoutes, piarflowRoutes, botohubRoutes])
    await app.register(routes(deps));
  const post = async (url: string, payload: object) => {
    const headers = { auth: 'at_1', authorization: 'Bearer at_1' };
    const { statusCode, body } = await app.inject({ method: 'POST', url, payload, headers });
    return { statusCode, body: JSON.parse(body) };
  };
  return {
    subgram: await post('/compat/subgram/get-sponsors', { user_id: 1, chat_id: 1 }),
    flyer: await post('/compat/flyer/get_tasks', { key: 'at_1', user_id: 1 }),
    tgrass: await post('/compat/tgrass/offers', { tg_user_id: 1 }),
    piarflow: await post('/compat/piarflow/v1/sponsors', { user_id: 1 }),
    botohub: await post('/compat/botohub/get-tasks', { chat_id: 1 }),
  };
}

for (const [what, error] of [
  ['a missing database', new DatabaseUnavailable('the database is away')],
  ['an unexpected error', new TypeError('a secret detail')],
] as const) {
  test(`${what} is answered in the form of each network, without a 500 and without details`, async () => {
    const { subgram, flyer, tgrass, piarflow, botohub } = await answersTo(error);
    assert.equal(subgram.statusCode, 503);
    assert.deepEqual({ ...subgram.body, message: '' }, { status: 'error', code: 503, message: '' });
    assert.equal(flyer.statusCode, 200);
    assert.deepEqual(Object.keys(flyer.body), ['error']);
    assert.equal(tgrass.statusCode, 503);
    assert.deepEqual(Object.keys(tgrass.body), ['detail', 'message']);
    assert.equal(piarflow.statusCode, 503);
    assert.equal(piarflow.body.status, 'error');
    assert.equal(botohub.statusCode, 503);
    assert.deepEqual(Object.keys(botohub.body), ['error']);
    const all = JSON.stringify([subgram, flyer, tgrass, piarflow, botohub]);
    assert.ok(!all.includes('secret detail') && !all.includes('is away'), all);
  });
}
