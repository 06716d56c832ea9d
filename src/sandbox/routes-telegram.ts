import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { Inbox } from './inbox.ts';
import {
  ButtonPress,
  ChatMemberParams,
  ChatParams,
  DeliveryQuery,
  GroupMessageBody,
  InboxParams,
  InboxQuery,
  JoinQuery,
  LeaveQuery,
  MigrationQuery,
  NewChatBody,
  NewFaultBody,
  NewUserBody,
  PersonMessage,
  PersonParams,
  parseBirthdate,
  RenamingBody,
  SeenQuery,
} from './telegram/control-schemas.ts';
import type { Created, Emulator, MembershipOutcome } from './telegram/index.ts';

/** What the service posts to the catcher is at most this long. */
const MAX_DELIVERY_BYTES = 1024 * 1024;

export interface ControlOptions {
  /** The service's bot, which becomes an administrator of every new channel. */
  readonly adminBotId?: number | undefined;
}

/** The levers of the emulated Telegram, as the sandbox's contract lists them. Mounted under `/sandbox`. */
export function telegramControlRoutes(
  emulator: Emulator,
  inbox: Inbox,
  options: ControlOptions = {},
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/chats', { schema: { body: NewChatBody } }, async ({ body }) => {
      const { type, title, username, private: isPrivate } = body;
      if (type === 'bot') {
        const { chat_id, link, token } = created(await emulator.createBot({ title, username }));
        return { chat_id, link, token };
      }
      const channel = { type, title, username, isPrivate, adminBotId: options.adminBotId };
      const { chat_id, link } = created(await emulator.createChannel(channel));
      return { chat_id, link };
    });

    app.post('/users', { schema: { body: NewUserBody } }, async ({ body }) => {
      const { birthdate, photos, gifts, audios, ...user } = body;
      return created(
        await emulator.createUser({
          ...user,
          birthdate: parseBirthdate(birthdate),
          photos: photos === undefined ? undefined : Number(photos),
          gifts: gifts === undefined ? undefined : Number(gifts),
          audios: audios === undefined ? undefined : Number(audios),
        }),
      );
    });

    const member = '/chats/:chat_id/members/:user_id';
    app.put(member, { schema: { params: ChatMemberParams, querystring: JoinQuery } }, async (request, reply) => {
      const { chat_id, user_id } = request.params;
      const { silent, status, anonymous, invite_link: inviteLink, by } = request.query;
      const joining = {
        silent: isTrue(silent),
        status,
        anonymous: isTrue(anonymous),
        inviteLink,
        by: by === undefined ? undefined : Number(by),
      };
      return noContent(reply, await emulator.join(Number(chat_id), Number(user_id), joining));
    });
    app.delete(member, { schema: { params: ChatMemberParams, querystring: LeaveQuery } }, async (request, reply) => {
      const { chat_id, user_id } = request.params;
      const { silent, status, by } = request.query;
      const leaving = { silent: isTrue(silent), status, by: by === undefined ? undefined : Number(by) };
      return noContent(reply, await emulator.leave(Number(chat_id), Number(user_id), leaving));
    });
    const joinRequest = '/chats/:chat_id/join-requests/:user_id';
    app.put(joinRequest, { schema: { params: ChatMemberParams } }, async (request, reply) => {
      const { chat_id, user_id } = request.params;
      return noContent(reply, await emulator.requestJoin(Number(chat_id), Number(user_id)));
    });

    app.post('/faults', { schema: { body: NewFaultBody } }, async (request, reply) => {
      await emulator.setFault(request.body);
      return reply.code(204).send();
    });

    const messages = '/persons/:user_id/messages';
    app.post(messages, { schema: { params: PersonParams, body: PersonMessage } }, async (request, reply) => {
      const { bot, text, forward_from: from, forward_from_name: fromName } = request.body;
      const forwarded = { from, fromName };
      const outcome = await emulator.personSends(Number(request.params.user_id), bot, text, forwarded);
      if (outcome === 'bot_not_found') throw botNotFound(bot);
      if (outcome === 'author_not_found')
        throw new ApiError('chat_not_found', `Nobody is called ${from} in the sandbox`);
      return reply.code(204).send();
    });
    app.get(messages, { schema: { params: PersonParams, querystring: SeenQuery } }, async ({ params, query }) => {
      const conversation = await emulator.messagesSeenBy(Number(params.user_id), query.bot);
      if (!conversation) throw botNotFound(query.bot);
      return conversation;
    });
    app.put('/chats/:chat_id/username', { schema: { params: ChatParams, body: RenamingBody } }, async (request) =>
      created(await emulator.renameChannel(Number(request.params.chat_id), request.body.username)),
    );
    app.delete('/chats/:chat_id/invite-links', { schema: { params: ChatParams } }, async (request, reply) => {
      await emulator.revokeLinks(Number(request.params.chat_id));
      return reply.code(204).send();
    });
    const migration = '/chats/:chat_id/migration';
    app.post(migration, { schema: { params: ChatParams, querystring: MigrationQuery } }, async ({ params, query }) => {
      const moved = await emulator.migrateGroup(Number(params.chat_id), { silent: isTrue(query.silent) });
      if (moved === 'chat_not_found') throw new ApiError('chat_not_found', 'No such basic group in the sandbox');
      return { chat_id: moved };
    });
    const groupMessages = '/chats/:chat_id/messages';
    app.post(groupMessages, { schema: { params: ChatParams, body: GroupMessageBody } }, async (request, reply) => {
      const { user_id: userId, text } = request.body;
      const outcome = await emulator.writeInGroup(Number(request.params.chat_id), { userId, text });
      if (outcome === 'chat_not_found') throw new ApiError('chat_not_found', 'No such group in the sandbox');
      return reply.code(204).send();
    });
    app.get(groupMessages, { schema: { params: ChatParams, querystring: SeenQuery } }, async ({ params, query }) => {
      const conversation = await emulator.messagesSeenBy(Number(params.chat_id), query.bot);
      if (!conversation) throw botNotFound(query.bot);
      return { messages: conversation.messages };
    });
    const presses = '/persons/:user_id/presses';
    app.post(presses, { schema: { params: PersonParams, body: ButtonPress } }, async (request, reply) => {
      const { bot, ...press } = request.body;
      const outcome = await emulator.personPresses(Number(request.params.user_id), bot, press);
      if (outcome === 'bot_not_found') throw botNotFound(bot);
      if (outcome === 'button_not_found') {
        const wish = 'button' in press ? `No button says “${press.button}”` : 'No message has buttons';
        throw new ApiError('button_not_found', wish);
      }
      if (outcome === 'chat_not_suitable') {
        throw new ApiError(
          'chat_not_found',
          'The button asks for a chat of another kind, or the person has no rights in it',
        );
      }
      return reply.code(204).send();
    });

    app.get('/inbox', { schema: { querystring: InboxQuery } }, async ({ query }) => ({
      deliveries: await inbox.list(query.name),
    }));
    await app.register(async (scope) => catchDeliveries(scope, inbox));
  };
}

/** Takes any content type and keeps the body as it came: a signature is made over those very bytes. */
function catchDeliveries(scope: FastifyInstance, inbox: Inbox): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_DELIVERY_BYTES }, keepText);
  scope.post<{ Params: { name: string }; Querystring: { status?: string; delay_ms?: string } }>(
    '/inbox/:name',
    { schema: { params: InboxParams, querystring: DeliveryQuery } },
    async (request, reply) => {
      const { status, delay_ms: delayMs } = request.query;
      const body = typeof request.body === 'string' ? request.body : '';
      await inbox.record(request.params.name, request.headers, body);
      if (delayMs !== undefined) await sleep(Number(delayMs));
      return reply.code(status === undefined ? 204 : Number(status)).send();
    },
  );
}

const keepText = async (_: FastifyRequest, body: string): Promise<string> => body;

function created<T>(result: Created<T>): T {
  if (!result.ok) throw new ApiError('conflict', result.message);
  return result.value;
}

function noContent(reply: FastifyReply, outcome: MembershipOutcome): FastifyReply {
  if (outcome === 'chat_not_found') throw new ApiError('chat_not_found', 'No such chat in the sandbox');
  return reply.code(204).send();
}

function botNotFound(username: string): ApiError {
  return new ApiError('bot_not_found', `No bot is called ${username} in the sandbox`);
}

const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';
