import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { API_CATALOGUE } from '../../src/http/api-catalogue.ts';
import { useService } from './use-service.ts';

const service = useService();

interface Operation {
  readonly summary?: string;
  readonly responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  readonly requestBody?: { content: { 'application/json': { example?: unknown } } };
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
  assert.deepEqual(listed, Object.keys(API_CATALOGUE).sort());
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

test('the reference and the text for programs are served and load nothing from other hosts', async () => {
  const page = await service.sandbox.call('GET', '/docs/');
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.body, /(src|href)="https?:/);
  const policy = page.headers.get('content-security-policy') ?? '';
  const inline = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page.body)?.[1] ?? '';
  const hash = createHash('sha256').update(inline).digest('base64');
  assert.ok(inline.includes('createApiReference') && policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
  for (const path of ['/docs', '/docs/', '/docs/js/scalar.js', '/docs/openapi.json']) {
    const { headers } = await service.sandbox.call('GET', path);
    const own = headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"])
      assert.ok(own.includes(part), `${path}: ${own}`);
    assert.doesNotMatch(own, /script-src[^;]*'unsafe/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
  }
  const text = await service.sandbox.call('GET', '/llms.txt');
  for (const name of Object.keys(API_CATALOGUE)) assert.ok(text.body.includes(name), name);
});
