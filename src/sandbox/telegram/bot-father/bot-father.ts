import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Transaction } from '../../../core/database.ts';
import type { Html } from '../../../core/html.ts';
import { parseHtml } from '../api/html.ts';
import type { Account, Bot, Context } from '../context.ts';
import { createBotIn, drawToken } from '../create-bots.ts';
import { findEntities } from '../entities.ts';
import type { Announce } from '../events.ts';
import { insertMessage, rewriteMessage, type StoredMarkup, type StoredMessage } from '../messages-store.ts';
import { findPeerId, listOwnedBots, replaceToken } from '../peers-store.ts';
import {
  type BotCommand,
  lengthOf,
  MAX_DESCRIPTION,
  MAX_NAME,
  MAX_SHORT_DESCRIPTION,
  type Setting,
  writeName,
  writeSetting,
} from '../settings-store.ts';
import { type Dialogue, type DialogueCommand, endDialogue, lockDialogue, writeDialogue } from './dialogue-store.ts';
import { type BotFatherTexts, botFatherTextsFor } from './texts.ts';

/** Telegram's own id of BotFather. No process polls for it: the emulator answers its messages. */
export const BOT_FATHER = { id: 93_372_553, username: 'BotFather', title: 'BotFather' };

/** Telegram's limit of bots per person. */
const MAX_BOTS = 20;
const NO_KEYBOARD = { remove_keyboard: true };

/** One person's message to BotFather, or press of its button, in a transaction. */
interface Talk {
  readonly context: Context;
  readonly tx: Transaction;
  readonly announce: Announce;
  readonly person: Account;
}

type BotCommandName = Exclude<DialogueCommand, 'newbot'>;
const BOT_COMMANDS: readonly string[] = [
  'token',
  'revoke',
  'setname',
  'setdescription',
  'setabouttext',
  'setcommands',
] satisfies BotCommandName[];

/** Answers a message to BotFather. */
export async function writeToBotFather(talk: Talk, text: string): Promise<void> {
  const { tx, person } = talk;
  const texts = botFatherTextsFor(person.languageCode);
  const dialogue = await lockDialogue(tx, person.id);
  const command = /^\/(\w+)/.exec(text)?.[1]?.toLowerCase();
  if (command === undefined) {
    if (dialogue === undefined) return say(talk, texts.notUnderstood);
    return dialogue.command === 'newbot'
      ? continueNewBot(talk, texts, dialogue, text.trim())
      : continueWithBot(talk, texts, { ...dialogue, command: dialogue.command }, text.trim());
  }
  await endDialogue(tx, person.id);
  if (command === 'cancel') return say(talk, dialogue ? texts.cancelled : texts.nothingToCancel, NO_KEYBOARD);
  if (command === 'start' || command === 'help') return say(talk, texts.help, NO_KEYBOARD);
  if (command !== 'newbot' && command !== 'mybots' && !BOT_COMMANDS.includes(command)) {
    return say(talk, texts.notUnderstood);
  }
  const bots = await listOwnedBots(tx, person.id, MAX_BOTS);
  if (command === 'newbot') {
    if (bots.length >= MAX_BOTS) return say(talk, texts.tooMany(MAX_BOTS));
    await writeDialogue(tx, person.id, { command, botId: null, name: null });
    return say(talk, texts.askName, NO_KEYBOARD);
  }
  if (bots.length === 0) return say(talk, texts.noBots, NO_KEYBOARD);
  if (command === 'mybots') return say(talk, texts.chooseBot, botList(bots));
  await writeDialogue(tx, person.id, { command: command as BotCommandName, botId: null, name: null });
  const keyboard = bots.map(({ username }) => [{ text: `@${username}` }]);
  return say(talk, texts.chooseBot, { keyboard, resize_keyboard: true, one_time_keyboard: true });
}

async function continueNewBot(talk: Talk, texts: BotFatherTexts, dialogue: Dialogue, text: string): Promise<void> {
  const { context, tx, announce, person } = talk;
  if (dialogue.name === null) {
    if (text === '' || lengthOf(text) > MAX_NAME) return say(talk, texts.badName);
    await writeDialogue(tx, person.id, { ...dialogue, name: text });
    return say(talk, texts.askUsername);
  }
  const username = text.replace(/^@|^(https?:\/\/)?t\.me\//, '');
  if (!/^[a-z][a-z0-9_]{1,28}bot$/i.test(username)) return say(talk, texts.badUsername);
  if ((await findPeerId(tx, username)) !== undefined) return say(talk, texts.takenUsername);
  const title = dialogue.name;
  const { chat_id: id, token } = await createBotIn(tx, { title, username, ownerId: person.id }, context.clock.now());
  announce({ kind: 'bots' });
  await endDialogue(tx, person.id);
  return say(talk, texts.created({ id, token, username, title }));
}

async function continueWithBot(
  talk: Talk,
  texts: BotFatherTexts,
  dialogue: Dialogue & { readonly command: BotCommandName },
  text: string,
): Promise<void> {
  const { tx, person } = talk;
  const name = text.replace(/^@/, '').toLowerCase();
  const bot = (await listOwnedBots(tx, person.id, MAX_BOTS)).find(({ id, username }) =>
    dialogue.botId === null ? username.toLowerCase() === name : id === dialogue.botId,
  );
  if (bot === undefined) return say(talk, texts.wrongBot);
  if (dialogue.botId !== null) {
    const refusal = await changeBot(talk, texts, bot, dialogue.command, text);
    if (refusal !== undefined) return say(talk, refusal);
    await endDialogue(tx, person.id);
    return say(talk, texts.changed(bot), NO_KEYBOARD);
  }
  if (dialogue.command === 'token' || dialogue.command === 'revoke') {
    await endDialogue(tx, person.id);
    const shown = dialogue.command === 'token' ? texts.token(bot) : texts.revoked(await revokeToken(talk, bot));
    return say(talk, shown, NO_KEYBOARD);
  }
  return askValue(talk, texts, bot, dialogue.command);
}

async function askValue(
  talk: Talk,
  texts: BotFatherTexts,
  bot: Bot,
  command: Exclude<BotCommandName, 'token' | 'revoke'>,
): Promise<void> {
  await writeDialogue(talk.tx, talk.person.id, { command, botId: bot.id, name: null });
  const questions = {
    setname: texts.askNewName,
    setdescription: texts.askDescription,
    setabouttext: texts.askAbout,
    setcommands: texts.askCommands,
  };
  return say(talk, questions[command], NO_KEYBOARD);
}

/** Changes one setting for every language. Returns the reason when the text is not accepted. */
async function changeBot(
  { tx, announce }: Talk,
  texts: BotFatherTexts,
  bot: Bot,
  command: BotCommandName,
  text: string,
): Promise<Html | undefined> {
  const write = (setting: Setting, value: unknown) => writeSetting(tx, bot.id, { setting, language: '' }, value);
  if (command === 'setname') {
    if (text === '' || lengthOf(text) > MAX_NAME) return texts.badName;
    await writeName(tx, bot.id, text);
    announce({ kind: 'bots' });
    return undefined;
  }
  if (command === 'setcommands') {
    const commands = readCommands(text);
    if (commands === undefined) return texts.badCommands;
    await write('commands', commands);
    return undefined;
  }
  const [setting, most] =
    command === 'setdescription'
      ? (['description', MAX_DESCRIPTION] as const)
      : (['short_description', MAX_SHORT_DESCRIPTION] as const);
  if (lengthOf(text) > most) return texts.tooLong(most);
  await write(setting, text);
  return undefined;
}

function readCommands(text: string): BotCommand[] | undefined {
  const commands: BotCommand[] = [];
  for (const line of text.split('\n').filter((item) => item.trim() !== '')) {
    const [, command, description] = /^\s*\/?([a-z0-9_]{1,32})\s*-\s*(\S.{0,255})$/u.exec(line.trimEnd()) ?? [];
    if (command === undefined || description === undefined || commands.length >= 100) return undefined;
    commands.push({ command, description });
  }
  return commands.length === 0 ? undefined : commands;
}

async function revokeToken({ tx, announce }: Talk, bot: Bot): Promise<Bot> {
  const token = drawToken(bot.id);
  await replaceToken(tx, bot.id, token);
  announce({ kind: 'bots' });
  return { ...bot, token };
}

const botList = (bots: readonly Bot[]): InlineKeyboardMarkup => ({
  inline_keyboard: bots.map(({ id, username }) => [{ text: `@${username}`, callback_data: `bot/${id}` }]),
});

const botMenu = (texts: BotFatherTexts, { id }: Bot): InlineKeyboardMarkup => ({
  inline_keyboard: [
    [
      { text: texts.showToken, callback_data: `token/${id}` },
      { text: texts.revoke, callback_data: `revoke/${id}` },
    ],
    [{ text: texts.rename, callback_data: `setname/${id}` }],
    [{ text: texts.back, callback_data: 'list' }],
  ],
});

/** Answers a press of a button below `message`, whose text changes. */
export async function pressBotFather(talk: Talk, message: StoredMessage, data: string): Promise<void> {
  const { tx, person } = talk;
  const texts = botFatherTextsFor(person.languageCode);
  const [action, id] = data.split('/');
  const bots = await listOwnedBots(tx, person.id, MAX_BOTS);
  const bot = bots.find((candidate) => String(candidate.id) === id);
  if (bot === undefined) {
    const text = bots.length === 0 ? texts.noBots : texts.chooseBot;
    return rewrite(talk, message, text, bots.length === 0 ? null : botList(bots));
  }
  const back = { inline_keyboard: botMenu(texts, bot).inline_keyboard.slice(-1) };
  if (action === 'token') return rewrite(talk, message, texts.token(bot), back);
  if (action === 'revoke') return rewrite(talk, message, texts.revoked(await revokeToken(talk, bot)), back);
  if (action === 'setname') return askValue(talk, texts, bot, 'setname');
  return rewrite(talk, message, texts.bot(bot), botMenu(texts, bot));
}

async function rewrite({ context, tx }: Talk, { id }: StoredMessage, text: Html, markup: StoredMarkup | null) {
  await rewriteMessage(tx, BOT_FATHER.id, id, { ...formatted(text), markup, photo: null }, context.clock.now());
}

async function say({ context, tx, person }: Talk, text: Html, markup: StoredMarkup | null = null): Promise<void> {
  const message = { botId: BOT_FATHER.id, chatId: person.id, fromPerson: false, photo: null, markup };
  await insertMessage(tx, { ...message, ...formatted(text) }, context.clock.now());
}

/** Commands and addresses in the text become links, as in every message at Telegram. */
function formatted(html: Html) {
  const { text, entities } = parseHtml(html.source);
  const found = findEntities(text).filter(({ offset }) =>
    entities.every((entity) => offset < entity.offset || offset >= entity.offset + entity.length),
  );
  return { text, entities: [...entities, ...found].sort((a, b) => a.offset - b.offset) };
}
