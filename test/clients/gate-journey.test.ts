import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Context } from 'grammy';
import { type GateStorage, type SponsorGateOptions, TEXTS } from '../../clients/grammy/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import {
  type CountingClient,
  countingClient,
  type GatedBot,
  MENU_BUTTON,
  type Person,
  startGatedBot,
} from './gated-bot.ts';

const service = useService();
const bots: GatedBot[] = [];
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop();
});

const { en, ru } = TEXTS;

interface Scene {
  readonly bot: GatedBot;
  readonly client: CountingClient;
  readonly token: string;
  readonly news: { readonly chatId: number; readonly orderId: number };
  readonly quiz: { readonly chatId: number; readonly orderId: number };
}

/** Starts a gated bot of a publisher with two sponsors: a channel and a bot. */
async function open(options: Partial<SponsorGateOptions<Context>> = {}): Promise<Scene> {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const news = await sandbox.advertise({ title: 'City news', price_per_sub: 20 });
  const quiz = await sandbox.advertise({ title: 'Quiz night', type: 'bot', price_per_sub: 10 });
  const client = countingClient(service.url, token);
  const bot = await startGatedBot(sandbox, { client, ...options });
  bots.push(bot);
  return { bot, client, token, news, quiz };
}

const notice = async (person: Person) => (await person.see()).notice;

test("a user who writes gets the sponsors as links and one button, and the bot's handlers do not run", async () => {
  const { bot } = await open();
  const person = await bot.person();
  await person.write('hello');
  const { text, buttons, keyboard } = await person.lastMessage();
  assert.equal(text, en.prompt);
  assert.deepEqual(buttons, [['📢 City news'], ['🤖 Quiz night'], [en.confirmButton]]);
  for (const [button] of keyboard.slice(0, 2)) assert.match(button?.url ?? '', /^https:\/\/t\.me\//);
  assert.equal((await person.see()).messages.length, 2);
});

test('a press before subscribing shows the missing sponsors until none is missing', async () => {
  const { sandbox } = service;
  const { bot, client, token, news, quiz } = await open();
  const person = await bot.person();
  await person.write('hello');

  await person.press(en.confirmButton);
  assert.deepEqual(await notice(person), { text: `${en.missing}\n• City news\n• Quiz night`, show_alert: true });

  await sandbox.join(news.chatId, person.id);
  await person.press(en.confirmButton);
  assert.deepEqual(await notice(person), { text: `${en.missing}\n• Quiz night`, show_alert: true });
  assert.deepEqual((await person.lastMessage()).buttons, [['🤖 Quiz night'], [en.confirmButton]]);

  await sandbox.join(quiz.chatId, person.id);
  await person.press(en.confirmButton);
  assert.deepEqual(await notice(person), { text: en.passed, show_alert: false });
  const seen = await person.see();
  assert.deepEqual(
    seen.messages.slice(1).map((message) => [message.text, message.buttons]),
    [
      [en.passed, []],
      ['You said: hello', []],
    ],
    'the list has become a thank-you, and the held message went on to the bot',
  );
  assert.deepEqual(client.confirmed, [[news.orderId, quiz.orderId], [news.orderId, quiz.orderId], [quiz.orderId]]);
  assert.equal((await createClient({ baseUrl: service.url, token }).getBalance()).hold_balance, 21);

  await person.write('and now?');
  assert.equal((await person.lastMessage()).text, 'You said: and now?');
});

test('the /start of a referral reaches its handler after the gate, also when other messages followed it', async () => {
  const { bot, news, quiz } = await open();
  const person = await bot.person();
  await person.write('/start ref_42');
  await person.write('let me in');
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await person.press(en.confirmButton);
  assert.equal((await person.lastMessage()).text, 'You said: /start ref_42');
  const handled = (await person.see()).messages.filter((message) => message.text === 'You said: /start ref_42');
  assert.equal(handled.length, 1, 'an update is replayed once');
});

test("a press of the bot's own button is replayed after the gate", async () => {
  const { bot, news, quiz } = await open();
  const person = await bot.person();
  await person.write('/menu');
  await person.press(MENU_BUTTON.text);
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await person.press(en.confirmButton);
  assert.equal((await person.lastMessage()).text, `You pressed: ${MENU_BUTTON.callback_data}`);
});

test('with a storage of the bot, a restart keeps passes and held updates', async () => {
  const records = new Map<string, string>();
  const storage: GateStorage = {
    read: async (key) => JSON.parse(records.get(key) ?? 'null') ?? undefined,
    write: async (key, record) => void records.set(key, JSON.stringify(record)),
    delete: async (key) => void records.delete(key),
  };
  const { bot, client, news, quiz } = await open({ storage });
  const person = await bot.person();
  await person.write('/start ref_42');
  const restart = async (): Promise<void> => {
    await bots.pop()?.stop();
    bots.push(await startGatedBot(service.sandbox, { client, storage }, { token: bot.token }));
  };
  await restart();
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await person.press(en.confirmButton);
  assert.equal((await person.lastMessage()).text, 'You said: /start ref_42');
  await restart();
  const asked = client.asked.length;
  await person.write('hello');
  assert.equal((await person.lastMessage()).text, 'You said: hello');
  assert.equal(client.asked.length, asked, 'the pass was read from the storage');
});

test('a storage that fails is reported, and the gate works without it', async () => {
  const errors: unknown[] = [];
  const fail = () => Promise.reject(new Error('the disk is full'));
  const { bot, news, quiz } = await open({
    storage: { read: fail, write: fail, delete: fail },
    onError: (error) => void errors.push(error),
  });
  const person = await bot.person();
  await person.write('hello');
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await person.press(en.confirmButton);
  assert.equal((await person.see()).messages.at(1)?.text, en.passed);
  assert.ok(errors.length > 0);
});

test('all subscriptions are confirmed in one call', async () => {
  const { bot, client, news, quiz } = await open();
  const person = await bot.person();
  await person.write('hello');
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await person.press(en.confirmButton);
  assert.deepEqual(client.confirmed, [[news.orderId, quiz.orderId]]);
});

test('with onPassed the list is deleted and the bot shows the next screen', async () => {
  const { bot, news, quiz } = await open({ onPassed: (ctx) => ctx.reply('Welcome to the club!') });
  const person = await bot.person();
  await person.write('/start');
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await person.press(en.confirmButton);
  const { messages } = await person.see();
  assert.deepEqual(
    messages.map((message) => message.text),
    ['/start', 'Welcome to the club!'],
  );
});

test('Russian users get Russian texts, and custom texts replace both languages', async () => {
  const { bot } = await open({ texts: { confirmButton: 'OK!' } });
  const person = await bot.person({ language_code: 'ru', first_name: 'Анна' });
  await person.write('привет');
  assert.equal((await person.lastMessage()).text, ru.prompt);
  await person.press('OK!');
  assert.match((await notice(person))?.text ?? '', new RegExp(`^${ru.missing}`));
});

test('Ukrainian users get Ukrainian texts', async () => {
  const { bot } = await open();
  const person = await bot.person({ language_code: 'uk' });
  await person.write('вітаю');
  assert.equal((await person.lastMessage()).text, TEXTS.uk.prompt);
});

test("the bot's own buttons are behind the gate: the spinner stops and the sponsors appear", async () => {
  const { bot } = await open();
  const person = await bot.person();
  await person.write('/menu');
  await person.press(MENU_BUTTON.text);
  assert.deepEqual(await notice(person), { text: en.subscribeFirst, show_alert: false });
  const { messages } = await person.see();
  assert.deepEqual(
    messages.map((message) => message.text),
    ['/menu', 'Menu', en.prompt],
  );
});

test('a bot restart between showing the sponsors and the press loses nothing', async () => {
  const { bot, client, news, quiz } = await open();
  const person = await bot.person();
  await person.write('hello');
  for (const { chatId } of [news, quiz]) await service.sandbox.join(chatId, person.id);
  await bots.pop()?.stop();
  bots.push(await startGatedBot(service.sandbox, { client }, { token: bot.token }));
  await person.press(en.confirmButton);
  assert.equal((await person.see()).messages.at(1)?.text, en.passed);
});

test('when the service cannot check the memberships, the user is asked to press again', async () => {
  const { sandbox } = service;
  const { bot, news, quiz } = await open();
  const person = await bot.person();
  await person.write('hello');
  for (const { chatId } of [news, quiz]) await sandbox.join(chatId, person.id, true);
  await sandbox.fault({ mode: 'down', method: 'getChatMember' });
  await person.press(en.confirmButton);
  assert.deepEqual(await notice(person), { text: en.checkLater, show_alert: true });
  await sandbox.fault({ mode: 'none' });
  await person.press(en.confirmButton);
  assert.equal((await notice(person))?.text, en.passed);
});

test('the gate sends the known facts about the user, so that order filters apply', async () => {
  const { sandbox } = service;
  const { bot } = await open();
  await sandbox.pauseAllOrders();
  await sandbox.advertise({ title: 'For Russians', filters: { languages: ['ru'] } });
  await sandbox.advertise({ title: 'For the English', filters: { languages: ['en'] } });
  const person = await bot.person({ language_code: 'en' });
  await person.write('hello');
  assert.deepEqual((await person.lastMessage()).buttons, [['📢 For the English'], [en.confirmButton]]);
});

test('without sponsors the gate is invisible', async () => {
  const { bot } = await open();
  await service.sandbox.pauseAllOrders();
  const person = await bot.person();
  await person.write('hello');
  assert.equal((await person.lastMessage()).text, 'You said: hello');
});
