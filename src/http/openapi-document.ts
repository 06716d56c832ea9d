/** Any value of the document: it is JSON. */
type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the document for programs: schemas with a `title` are shared components, optional fields of requests take null,
 * and the events are described as webhooks. The reference for people uses the document with its schemas in place.
 */
export function publishDocument(
  document: JsonObject,
  { serverUrl, events }: { readonly serverUrl: string; readonly events: Readonly<Record<string, object>> },
): JsonObject {
  const schemas: Record<string, Json> = {};
  const paths = mapBodies(document.paths, withNulls);
  const shared = {
    paths: shareSchemas(paths, schemas),
    webhooks: shareSchemas(describeEvents(events), schemas),
  };
  const components = { ...(document.components as JsonObject), schemas };
  return { ...document, servers: [{ url: serverUrl }], ...shared, components };
}

/** Applies a change to the schema of every request body. */
function mapBodies(value: Json, change: (schema: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => mapBodies(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'requestBody' ? mapKey(inner, 'schema', change) : mapBodies(inner, change),
    ]),
  );
}

function mapKey(value: Json, wanted: string, change: (inner: Json) => Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === wanted ? change(inner) : mapKey(inner, wanted, change)]),
  );
}

/** Adds null to every optional field, as `dropNulls` accepts it. */
function withNulls(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { properties, items, required } = schema;
  const isOptional = (name: string): boolean => !Array.isArray(required) || !required.includes(name);
  return {
    ...schema,
    ...(items !== undefined && { items: withNulls(items) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          const inner = withNulls(field);
          return [name, isOptional(name) ? orNull(inner) : inner];
        }),
      ),
    }),
  };
}

function orNull(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const types = [schema.type].flat();
  if (types.includes('null')) return schema;
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...(schema.enum as unknown[]), null] }),
  };
}

/** Moves every schema with a title into `schemas` and refers to it. */
function shareSchemas(value: Json, schemas: Record<string, Json>): Json {
  if (Array.isArray(value)) return value.map((item) => shareSchemas(item, schemas));
  if (!isObject(value)) return value;
  const { title, ...rest } = value;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, shareSchemas(part, schemas)]));
  if (typeof title !== 'string' || value.type !== 'object') return title === undefined ? inner : { title, ...inner };
  schemas[title] = inner;
  return { $ref: `#/components/schemas/${title}` };
}

const HEADERS = {
  'webhook-id': 'The id of the event. Use it to recognise a repeated delivery.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
  'webhook-signature': 'One or two signatures of the Standard Webhooks, `v1,…`, separated by a space.',
};

/** Returns the section `webhooks`: what the service posts to an endpoint for each type of event. */
function describeEvents(events: Readonly<Record<string, object>>): JsonObject {
  return Object.fromEntries(
    Object.entries(events).map(([type, data]) => [
      type,
      {
        post: {
          tags: ['Webhooks'],
          operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: `The event ${type}`,
          security: [],
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': { schema: eventSchema(type, data) } } },
          responses: {
            '2XX': { description: 'Received. Any other status is retried.' },
            '410': { description: 'The endpoint is gone: it is disabled.' },
          },
        },
      },
    ]),
  );
}

const eventSchema = (type: string, data: object): JsonObject => ({
  type: 'object',
  required: ['type', 'id', 'timestamp', 'sequence', 'data'],
  properties: {
    type: { const: type, description: 'The type of the event.' },
    id: { type: 'string', pattern: '^evt_[0-9a-f]{32}$', description: 'The same in every attempt and every replay.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    sequence: { type: 'integer', minimum: 1, description: 'Counts the events of your account: a later one is larger.' },
    data,
  },
});
