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
  OwnChatBody,
  OwnChatBotParams,
  PersonMessage,
  PersonParams,
  RenamingBody,
  SeenQuery,
  UserChangesBody,
} from './telegram/control-schemas.ts';
import type { Emulator, MembershipOutcome } from './telegram/index.ts';

/** The service posts at most this much to the webhook catcher. */
const MAX_DELIVERY_BYTES = 1024 * 1024;

export interface ControlOptions {
  /** The service's bot, which becomes an administrator of every new channel. */
  readonly adminBotId?: number | undefined;
}

/** The control endpoints of the emulated Telegram. Mounted under `/sandbox`. */
export function telegramControlRoutes(
  emulator: Emulator,
  inbox: Inbox,
  { adminBotId }: ControlOptions = {},
): FastifyPluginAsyncTypebox {
  return async (app) => {
    chatRoutes(app, emulator, adminBotId);
    personRoutes(app, emulator);
    app.post('/faults', { schema: { body: NewFaultBody } }, async (request, reply) => {
      await emulator.setFault(request.body);
      return reply.code(204).send();
    });
    app.get('/inbox', { schema: { querystring: InboxQuery } }, async ({ query }) => ({
      deliveries: await inbox.list(query.name),
    }));
    await app.register(async (scope) => catchDeliveries(scope, inbox));
  };
}

type ControlApp = Parameters<FastifyPluginAsyncTypebox>[0];

function chatRoutes(app: ControlApp, emulator: Emulator, adminBotId: number | undefined): void {
  app.post('/chats', { schema: { body: NewChatBody } }, async ({ body }) => {
    const { type, title, username, private: isPrivate } = body;
    if (type === 'bot') {
      const { chat_id, link, token } = await emulator.createBot({ title, username });
      return { chat_id, link, token };
    }
    const { chat_id, link } = await emulator.createChannel({ type, title, username, isPrivate, adminBotId });
    return { chat_id, link };
  });

  const member = '/chats/:chat_id/members/:user_id';
  app.put(member, { schema: { params: ChatMemberParams, querystring: JoinQuery } }, async ({ params, query }, reply) =>
    noContent(
      reply,
      await emulator.join(Number(params.chat_id), Number(params.user_id), {
        silent: isTrue(query.silent),
        status: query.status,
        anonymous: isTrue(query.anonymous),
        inviteLink: query.invite_link,
        by: numberOf(query.by),
      }),
    ),
  );
  app.delete(member, { schema: { params: ChatMemberParams, querystring: LeaveQuery } }, async (request, reply) => {
    const { params, query } = request;
    const options = { silent: isTrue(query.silent), status: query.status, by: numberOf(query.by) };
    return noContent(reply, await emulator.leave(Number(params.chat_id), Number(params.user_id), options));
  });
  const joinRequest = '/chats/:chat_id/join-requests/:user_id';
  app.put(joinRequest, { schema: { params: ChatMemberParams } }, async ({ params }, reply) =>
    noContent(reply, await emulator.requestJoin(Number(params.chat_id), Number(params.user_id))),
  );

  app.put('/chats/:chat_id/username', { schema: { params: ChatParams, body: RenamingBody } }, (request) =>
    emulator.renameChannel(Number(request.params.chat_id), request.body.username),
  );
  app.delete('/chats/:chat_id/invite-links', { schema: { params: ChatParams } }, async (request, reply) => {
    await emulator.revokeLinks(Number(request.params.chat_id));
    return reply.code(204).send();
  });
  const migration = '/chats/:chat_id/migration';
  app.post(migration, { schema: { params: ChatParams, querystring: MigrationQuery } }, async ({ params, query }) => {
    const chatId = await emulator.migrateGroup(Number(params.chat_id), { silent: isTrue(query.silent) });
    if (chatId === 'chat_not_found') throw new ApiError('chat_not_found', 'No such basic group in the sandbox');
    return { chat_id: chatId };
  });

  const messages = '/chats/:chat_id/messages';
  app.post(messages, { schema: { params: ChatParams, body: GroupMessageBody } }, async ({ params, body }, reply) => {
    const message = { userId: body.user_id, text: body.text };
    const outcome = await emulator.writeInGroup(Number(params.chat_id), message);
    if (outcome === 'chat_not_found') throw new ApiError('chat_not_found', 'No such group in the sandbox');
    return reply.code(204).send();
  });
  app.get(messages, { schema: { params: ChatParams, querystring: SeenQuery } }, async ({ params, query }) => {
    const conversation = await emulator.messagesSeenBy(Number(params.chat_id), query.bot);
    if (!conversation) throw botNotFound(query.bot);
    return { messages: conversation.messages };
  });
}

function personRoutes(app: ControlApp, emulator: Emulator): void {
  app.post('/users', { schema: { body: NewUserBody } }, async ({ body }) => emulator.createUser(body));

  app.patch('/users/:user_id', { schema: { params: PersonParams, body: UserChangesBody } }, async (request, reply) => {
    await emulator.editUser(Number(request.params.user_id), request.body);
    return reply.code(204).send();
  });

  const ownChats = '/persons/:user_id/chats';
  app.get(ownChats, { schema: { params: PersonParams } }, async ({ params }) => ({
    chats: await emulator.chatsOf(Number(params.user_id)),
  }));
  app.post(ownChats, { schema: { params: PersonParams, body: OwnChatBody } }, async ({ params, body }) => {
    const { private: isPrivate, ...chat } = body;
    const { chat_id, link } = await emulator.createChannel({ ...chat, isPrivate, ownerId: Number(params.user_id) });
    return { chat_id, link };
  });
  for (const [method, isAdded] of [['PUT', true] as const, ['DELETE', false] as const]) {
    app.route({
      method,
      url: `${ownChats}/:chat_id/bots/:bot`,
      schema: { params: OwnChatBotParams },
      async handler({ params: { user_id, chat_id, bot } }, reply) {
        const change = { userId: Number(user_id), chatId: Number(chat_id), bot, isAdded };
        const outcome = await emulator.setBotOfPerson(change);
        if (outcome === 'bot_not_found') throw botNotFound(bot);
        if (outcome === 'chat_not_found') throw new ApiError('chat_not_found', 'The person has no rights in this chat');
        return reply.code(204).send();
      },
    });
  }

  const messages = '/persons/:user_id/messages';
  app.post(messages, { schema: { params: PersonParams, body: PersonMessage } }, async ({ params, body }, reply) => {
    const { bot, text, forward_from: from, forward_from_name: fromName } = body;
    const outcome = await emulator.personSends(Number(params.user_id), bot, text, { from, fromName });
    if (outcome === 'bot_not_found') throw botNotFound(bot);
    if (outcome === 'author_not_found')
      throw new ApiError('chat_not_found', `No account is called ${from} in the sandbox`);
    return reply.code(204).send();
  });
  app.get(messages, { schema: { params: PersonParams, querystring: SeenQuery } }, async ({ params, query }) => {
    const conversation = await emulator.messagesSeenBy(Number(params.user_id), query.bot);
    if (!conversation) throw botNotFound(query.bot);
    return conversation;
  });

  const presses = '/persons/:user_id/presses';
  app.post(presses, { schema: { params: PersonParams, body: ButtonPress } }, async ({ params, body }, reply) => {
    const { bot, ...press } = body;
    const outcome = await emulator.personPresses(Number(params.user_id), bot, press);
    if (outcome === 'bot_not_found') throw botNotFound(bot);
    if (outcome === 'button_not_found') {
      const reason = 'button' in press ? `No button says “${press.button}”` : 'No message has buttons';
      throw new ApiError('button_not_found', reason);
    }
    if (outcome === 'chat_not_suitable') {
      const reason = 'The button asks for a chat of another kind, or the person has no rights in it';
      throw new ApiError('chat_not_found', reason);
    }
    return reply.code(204).send();
  });
}

/** Accepts any content type and stores the raw body, because a signature covers exactly these bytes. */
function catchDeliveries(scope: FastifyInstance, inbox: Inbox): void {
  scope.removeAllContentTypeParsers();
  const keepText = async (_: FastifyRequest, body: string): Promise<string> => body;
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

function noContent(reply: FastifyReply, outcome: MembershipOutcome): FastifyReply {
  if (outcome === 'chat_not_found') throw new ApiError('chat_not_found', 'No such chat in the sandbox');
  return reply.code(204).send();
}

function botNotFound(username: string): ApiError {
  return new ApiError('bot_not_found', `No bot is called ${username} in the sandbox`);
}

const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';

const numberOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));
