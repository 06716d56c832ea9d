import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { assertBooks } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import { aim, SEED, SHOTS, type Target } from './gun.ts';
import { createJudge } from './judge.ts';
import type { Schema } from './mutate.ts';
import { shootAll } from './shoot.ts';

const service = useService();

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** Every operation of the document that the service shows of itself. */
async function targets(token: string, known: Readonly<Record<string, string>>): Promise<Target[]> {
  const document = (await service.sandbox.call('GET', '/openapi.json')).body;
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, parameters = [] }]) => {
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const body = requestBody?.content['application/json']?.schema;
      const kind = path.split('/')[3] ?? '';
      const ticket = query.includes('api_token') ? `api_token=${token}` : undefined;
      return { method: method.toUpperCase(), path, body, query, ticket, known: { id: known[kind] ?? '1' } };
    }),
  );
  // What takes things away comes last: the others are to find them.
  const takesAway = ({ method, path }: Target): number => (method === 'DELETE' || path.endsWith('/cancel') ? 1 : 0);
  return all.sort((one, other) => takesAway(one) - takesAway(other));
}

test('whatever is sent to an operation of the API is answered in time, never with 500, and shows nothing of our insides', async () => {
  const { sandbox, database } = service;
  const { token, accountId } = await sandbox.publisher({ beta: true, deposit: 100_000 });
  const { orderId } = await sandbox.advertise({ account_id: accountId, quantity: 50 });
  const publisher = await sandbox.publisher();
  await sandbox.subscribe(publisher.token, await sandbox.advertise({ price_per_sub: 90 }), freshUser());
  const made = async (path: string, body: unknown): Promise<Record<string, unknown>> =>
    (await sandbox.api(token, path, body)).body;
  const link = await made('links', { url: 'https://example.com/' });
  const webhook = await made('webhooks', { url: 'http://127.0.0.1:9/', events: ['subscription.confirmed'] });

  // Rotating would leave everything after it without a token, so this one has a token of its own.
  const disposable = await sandbox.publisher({ beta: true });
  const judge = await createJudge(database);
  const all = await targets(token, {
    orders: String(orderId),
    links: String(link.link_id),
    webhooks: String(webhook.webhook_id),
  });
  assert.ok(all.length > 30, `the document has only ${all.length} operations`);
  const complaints: string[] = [];
  let entered = 0;
  for (const [index, target] of all.entries()) {
    const its = target.path.includes('/token') ? disposable.token : token;
    const hits = await shootAll(service.url, aim(target, its, SHOTS, SEED * 10_000 + index));
    if (hits.some(({ status = 0 }) => status < 300)) entered += 1;
    for (const hit of hits) {
      const complaint = judge.complaint(hit);
      if (complaint !== undefined) complaints.push(complaint);
    }
  }
  assert.deepEqual(complaints, [], `FUZZ_SEED=${SEED} FUZZ_SHOTS=${SHOTS}`);
  assert.ok(entered > all.length / 2, `only ${entered} of ${all.length} operations ever did something`);

  assert.equal((await sandbox.call('GET', '/api/v1/health')).body.status, 'ok');
  assert.equal((await sandbox.api(token, 'get-balance', {})).status, 200);
  await sandbox.assertBalanced();
  await assertBooks(database.url);
  assert.doesNotMatch(service.logs(), /"level":(?:50|60)/, 'something was logged as a fault of ours');
});
