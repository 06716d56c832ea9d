import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { assertBooks } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import { createResponseChecker } from './check-response.ts';
import { makeRequests, type Operation, REQUESTS, SEED } from './make-requests.ts';
import type { Schema } from './mutate.ts';
import { sendAll } from './send-requests.ts';

const service = useService();

interface DocumentedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** Returns every operation of the service's OpenAPI document. */
async function operations(token: string, known: Readonly<Record<string, string>>): Promise<Operation[]> {
  const document = (await service.sandbox.call('GET', '/openapi.json')).body;
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, parameters = [] }]) => {
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const body = requestBody?.content['application/json']?.schema;
      const kind = path.split('/')[3] ?? '';
      const ticket = query.includes('api_token') ? `api_token=${token}` : undefined;
      return { method: method.toUpperCase(), path, body, query, ticket, known: { id: known[kind] ?? '1' } };
    }),
  );
  // Operations that delete run last, so that the others find something.
  const deletes = ({ method, path }: Operation): number => (method === 'DELETE' || path.endsWith('/cancel') ? 1 : 0);
  return all.sort((one, other) => deletes(one) - deletes(other));
}

test('every API operation responds to any input in time, never with 500 and never with internals', async () => {
  const { sandbox, database } = service;
  const { token, accountId } = await sandbox.publisher({ beta: true, deposit: 100_000 });
  const { orderId } = await sandbox.advertise({ account_id: accountId, quantity: 50 });
  const publisher = await sandbox.publisher();
  await sandbox.subscribe(publisher.token, await sandbox.advertise({ price_per_sub: 90 }), freshUser());
  const made = async (path: string, body: unknown): Promise<Record<string, unknown>> =>
    (await sandbox.api(token, path, body)).body;
  const link = await made('links', { url: 'https://example.com/' });
  const webhook = await made('webhooks', { url: 'http://127.0.0.1:9/', events: ['subscription.confirmed'] });

  // A rotation would invalidate the token of all later requests, so it uses a separate token.
  const disposable = await sandbox.publisher({ beta: true });
  const checker = await createResponseChecker(database);
  const all = await operations(token, {
    orders: String(orderId),
    links: String(link.link_id),
    webhooks: String(webhook.webhook_id),
  });
  assert.ok(all.length > 30, `the document has only ${all.length} operations`);
  const problems: string[] = [];
  let entered = 0;
  for (const [index, operation] of all.entries()) {
    const its = operation.path.includes('/token') ? disposable.token : token;
    const responses = await sendAll(service.url, makeRequests(operation, its, REQUESTS, SEED * 10_000 + index));
    if (responses.some(({ status = 0 }) => status < 300)) entered += 1;
    for (const response of responses) {
      const problem = checker.findProblem(response);
      if (problem !== undefined) problems.push(problem);
    }
  }
  assert.deepEqual(problems, [], `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`);
  assert.ok(entered > all.length / 2, `only ${entered} of ${all.length} operations ever did something`);

  assert.equal((await sandbox.call('GET', '/api/v1/health')).body.status, 'ok');
  assert.equal((await sandbox.api(token, 'get-balance', {})).status, 200);
  await sandbox.assertBalanced();
  await assertBooks(database.url);
  assert.doesNotMatch(service.logs(), /"level":(?:50|60)/, 'something was logged as a fault of ours');
});
