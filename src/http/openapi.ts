import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { API_CATALOGUE, TAGS } from './api-catalogue.ts';
import { COMPAT_CATALOGUE, COMPAT_TAGS } from './compat-catalogue.ts';
import { ERROR_TABLE } from './errors.ts';
import { publishDocument } from './openapi-document.ts';
import { sendDocument } from './page.ts';
import { type ApiDocument, REFERENCE_POLICY, renderReference } from './reference.ts';

const AUTH_SCHEME_VERSION = '0.2.0';

/** Collects the schemas of all routes that are registered after this call. */
export function collectOpenApi(app: FastifyInstance, version: string): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sponsorgate',
        version,
        description: 'An exchange for Telegram subscriber traffic. Money is in rubles, times are ISO 8601.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: Object.entries({ ...TAGS, ...COMPAT_TAGS }).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'Auth',
            description: `The API token of a bot (authentication scheme ${AUTH_SCHEME_VERSION}).`,
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same token, for PiarFlow.' },
          queryToken: { type: 'apiKey', in: 'query', name: 'api_token', description: 'The same token, in the query.' },
        },
        schemas: { Error: ERROR_SCHEMA as object },
      },
    },
    transform: ({ schema, url, route }) => {
      const method = String(Array.isArray(route.method) ? route.method[0] : route.method);
      const name = `${method} ${url}`;
      const introduction = API_CATALOGUE[name] ?? COMPAT_CATALOGUE[name];
      if (introduction === undefined) {
        if (url.startsWith('/api/') && method !== 'HEAD') throw new Error(`${name} is missing in api-catalogue.ts`);
        return { schema: { ...schema, hide: true }, url };
      }
      const { tag, summary, isBeta = false, example } = introduction;
      return {
        url,
        schema: {
          ...schema,
          tags: [tag],
          summary: isBeta ? `${summary} (beta)` : summary,
          operationId: operationId(method, url),
          security: securityOf(name),
          ...(example !== undefined &&
            schema?.body !== undefined && { body: { ...(schema.body as object), examples: [example] } }),
          response: { ...(schema?.response as object | undefined), ...(hasOwnErrors(url) ? {} : errorResponses()) },
        },
      };
    },
  });
}

/** Each compatible API has its network's form of errors, which its routes describe. */
const hasOwnErrors = (url: string): boolean => url.startsWith('/compat/') && url !== '/compat/telegram-token';

const ERROR_SCHEMA = {
  title: 'Error',
  type: 'object',
  required: ['detail', 'code', 'message'],
  properties: {
    detail: { type: 'string', description: 'One fixed text per status.' },
    code: { type: 'string', enum: Object.keys(ERROR_TABLE), description: 'The reason, for programs.' },
    message: { type: 'string', description: 'The reason, for people, with what to do next.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    request_id: {
      type: 'string',
      description: 'On a 500: name it when you report it. Every answer has it as X-Request-Id.',
    },
  },
} as const;

/** Returns one response per status of the error table, all with the same schema. */
function errorResponses(): Record<string, object> {
  const details = new Map(Object.values(ERROR_TABLE).map(({ status, detail }) => [status, detail]));
  return Object.fromEntries([...details].map(([status, description]) => [status, { description, ...ERROR_SCHEMA }]));
}

const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  'GET /api/v1/health',
  'GET /api/v1/ready',
  'POST /api/v1/postback',
]);

function securityOf(name: string): readonly Record<string, readonly string[]>[] {
  // Flyer's key is a field of the body.
  if (WITHOUT_TOKEN.has(name) || name.includes('/compat/flyer/')) return [];
  if (name.includes('/compat/piarflow/')) return [{ bearer: [] }];
  return name === 'GET /statistic' ? [{ queryToken: [] }] : [{ token: [] }];
}

/** Returns `postOrdersIdPause` for `POST /api/v1/orders/:id/pause`: a stable id that fits as a method name. */
function operationId(method: string, url: string): string {
  const words = url
    .replace('/api/v1', '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

export interface OpenApiParts {
  readonly publicUrl: () => string;
  /** The schema of `data` for each type of event. */
  readonly events: Readonly<Record<string, object>>;
}

/** Serves the OpenAPI document and the reference, which has no scripts and loads nothing. */
export const openApiRoutes =
  ({ publicUrl, events }: OpenApiParts): FastifyPluginAsync =>
  async (app) => {
    const document = () =>
      publishDocument(app.swagger() as unknown as Record<string, unknown>, { serverUrl: publicUrl(), events });
    app.get('/openapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
      reply.header('Access-Control-Allow-Origin', '*').send(document()),
    );
    app.get('/llms.txt', { schema: { hide: true } as object }, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(llmsText()),
    );
    let page: string | undefined;
    const showReference = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      // Rendered once, on the first request: the document is complete then, and most processes never serve it.
      page ??= renderReference(app.swagger() as unknown as ApiDocument);
      return sendDocument(reply, page, REFERENCE_POLICY);
    };
    app.get('/docs', { schema: { hide: true } as object }, showReference);
    app.get('/docs/', { schema: { hide: true } as object }, showReference);
  };

/** Returns the whole API as one page of plain text, for language models. */
function llmsText(): string {
  const byTag = Object.entries(TAGS).map(([tag, description]) => {
    const operations = Object.entries(API_CATALOGUE).filter(([, introduction]) => introduction.tag === tag);
    const lines = operations.map(([name, { summary, isBeta, example }]) => {
      const body = example === undefined ? '' : ` Example body: ${JSON.stringify(example)}`;
      return `- ${name}${isBeta === true ? ' (beta)' : ''}: ${summary}.${body}`;
    });
    return `## ${tag}\n${description}\n\n${lines.join('\n')}`;
  });
  return `# Sponsorgate

> An exchange for Telegram subscriber traffic. A publisher's bot gets tasks for a user, shows them, and confirms them;
> Sponsorgate checks the membership and pays for a real subscription. JSON over HTTP, money in rubles.

Send the bot's API token in the header \`Auth\` (in the query as \`api_token\` for /statistic). Errors are
\`{detail, code, message, errors?}\`. \`null\` is the same as an absent field. Schemas, enums and webhook events: /openapi.json

${byTag.join('\n\n')}
`;
}
