import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { createDraw } from '../campaign/plan.ts';
import { assertBooks } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import { createResponseChecker } from './check-response.ts';
import { REQUESTS, SEED } from './make-requests.ts';
import { mutate, mutateQuery, type Schema } from './mutate.ts';
import { type FuzzRequest, type FuzzResponse, sendAll } from './send-requests.ts';

const service = useService({ RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' });

const ACTIONS = ['allads', 'ads', 'source', 'allbots', 'bots', 'sponsor', 'x'];

type Body = Readonly<Record<string, unknown>>;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const hasOnly = (body: Body, ...names: string[]): boolean => Object.keys(body).sort().join() === names.sort().join();

/** Whether a body is an error in the form of its network. */
const IS_ERROR: Readonly<Record<string, (body: Body, status: number) => boolean>> = {
  subgram: (body, status) =>
    hasOnly(body, 'status', 'code', 'message') &&
    body.status === 'error' &&
    body.code === status &&
    isText(body.message),
  flyer: (body, status) => status === 200 && hasOnly(body, 'error') && isText(body.error),
  tgrass: (body) => hasOnly(body, 'detail', 'message') && isText(body.detail) && isText(body.message),
  piarflow: (body) => hasOnly(body, 'status', 'message') && body.status === 'error' && isText(body.message),
  botohub: (body) => hasOnly(body, 'error') && isText(body.error),
};

interface Operation {
  readonly network: string;
  readonly method: string;
  readonly path: string;
  readonly body: Schema | undefined;
  readonly query: readonly string[];
  /** Fields that every success has. */
  readonly required: readonly string[];
}

/** Returns the operations of the compatible APIs from the service's OpenAPI document. */
async function operations(): Promise<Operation[]> {
  const { paths, components } = (await service.sandbox.call('GET', '/openapi.json')).body;
  const resolve = (schema: Schema & { $ref?: string }) =>
    schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  return Object.entries(paths as Record<string, Record<string, never>>)
    .filter(([path]) => /^\/compat\/\w+\//.test(path))
    .flatMap(([path, methods]) =>
      Object.entries<{
        requestBody?: { content: Record<string, { schema: Schema }> };
        parameters?: { name: string; in: string }[];
        responses: Record<string, { content: Record<string, { schema: Schema }> }>;
      }>(methods).map(([method, { requestBody, parameters = [], responses }]) => {
        const body = requestBody?.content['application/json']?.schema;
        const answer = responses['200']?.content['application/json']?.schema ?? {};
        return {
          network: path.split('/')[2] ?? '',
          method: method.toUpperCase(),
          path,
          body: body && resolve(body),
          query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
          required: resolve(answer).required ?? [],
        };
      }),
    );
}

/** Fields whose values must exist or have a pattern; random ones would never get past the first check. */
const knownFields = (orderId: number): Readonly<Record<string, Schema>> => ({
  start_date: { enum: [null, '2026-01-01'] },
  end_date: { enum: [null, '2026-12-31'] },
  bot_id: { const: null },
  bot_token: { enum: [null, '1:x'] },
  ads_id: { const: orderId },
  order_id: { const: orderId },
});

/** Generates requests with a valid token in the place of the network, each slightly or completely wrong. */
function* makeRequests(
  { network, method, path, body, query }: Operation,
  { token, orderId, seed }: { token: string; orderId: number; seed: number },
) {
  const draw = createDraw(seed);
  const known = Object.entries(knownFields(orderId)).filter(([name]) => body?.properties?.[name] !== undefined);
  for (let made = 0; made < REQUESTS; made++) {
    const properties = {
      ...body?.properties,
      ...Object.fromEntries(known),
      ...(network === 'flyer' && { key: { const: token } }),
    };
    const text = body === undefined ? undefined : mutate({ ...body, properties }, draw);
    const type = draw.chance(0.8) ? 'application/json' : draw.of(['application/octet-stream', 'text/plain', 'x']);
    const request: FuzzRequest = {
      method,
      path: query.length === 0 ? path : `${path}?action=${draw.of(ACTIONS)}&${mutateQuery(query, draw).slice(1)}`,
      headers: {
        ...(text !== undefined && { 'content-type': type }),
        ...(network === 'piarflow' ? { authorization: `Bearer ${token}` } : { auth: token }),
      },
      ...(text !== undefined && { body: text }),
    };
    yield request;
  }
}

function findProblem({ network, path, required }: Operation, { status = 0, text }: FuzzResponse): string | undefined {
  let body: Body;
  try {
    body = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  // The older requests of SubGram report "no sponsors" as a 404 with the fields of a success.
  if (status === 404 && path.includes('/request-op') && Array.isArray(body.links)) return undefined;
  if (status === 200 && body.error === undefined) {
    const missing = required.filter((name) => !(name in body));
    return missing.length === 0 ? undefined : `has no ${missing.join(', ')}`;
  }
  return IS_ERROR[network]?.(body, status) === true ? undefined : `is not an error of ${network}`;
}

test("every compatible API answers any body in its network's form, never with 500, and moves no money", async () => {
  const { sandbox, database } = service;
  const { token, accountId } = await sandbox.publisher({ beta: true, deposit: 10_000 });
  const { orderId } = await sandbox.advertise({ account_id: accountId, quantity: 50 });
  await sandbox.subscribe(
    (await sandbox.publisher()).token,
    await sandbox.advertise({ price_per_sub: 90 }),
    freshUser(),
  );
  // `POST /bots` can switch the caller's bot off, which would end the token of all later requests.
  const disposable = await sandbox.publisher({ beta: true });
  const checker = await createResponseChecker(database);
  const all = await operations();
  assert.ok(all.length >= 18, `the document has only ${all.length} compatible operations`);
  const problems: string[] = [];
  const idle: string[] = [];
  for (const [index, operation] of all.entries()) {
    const its = operation.path.endsWith('/bots') ? disposable.token : token;
    const responses = await sendAll(
      service.url,
      makeRequests(operation, { token: its, orderId, seed: SEED * 20_000 + index }),
    );
    const successes = responses.filter(({ status, text }) => status === 200 && !text.startsWith('{"error"'));
    if (successes.length === 0) idle.push(operation.path);
    for (const response of responses) {
      const problem = checker.findProblem(response) ?? findProblem(operation, response);
      if (problem !== undefined)
        problems.push(`${operation.path} ${problem}: ${response.status} ${response.text.slice(0, 300)}`);
    }
  }
  assert.deepEqual(problems, [], `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`);
  assert.deepEqual(idle, [], 'every operation did something');
  await sandbox.assertBalanced();
  await assertBooks(database.url);
  assert.doesNotMatch(service.logs(), /"level":(?:50|60)/, 'something was logged as a fault of ours');
});
