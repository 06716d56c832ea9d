import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { API_CATALOGUE } from '../../src/http/api-catalogue.ts';
import { COMPAT_CATALOGUE } from '../../src/http/compat-catalogue.ts';
import { useService } from './use-service.ts';

const service = useService();

interface Operation {
  readonly summary?: string;
  readonly responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  readonly requestBody?: { content: { 'application/json': { example?: unknown } } };
}
interface Field {
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Field>>;
}
interface Webhook {
  readonly post: { readonly requestBody: { readonly content: Record<string, { readonly schema: Field }> } };
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly securitySchemes: { readonly token: { readonly description: string } } };
}

async function readDocument(): Promise<Document> {
  return (await service.sandbox.call('GET', '/openapi.json')).body;
}

/** Returns the name of an operation in the format of the catalogue, such as `GET /a/:id`. */
const nameOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

function* operations(document: Document): Iterable<readonly [string, Operation]> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) yield [nameOf(method, path), operation];
  }
}

test('the document lists exactly the operations of the catalogue', async () => {
  const document = await readDocument();
  const listed = [...operations(document)].map(([name]) => name).sort();
  assert.deepEqual(listed, Object.keys({ ...API_CATALOGUE, ...COMPAT_CATALOGUE }).sort());
});

test('the document is OpenAPI 3.1 with our version and the version of the authentication scheme', async () => {
  const document = await readDocument();
  assert.equal(document.openapi, '3.1.0');
  assert.match(document.info.version, /^\d+\.\d+\.\d+/);
  assert.match(document.components.securitySchemes.token.description, /0\.2\.0/);
});

test('every operation documents its errors, and the examples in the document are valid requests', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const document = await readDocument();
  let sent = 0;
  for (const [name, operation] of operations(document)) {
    // The compatible APIs have the errors of their networks.
    if (name in COMPAT_CATALOGUE) continue;
    for (const status of ['400', '401', '404', '422', '429', '500'])
      assert.ok(operation.responses[status], `${name} ${status}`);
    const example = operation.requestBody?.content['application/json'].example;
    if (example === undefined) continue;
    const [method = '', path = ''] = name.split(' ');
    const answer = await sandbox.call(method, path, example, { auth: token });
    assert.ok(answer.status < 300, `${name}: ${JSON.stringify(answer.body)}`);
    sent += 1;
  }
  assert.ok(sent >= 6, `${sent} examples`);
});

test('the reference lists every operation in a page without scripts that loads nothing', async () => {
  for (const path of ['/docs', '/docs/']) {
    const { status, body, headers } = await service.sandbox.call('GET', path);
    assert.equal(status, 200);
    assert.match(body, /<html lang="en">[\s\S]*<title>API reference · Sponsorgate<\/title>/);
    assert.doesNotMatch(body, /(src|href)="https?:|<script|@import|url\(/);
    const shown = [...body.matchAll(/<h3 id="\w+"><span class="method">(\w+)<\/span> <code>([^<]+)</g)];
    const names = shown.map(([, method, place]) => nameOf(String(method), String(place).replaceAll(/&#\d+;/g, '')));
    assert.deepEqual(names.sort(), Object.keys({ ...API_CATALOGUE, ...COMPAT_CATALOGUE }).sort());
    const policy = headers.get('content-security-policy') ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", `style-src 'sha256-${hash}'`])
      assert.ok(policy.includes(part), policy);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('the text for programs names every operation', async () => {
  const text = await service.sandbox.call('GET', '/llms.txt');
  for (const name of Object.keys(API_CATALOGUE)) assert.ok(text.body.includes(name), name);
});

test('the document names its server, shares schemas, lists enums and describes every field of the webhook events', async () => {
  const { body: document } = await service.sandbox.call('GET', '/openapi.json');
  assert.deepEqual(document.servers, [{ url: service.url }]);
  const { Sponsor, Confirmation, Order, Error: failure } = document.components.schemas;
  assert.deepEqual(Sponsor.properties.status.enum, ['subscribed', 'unsubscribed', 'notgetted', 'hold']);
  assert.ok(Confirmation.properties.code.enum.includes('order_not_found'));
  assert.ok(Confirmation.properties.credit_status.enum.includes('pending'));
  assert.ok(Order.properties.status.enum.includes('active'));
  assert.ok(failure.properties.code.enum.includes('method_not_allowed'));
  const text = JSON.stringify(document.paths);
  for (const name of ['Error', 'Sponsor', 'Confirmation', 'Order', 'Link', 'Webhook'])
    assert.ok(text.includes(`"#/components/schemas/${name}"`), name);

  assert.ok(Object.keys(document.webhooks).includes('subscription.confirmed'));
  for (const [type, { post }] of Object.entries<Webhook>(document.webhooks)) {
    const properties = post.requestBody.content['application/json']?.schema.properties ?? {};
    assert.equal(properties.type?.const, type);
    for (const [name, field] of Object.entries(properties.data?.properties ?? {}))
      assert.ok(
        field.description !== undefined || field.const !== undefined || field.enum !== undefined,
        `${type} ${name}`,
      );
  }
});
