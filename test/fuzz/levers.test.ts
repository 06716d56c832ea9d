import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import * as world from '../../src/sandbox/exchange-schemas.ts';
import * as control from '../../src/sandbox/telegram/control-schemas.ts';
import { useService } from '../api/use-service.ts';
import { assertBooks } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import { createResponseChecker } from './check-response.ts';
import { makeRequests, type Operation, REQUESTS, SEED } from './make-requests.ts';
import type { Schema } from './mutate.ts';
import { sendAll } from './send-requests.ts';

const service = useService();
const asSchema = (schema: TSchema): Schema => schema as Schema;

const BOT_METHODS = [
  ...['getMe', 'getUpdates', 'setWebhook', 'deleteWebhook', 'getWebhookInfo', 'getChat', 'getChatMember'],
  ...['getChatMemberCount', 'getChatAdministrators', 'createChatInviteLink', 'approveChatJoinRequest'],
  ...['declineChatJoinRequest', 'getUserProfilePhotos', 'getUserProfileAudios', 'getUserGifts', 'sendMessage'],
  ...['sendPhoto', 'sendChatAction', 'answerCallbackQuery', 'editMessageText', 'editMessageCaption'],
  ...['editMessageMedia', 'editMessageReplyMarkup', 'deleteMessage', 'setMyCommands', 'getMyCommands'],
  ...['deleteMyCommands', 'setMyName', 'getMyName', 'setChatMenuButton', 'getChatMenuButton'],
  ...['setMyDescription', 'getMyDescription', 'setMyShortDescription', 'getMyShortDescription'],
];

/** Parameters of the Bot API. `timeout` is left out, because getUpdates would wait that long. */
const botCall: Schema = {
  properties: Object.fromEntries(
    [
      ...['chat_id', 'user_id', 'from_chat_id', 'message_id', 'text', 'caption', 'photo', 'parse_mode', 'reply_markup'],
      ...['callback_query_id', 'url', 'secret_token', 'commands', 'menu_button', 'offset', 'limit', 'allowed_updates'],
      ...['name', 'expire_date', 'member_limit', 'creates_join_request', 'action', 'invite_link', 'show_alert'],
      ...['language_code', 'scope', 'description', 'short_description'],
    ].map((name) => [name, {}]),
  ),
};

/** Returns the operations that the OpenAPI document does not list: pages, sign-in endpoints and control endpoints. */
async function operations(): Promise<Operation[]> {
  const { sandbox } = service;
  const { chatId, orderId } = await sandbox.advertise();
  const { token } = await sandbox.publisher({ beta: true });
  const link = (await sandbox.api(token, 'links', { url: 'https://example.com/' })).body;
  const { management_bot: bot } = await sandbox.control('GET', '/state');
  const known = {
    chat_id: String(chatId),
    user_id: String(freshUser()),
    order_id: String(orderId),
    code: String(link.code),
  };
  const lever = (method: string, path: string, body?: TSchema, query: readonly string[] = []): Operation => ({
    method,
    path: `/sandbox${path}`,
    body: body && asSchema(body),
    query,
    known,
  });
  const advertised = await sandbox.control('POST', '/chats', { type: 'bot', title: 'A bot' });
  const initData = {
    type: 'object',
    properties: { init_data: { type: 'string' }, platform: { type: 'string' } },
  } as const;
  return [
    { method: 'GET', path: '/l/{code}', query: ['t', 'consent', 'x'], known },
    { method: 'GET', path: '/app', query: ['tgWebAppStartParam', 'startapp'] },
    { method: 'POST', path: '/app/visit', body: initData },
    {
      method: 'POST',
      path: '/app/check',
      body: { ...initData, properties: { ...initData.properties, challenge: {}, consent: {}, device: {} } },
    },
    { method: 'GET', path: '/privacy' },
    { method: 'GET', path: '/statistic', query: ['api_token', 'action', 'bot_id', 'order_id', 'output_format'] },
    { method: 'GET', path: '/metrics' },
    { method: 'GET', path: '/openapi.json' },
    { method: 'GET', path: '/llms.txt' },
    { method: 'GET', path: '/', query: ['x'] },
    { method: 'GET', path: '/{anything}', query: ['x'] },
    { method: 'GET', path: '/console', query: ['next', 'format', 'table', 'before'] },
    { method: 'GET', path: '/console/{page}', query: ['next', 'format', 'table', 'before'] },
    { method: 'GET', path: '/console/enter', query: ['code', 'next'] },
    { method: 'POST', path: '/console/enter', body: { properties: { code: {}, next: {}, csrf: {} } } },
    { method: 'POST', path: '/console/app', body: { properties: { init_data: {}, next: {}, csrf: {} } } },
    { method: 'POST', path: '/console/sign-out', body: { properties: { csrf: {} } } },
    lever('GET', '', undefined, ['lang']),
    lever('GET', '/state'),
    lever('POST', '/accounts', world.NewAccountBody),
    lever('POST', '/bots', world.NewBotBody),
    lever('POST', '/orders', world.NewOrderBody),
    lever('POST', '/orders/{order_id}/pause'),
    lever('POST', '/orders/{order_id}/resume'),
    lever('POST', '/profiles/{user_id}', world.ProfileBody),
    lever('POST', '/signals/{user_id}', world.SignalBody),
    lever('GET', '/ledger', undefined, ['x']),
    lever('POST', '/chats', control.NewChatBody),
    lever('POST', '/users', control.NewUserBody),
    lever('PATCH', '/users/{user_id}', control.UserChangesBody),
    lever('POST', '/persons/{user_id}/chats', control.OwnChatBody),
    lever('PUT', '/persons/{user_id}/chats/{chat_id}/bots/sponsorgate_bot'),
    lever('DELETE', '/persons/{user_id}/chats/{chat_id}/bots/sponsorgate_bot'),
    lever('PUT', '/chats/{chat_id}/members/{user_id}', undefined, ['status', 'invite_link', 'by']),
    lever('DELETE', '/chats/{chat_id}/members/{user_id}', undefined, ['status', 'by']),
    lever('PUT', '/chats/{chat_id}/join-requests/{user_id}'),
    lever('POST', '/persons/{user_id}/messages', control.PersonMessage),
    lever('GET', '/persons/{user_id}/messages', undefined, ['bot']),
    lever('POST', '/persons/{user_id}/presses', {
      anyOf: [],
      properties: { bot: { const: bot }, data: {} },
    } as TSchema),
    lever('GET', '/inbox', undefined, ['name']),
    { method: 'POST', path: '/sandbox/inbox/{name}', query: ['status'], body: { properties: { x: {} } } },
    { method: 'POST', path: '/sandbox/telegram/bot{token}/{method}', body: botCall },
    ...BOT_METHODS.map(
      (method): Operation => ({
        method: 'POST',
        path: `/sandbox/telegram/bot${advertised.token}/${method}`,
        body: botCall,
        query: ['chat_id', 'user_id'],
      }),
    ),
  ];
}

test('every page, sign-in and control endpoint responds to any input in time, never with 500 and never with internals', async () => {
  const { sandbox, database } = service;
  const { token } = await sandbox.publisher();
  // No table name is allowed here as a word of the API.
  const checker = await createResponseChecker(database);
  const problems: string[] = [];
  for (const [index, operation] of (await operations()).entries()) {
    const requests = makeRequests(operation, token, REQUESTS, SEED * 20_000 + index);
    // Control endpoints for joins, leaves and messages return when the service has handled the update, or after five
    // seconds.
    for (const response of await sendAll(service.url, requests, {
      limitMs: operation.path.startsWith('/sandbox') ? 15_000 : 5_000,
    })) {
      const problem = checker.findProblem(response);
      if (problem !== undefined) problems.push(problem);
    }
  }
  assert.deepEqual(problems, [], `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`);

  assert.equal((await sandbox.call('GET', '/api/v1/health')).body.status, 'ok');
  await sandbox.assertBalanced();
  await assertBooks(database.url);
});
