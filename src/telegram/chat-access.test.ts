import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ok,
  refuse,
  type Scripted,
  type ScriptedBotApi,
  startScriptedBotApi,
} from '../../test/support/scripted-bot-api.ts';
import type { Queryable } from '../core/database.ts';
import { createBotApi } from './bot-api.ts';
import { inspectChat } from './chat-access.ts';
import type { CheckerBots } from './checker-bots.ts';

const [OUR_BOT, OWNER, OTHER] = [7, 11, 12];
const CHAT = { id: -1_001, type: 'supergroup', title: 'Club' };
const user = (id: number, is_bot = false) => ({ id, is_bot, first_name: 'Somebody' });
const US = { status: 'administrator', user: user(OUR_BOT, true), can_invite_users: true };
const OTHER_ADMINISTRATOR = { status: 'administrator', user: user(OTHER) };

let telegram: ScriptedBotApi;
before(async () => {
  telegram = await startScriptedBotApi();
});
after(() => telegram.close());

async function inspect(...answers: Scripted[]): Promise<string> {
  telegram.answer(ok(CHAT), ...answers);
  const api = createBotApi({ apiRoot: () => telegram.root, token: `${OUR_BOT}:token` });
  const bots = { active: () => [], apiOf: () => api.service, idOf: () => OUR_BOT } as unknown as CheckerBots;
  return (await inspectChat({ bots, db: {} as Queryable }, CHAT.id, OWNER)).kind;
}

test('a listed administrator needs no second call', async () => {
  assert.equal(await inspect(ok([US, { status: 'creator', user: user(OWNER), is_anonymous: true }])), 'ready');
  assert.deepEqual(
    telegram.calls.map(({ method }) => method),
    ['getChat', 'getChatAdministrators'],
  );
});

test('an anonymous administrator who is not listed is found by a second call', async () => {
  const listed = ok([US, OTHER_ADMINISTRATOR]);
  const owner = ok({ status: 'creator', user: user(OWNER), is_anonymous: true });
  assert.equal(await inspect(listed, owner), 'ready');
  assert.deepEqual(telegram.calls.at(-1)?.params, { chat_id: CHAT.id, user_id: OWNER });
});

test('a person who is not an administrator may not advertise the chat', async () => {
  const listed = ok([US, OTHER_ADMINISTRATOR]);
  assert.equal(await inspect(listed, ok({ status: 'member', user: user(OWNER) })), 'not_yours');
  assert.equal(await inspect(listed, ok({ status: 'left', user: user(OWNER) })), 'not_yours');
  assert.equal(await inspect(listed, refuse(400, 'Bad Request: PARTICIPANT_ID_INVALID')), 'not_yours');
});

test('an outage of Telegram neither refuses nor admits a person', async () => {
  const listed = ok([US, OTHER_ADMINISTRATOR]);
  assert.equal(await inspect(listed, { status: 502, raw: 'Bad Gateway' }), 'unavailable');
});
