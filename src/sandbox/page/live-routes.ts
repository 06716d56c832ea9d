import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { readFile } from '../telegram/files-store.ts';
import { findPersons } from '../telegram/phone-store.ts';
import { openWebApp } from '../telegram/web-app.ts';
import { createLiveSections, type LivePageDeps } from './live-sections.ts';
import { createLiveStreams } from './live-stream.ts';

const UserId = Type.String({ pattern: '^[1-9]\\d{0,15}$' });
const Username = Type.String({ pattern: '^@?[A-Za-z0-9_]{1,32}$' });

const WatchQuery = Type.Object({ person: UserId, bot: Type.Optional(Username) });
const FileParams = Type.Object({ number: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) });
const PersonParams = Type.Object({ user_id: UserId });
const SearchQuery = Type.Object({ text: Type.String({ minLength: 1, maxLength: 64 }) });
const WebAppBody = Type.Object({ bot: Username, url: Type.String({ minLength: 1, maxLength: 2048 }) });

export interface LivePageRoutesDeps extends LivePageDeps {
  /** Calls the listener after every response of this process. */
  readonly onResponse: (listener: () => void) => void;
}

/** The endpoints that only the sandbox page uses. Mounted under `/sandbox`. */
export const livePageRoutes =
  (deps: LivePageRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const streams = createLiveStreams(createLiveSections(deps));
    deps.onResponse(() => streams.wake());
    app.addHook('preClose', async () => streams.close());

    app.get('/watch', { schema: { querystring: WatchQuery } }, async ({ query }, reply) => {
      const streaming = streams.open(reply.raw, { userId: Number(query.person), bot: query.bot });
      if (streaming === undefined) {
        throw new ApiError('too_many_requests', 'Too many pages watch this sandbox: close some.');
      }
      reply.hijack();
      await streaming;
    });

    app.get('/persons', { schema: { querystring: SearchQuery } }, async ({ query }) => ({
      persons: await findPersons(deps.db, query.text),
    }));

    app.get('/files/:number', { schema: { params: FileParams } }, async ({ params }, reply) => {
      const file = await readFile(deps.db, Number(params.number));
      if (file === undefined) throw new ApiError('route_not_found', 'This picture is no longer stored.');
      return reply
        .type(file.type)
        .header('Cache-Control', 'private, max-age=86400, immutable')
        .header('Content-Security-Policy', "default-src 'none'")
        .header('X-Content-Type-Options', 'nosniff')
        .send(file.bytes);
    });

    const webApp = '/persons/:user_id/web-app';
    app.post(webApp, { schema: { params: PersonParams, body: WebAppBody } }, async ({ params, body, headers }) => {
      const url = URL.canParse(body.url) ? new URL(body.url) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol)) {
        throw new ApiError('validation_failed', 'url must be an http or https address.');
      }
      const opened = await openWebApp(deps, {
        userId: Number(params.user_id),
        bot: body.bot,
        url,
        userAgent: headers['user-agent'],
      });
      if (opened === undefined) throw new ApiError('bot_not_found', `No bot is called ${body.bot} in the sandbox`);
      return { url: opened };
    });
  };
