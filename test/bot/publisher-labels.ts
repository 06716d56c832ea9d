import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Person, type SeenMessage } from '../support/person.ts';
import type { Sandbox } from '../support/sandbox.ts';

/** Button labels and texts of the publisher's screens, in both languages. */
const RU = {
  language: 'ru',
  myBots: 'Мои боты',
  addBot: 'Добавить бота',
  byToken: 'По токену',
  byForward: 'Пересылкой',
  anotherCode: 'Другой код',
  cancel: 'Отмена',
  back: 'Назад',
  yes: 'Да',
  no: 'Нет',
  apiToken: 'API-токен',
  create: 'Создать токен',
  renew: 'Перевыпустить',
  atOnce: 'Сразу',
  inADay: 'Через 24 часа',
  saved: 'Токен сохранён',
  settings: 'Настройки',
  statistics: 'Статистика',
  month: '30 дней',
  integration: 'Интеграция',
  why: 'Почему нет заданий?',
  switchOff: 'Выключить',
  switchOn: 'Включить',
  nextStep: /Остался один шаг: получите API-токен/,
  noToken: /Токена ещё нет/,
  emptyList: /Ботов пока нет/,
  notKept: /токен не сохраним/,
};

export type Labels = typeof RU;

const EN: Labels = {
  language: 'en',
  myBots: 'My bots',
  addBot: 'Add a bot',
  byToken: 'By token',
  byForward: 'By forwarding',
  anotherCode: 'Another code',
  cancel: 'Cancel',
  back: 'Back',
  yes: 'Yes',
  no: 'No',
  apiToken: 'API token',
  create: 'Create token',
  renew: 'Regenerate',
  atOnce: 'At once',
  inADay: 'In 24 hours',
  saved: 'I have saved it',
  settings: 'Settings',
  statistics: 'Statistics',
  month: '30 days',
  integration: 'Integration',
  why: 'Why no tasks?',
  switchOff: 'Switch off',
  switchOn: 'Switch on',
  nextStep: /One step is left: get its API token/,
  noToken: /There is no token yet/,
  emptyList: /No bots yet/,
  notKept: /do not keep the token/,
};

export const LANGUAGES: readonly Labels[] = [RU, EN];

/** Creates a person who has started the bot. */
export async function arrive(sandbox: Sandbox, labels: Labels): Promise<Person> {
  const person = await Person.arrive(sandbox, { language_code: labels.language });
  await person.say('/start');
  return person;
}

export interface TelegramBot {
  readonly username: string;
  readonly token: string;
}

/** Creates a Telegram bot that is not registered with the service. */
export async function newTelegramBot(sandbox: Sandbox): Promise<TelegramBot> {
  const username = `quiz_${randomBytes(5).toString('hex')}_bot`;
  const { token } = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Quiz', username });
  return { username, token };
}

/** Creates a person who has added a bot and has its page open. */
export async function publisherWithBot(
  sandbox: Sandbox,
  labels: Labels,
): Promise<{ person: Person; bot: TelegramBot; botId: number }> {
  const person = await arrive(sandbox, labels);
  const bot = await newTelegramBot(sandbox);
  await person.go(labels.myBots, labels.addBot, labels.byToken);
  await person.say(bot.token);
  return { person, bot, botId: await botIdOf(sandbox, bot.username) };
}

export async function botIdOf(sandbox: Sandbox, username: string): Promise<number> {
  const { bots } = await sandbox.control('GET', '/state');
  const found = bots.find((bot: { bot_username: string }) => bot.bot_username === username);
  assert.ok(found, `the sandbox knows no bot ${username}`);
  return found.bot_id;
}

/** Returns the only token in the message. */
export function tokenIn({ text }: SeenMessage): string {
  const [token, ...others] = new Set(text.match(/at_[\w-]{43}/g) ?? []);
  assert.ok(token !== undefined && others.length === 0, `one token was expected in: ${text}`);
  return token;
}

export const buttonsOf = (menu: SeenMessage): string[] => menu.buttons.flat().map(String);

/** Returns the callback data of the button whose label contains the text. */
export function dataOf(menu: SeenMessage, label: string): string {
  const found = menu.keyboard.flat().find((button) => String(button.text).includes(label));
  assert.ok(typeof found?.callback_data === 'string', `no button ${label}: ${JSON.stringify(menu.buttons)}`);
  return found.callback_data;
}
