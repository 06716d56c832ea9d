/**
 * Writes `src/generated/` from what the service says about itself: its OpenAPI document and its registry of events.
 *
 *   node clients/typescript/generate.ts http://127.0.0.1:8080/openapi.json
 *
 * A test compares the files with a running service and fails when they have drifted apart.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENT_DATA, TEST_EVENT_TYPE, TestEventData } from '../../src/modules/events/registry.ts';
import { comment, literal, objectType, optional, type Schema, schemaToType } from './schema-to-type.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const HEADER = '// Written by clients/typescript/generate.ts: change the service, then run it again.\n';
const SENT = { isSent: true };
const RECEIVED = { isSent: false };
/** In a URL a number is as good as its digits. */
const TEXT_OR_NUMBER = 'string | number';

export function generateApi({ paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
    )
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1));
  const errorCodes = components.schemas.Error?.properties?.code?.enum ?? [];
  return formatted(`${HEADER}
/** What each operation takes and answers. */
export interface Operations {
${operations.map((operation) => `${comment(operation.summary)}${operation.operationId}: ${typeOf(operation)};\n`).join('')}}

export type OperationId = keyof Operations;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Where the token goes. */
  readonly auth: 'header' | 'query' | 'none';
  /** Whether a repeat with the same Idempotency-Key is answered like the first. */
  readonly takesKey?: true;
}

export const ROUTES: Readonly<Record<OperationId, Route>> = {
${operations.map((operation) => `${operation.operationId}: ${routeOf(operation)},\n`).join('')}};

/** Why the service refuses; others may be added. */
export type ErrorCode = ${errorCodes.map(literal).join(' | ')};
`);
}

function typeOf({ parameters = [], requestBody, responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const body = schemaOf(requestBody);
  const answer = schemaOf(success);
  return `{
${inUrl(parameters, 'path')}${inUrl(parameters, 'query')}${body === undefined ? '' : `body: ${schemaToType(body, SENT)};\n`}answer: ${answer === undefined ? 'undefined' : schemaToType(answer, RECEIVED)};
}`;
}

function inUrl(parameters: readonly Parameter[], place: 'path' | 'query'): string {
  const members = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, description, schema }) => {
      const type = schema.enum === undefined ? TEXT_OR_NUMBER : schemaToType(schema, SENT);
      return `${comment(description)}${required ? `${name}: ${type}` : optional(name, type, SENT)};\n`;
    });
  return members.length === 0 ? '' : `${place}: {\n${members.join('')}};\n`;
}

const schemaOf = (holder: Content | undefined): Schema | undefined => holder?.content?.['application/json']?.schema;

function routeOf(operation: Operation & { readonly path: string; readonly method: string }): string {
  const schemes = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const auth = schemes.includes('token') ? 'header' : schemes.includes('queryToken') ? 'query' : 'none';
  const takesKey = operation.parameters?.some(({ name }) => name === 'idempotency-key') === true;
  return `{ method: '${operation.method}', path: '${operation.path}', auth: '${auth}'${takesKey ? ', takesKey: true' : ''} }`;
}

export function generateEvents(): string {
  const data: Readonly<Record<string, unknown>> = { ...EVENT_DATA, [TEST_EVENT_TYPE]: TestEventData };
  const types = Object.entries(data).map(
    ([type, schema]) => `${literal(type)}: ${objectType(schema as Schema, RECEIVED)};\n`,
  );
  return formatted(`${HEADER}
/** What each kind of event carries in \`data\`. */
export interface EventData {
${types.join('')}}

/** The kinds that a webhook can subscribe to. */
export const EVENT_TYPES = [${Object.keys(EVENT_DATA).map(literal).join(', ')}] as const;
`);
}

/** The house's formatter has the last word on what is committed. */
function formatted(source: string): string {
  const biome = join(import.meta.dirname, '../../node_modules/@biomejs/biome/bin/biome');
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'format', '--stdin-file-path=generated.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    input: source,
    encoding: 'utf8',
    timeout: 30_000,
  });
  if (status !== 0) throw new Error(`biome: ${stderr}`);
  return stdout;
}

export const GENERATED = {
  api: join(import.meta.dirname, 'src/generated/api.ts'),
  events: join(import.meta.dirname, 'src/generated/events.ts'),
};

if (import.meta.main) {
  const source = process.argv[2] ?? 'http://127.0.0.1:8080/openapi.json';
  const text = /^https?:/.test(source)
    ? await (await fetch(source, { signal: AbortSignal.timeout(10_000) })).text()
    : await readFile(source, 'utf8');
  await writeFile(GENERATED.api, generateApi(JSON.parse(text) as OpenApiDocument));
  await writeFile(GENERATED.events, generateEvents());
}
