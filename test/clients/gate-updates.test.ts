import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bot, type Context } from 'grammy';
import type { Message, Update, User, UserFromGetMe } from 'grammy/types';
import { type SponsorGateOptions, sponsorGate, TEXTS } from '../../clients/grammy/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually, gate } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { type CountingClient, countingClient, deadClient } from './gated-bot.ts';

/**
 * Tests with updates that the sandbox cannot create (groups, payments, concurrent ones). They pass them to the bot
 * directly.
 */
const service = useService();
const { en } = TEXTS;
const GROUP = { id: -1_001_234_567_890, type: 'supergroup' as const, title: 'Neighbours' };
const BOT_INFO: UserFromGetMe = {
  id: 42,
  is_bot: true,
  first_name: 'Gated',
  username: 'gated_bot',
  can_join_groups: true,
  can_read_all_group_messages: true,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
} as UserFromGetMe;

interface Sent {
  readonly method: string;
  readonly payload: Record<string, unknown>;
}

function build(options: SponsorGateOptions<Context>) {
  const bot = new Bot('42:a-token', { botInfo: BOT_INFO });
  const sent: Sent[] = [];
  const through: number[] = [];
  bot.api.config.use((_previous, method, payload) => {
    sent.push({ method, payload: payload as Record<string, unknown> });
    return Promise.resolve({ ok: true, result: true as never });
  });
  bot.use(sponsorGate(options));
  bot.use((ctx) => void through.push(ctx.update.update_id));
  const methods = (): string[] => sent.map(({ method }) => method);
  return { bot, sent, methods, through };
}

let lastUpdate = 0;
const user = (): User => ({ id: freshUser(), is_bot: false, first_name: 'Ann', language_code: 'en' });

function message(from: User, fields: Partial<Message> = { text: 'hello' }, inGroup = false): Update {
  lastUpdate += 1;
  const chat = inGroup ? GROUP : { id: from.id, type: 'private' as const, first_name: from.first_name };
  return {
    update_id: lastUpdate,
    message: { message_id: lastUpdate, date: 1_767_225_600, from, chat, ...fields } as Message & Update.NonChannel,
  };
}

function press(from: User, data: string): Update {
  lastUpdate += 1;
  const list = message(from, { text: 'list' }, true).message;
  return {
    update_id: lastUpdate,
    callback_query: { id: String(lastUpdate), from, chat_instance: '1', data, ...(list && { message: list }) },
  };
}

async function sponsored(): Promise<CountingClient> {
  await service.sandbox.advertise({ title: 'City news' });
  const { token } = await service.sandbox.publisher();
  return countingClient(service.url, token);
}

test('the gate ignores groups by default', async () => {
  const client = await sponsored();
  const { bot, sent, through } = build({ client });
  const update = message(user(), { text: 'hello' }, true);
  await bot.handleUpdate(update);
  assert.deepEqual([through, sent, client.asked], [[update.update_id], [], []]);
});

test('in a group the list names the member, appears once a minute, and the service gets the id of the group', async () => {
  const client = await sponsored();
  const chats: unknown[] = [];
  const noting: CountingClient = {
    ...client,
    getSponsors(body, options) {
      chats.push(body.chat_id);
      return client.getSponsors(body, options);
    },
  };
  let now = 0;
  const { bot, sent, methods, through } = build({ client: noting, groups: true, now: () => now });
  const ann = user();
  const first = message(ann, { text: 'one' }, true);
  for (const update of [first, message(ann, { text: 'two' }, true)]) await bot.handleUpdate(update);
  assert.deepEqual(methods(), ['sendMessage']);
  assert.equal(sent[0]?.payload.text, `Ann: ${en.prompt}`);
  assert.deepEqual(sent[0]?.payload.reply_parameters, {
    message_id: first.message?.message_id,
    allow_sending_without_reply: true,
  });
  assert.deepEqual(chats, [GROUP.id, GROUP.id]);
  now = 60_000;
  await bot.handleUpdate(message(ann, { text: 'three' }, true));
  await bot.handleUpdate(message(user(), { text: 'four' }, true));
  assert.deepEqual([methods().length, through], [3, []]);
});

test("a member cannot press another member's button, and forged button data grants no access", async () => {
  const client = await sponsored();
  const { bot, sent, through } = build({ client, groups: true });
  const [ann, bob] = [user(), user()];
  const foreign = press(bob, `sponsorgate:${ann.id}`);
  await bot.handleUpdate(foreign);
  const { id } = foreign.callback_query ?? {};
  assert.deepEqual(sent.at(-1)?.payload, { callback_query_id: id, text: en.notYours, show_alert: true });
  assert.deepEqual(client.asked, []);
  await bot.handleUpdate(press(bob, `sponsorgate:${bob.id}`));
  assert.deepEqual([client.asked, client.confirmed.length, through], [[bob.id], 1, []]);
});

test('two concurrent messages cause one request and one sponsor list', async () => {
  const client = await sponsored();
  const barrier = gate();
  const slow: CountingClient = {
    ...client,
    async getSponsors(body, options) {
      const answer = await client.getSponsors(body, options);
      await barrier.promise;
      return answer;
    },
  };
  const { bot, methods, through } = build({ client: slow });
  const ann = user();
  const both = [bot.handleUpdate(message(ann)), bot.handleUpdate(message(ann))];
  barrier.open();
  await Promise.all(both);
  assert.deepEqual([client.asked, methods(), through], [[ann.id], ['sendMessage'], []]);
});

test('two presses at once are confirmed once, and both get a response', async () => {
  const client = await sponsored();
  const { bot, methods } = build({ client, groups: true });
  const ann = user();
  const data = `sponsorgate:${ann.id}`;
  await Promise.all([bot.handleUpdate(press(ann, data)), bot.handleUpdate(press(ann, data))]);
  assert.equal(client.confirmed.length, 1);
  assert.deepEqual(methods().sort(), ['answerCallbackQuery', 'answerCallbackQuery', 'editMessageReplyMarkup']);
});

test('payments, service messages, channels, bots and other kinds of updates bypass the gate', async () => {
  const client = deadClient();
  const { bot, sent, through } = build({ client, groups: true, onUnavailable: 'closed' });
  const ann = user();
  const payment = { currency: 'XTR', total_amount: 1, invoice_payload: 'p', telegram_payment_charge_id: '1' };
  const updates: Update[] = [
    message(ann, { successful_payment: { ...payment, provider_payment_charge_id: '2' } }),
    message(ann, { new_chat_members: [ann] }, true),
    message({ ...ann, is_bot: true }),
    message(ann, { text: 'in the name of the channel', sender_chat: { id: -1, type: 'channel', title: 'C' } }, true),
    {
      update_id: 900_001,
      pre_checkout_query: { id: '1', from: ann, currency: 'XTR', total_amount: 1, invoice_payload: 'p' },
    },
    { update_id: 900_002, inline_query: { id: '1', from: ann, query: '', offset: '' } },
    {
      update_id: 900_003,
      callback_query: { id: '1', from: ann, chat_instance: '1', data: 'x', inline_message_id: '1' },
    },
    {
      update_id: 900_004,
      channel_post: { message_id: 1, date: 1, chat: { id: -1, type: 'channel', title: 'C' }, text: 'post' } as Message &
        Update.Channel,
    },
  ];
  for (const update of updates) await bot.handleUpdate(update);
  assert.deepEqual([through, sent, client.asked], [updates.map((update) => update.update_id), [], []]);
});

test('messages with any kind of content have to pass the gate', async () => {
  const client = await sponsored();
  const { bot, through } = build({ client });
  const contents: Partial<Message>[] = [
    { photo: [] },
    { voice: { file_id: 'f', file_unique_id: 'u', duration: 1 } },
    { location: { latitude: 0, longitude: 0 } },
    { dice: { emoji: '🎲', value: 1 } },
  ];
  for (const content of contents) await bot.handleUpdate(message(user(), content));
  assert.deepEqual([through, client.asked.length], [[], contents.length]);
});

test('edited messages and inline queries are gated by option only', async () => {
  const client = await sponsored();
  const ann = user();
  const edited = { update_id: 901, edited_message: { ...message(ann).message, edit_date: 1 } } as Update;
  const inline = { update_id: 902, inline_query: { id: '902', from: ann, query: 'cats', offset: '' } } as Update;
  const byDefault = build({ client });
  for (const update of [edited, inline]) await byDefault.bot.handleUpdate(update);
  assert.deepEqual([byDefault.through, byDefault.methods()], [[901, 902], []]);

  const strict = build({ client, updates: ['message', 'edited_message', 'callback_query', 'inline_query'] });
  for (const update of [edited, inline]) await strict.bot.handleUpdate(update);
  assert.deepEqual([strict.through, strict.methods()], [[], ['sendMessage', 'answerInlineQuery']]);
  assert.deepEqual(strict.sent[1]?.payload.results, []);
});

test('a token that the service rejects is reported when the gate is created', async () => {
  const errors: unknown[] = [];
  const client = createClient({ baseUrl: service.url, token: 'at_wrong' });
  build({ client, onError: (error) => void errors.push(error) });
  await eventually('the gate reports the token', () => errors.length === 1);
  assert.match(String(errors[0]), /rejects the token/);
});
