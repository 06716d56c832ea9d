import {
  lengthOf,
  MAX_DESCRIPTION,
  MAX_NAME,
  MAX_SHORT_DESCRIPTION,
  readMenuButton,
  readSetting,
  type Setting,
  writeMenuButton,
  writeName,
  writeSetting,
} from '../settings-store.ts';
import type { Call } from './call.ts';
import { badRequest } from './errors.ts';
import type { Params } from './params.ts';

const MAX_COMMANDS = 100;
const MAX_COMMAND_DESCRIPTION = 256;

export async function setMyCommands({ context, bot, params }: Call): Promise<true> {
  const commands = params.json('commands');
  if (!Array.isArray(commands)) throw badRequest("can't parse BotCommand: commands must be an Array");
  if (commands.length > MAX_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  const checked = (commands as ({ command?: unknown; description?: unknown } | null)[]).map((given) => {
    const { command, description } = given ?? {};
    if (typeof command !== 'string' || !/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
    const isDescribed = typeof description === 'string' && description.trim() !== '';
    if (!isDescribed || lengthOf(description) > MAX_COMMAND_DESCRIPTION) {
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
    }
    return { command, description };
  });
  await writeSetting(context.db, bot.id, commandsKey(params), checked.length === 0 ? undefined : checked);
  return true;
}

/** Returns the list of exactly this scope and language, as at Telegram. */
export async function getMyCommands({ context, bot, params }: Call): Promise<unknown> {
  return (await readSetting(context.db, bot.id, commandsKey(params))) ?? [];
}

export async function deleteMyCommands({ context, bot, params }: Call): Promise<true> {
  await writeSetting(context.db, bot.id, commandsKey(params), undefined);
  return true;
}

const commandsKey = (params: Params) => ({
  setting: 'commands' as const,
  scope: scopeIn(params),
  language: languageIn(params),
});

const CHAT_SCOPES = ['chat', 'chat_administrators', 'chat_member'];

/** Returns the key of a BotCommandScope. The default scope has the empty key. */
function scopeIn(params: Params): string {
  const scope = params.json('scope') ?? { type: 'default' };
  if (typeof scope !== 'object' || scope === null) throw badRequest("can't parse BotCommandScope: expected an Object");
  const { type, chat_id, user_id } = scope as Record<string, unknown>;
  if (type === 'default') return '';
  if (type === 'all_private_chats' || type === 'all_group_chats' || type === 'all_chat_administrators') return type;
  if (!CHAT_SCOPES.includes(String(type))) {
    throw badRequest("can't parse BotCommandScope: unsupported type specified");
  }
  if (!/^(-?\d{1,16}|@\w{1,32})$/.test(String(chat_id))) throw badRequest('chat not found');
  if (type !== 'chat_member') return `${type}:${chat_id}`;
  if (!/^[1-9]\d{0,15}$/.test(String(user_id))) throw badRequest('invalid user_id specified');
  return `${type}:${chat_id}:${user_id}`;
}

function languageIn(params: Params): string {
  const code = params.text('language_code') ?? '';
  if (!/^([a-z]{2})?$/i.test(code)) throw badRequest('invalid language code specified');
  return code.toLowerCase();
}

/** Reads a text for the language of the call, or the one for every language. */
async function readText({ context, bot, params }: Call, setting: Setting): Promise<string> {
  const language = languageIn(params);
  const own = await readSetting(context.db, bot.id, { setting, language });
  const text = own ?? (language === '' ? '' : await readSetting(context.db, bot.id, { setting, language: '' }));
  return typeof text === 'string' ? text : '';
}

async function writeText(call: Call, setting: Setting, most: number, tooLong: string): Promise<true> {
  const { context, bot, params } = call;
  const text = params.text(setting)?.trim() ?? '';
  if (lengthOf(text) > most) throw badRequest(tooLong);
  await writeSetting(context.db, bot.id, { setting, language: languageIn(params) }, text === '' ? undefined : text);
  return true;
}

export const setMyDescription = (call: Call) =>
  writeText(call, 'description', MAX_DESCRIPTION, 'BOT_DESCRIPTION_INVALID');

export const getMyDescription = async (call: Call) => ({ description: await readText(call, 'description') });

export const setMyShortDescription = (call: Call) =>
  writeText(call, 'short_description', MAX_SHORT_DESCRIPTION, 'ABOUT_TOO_LONG');

export const getMyShortDescription = async (call: Call) => ({
  short_description: await readText(call, 'short_description'),
});

/** The name for every language appears in chats and in forwarded messages; `tg_users` stores it. */
export async function setMyName(call: Call): Promise<true> {
  const { context, bot, params } = call;
  if (languageIn(params) !== '') return writeText(call, 'name', MAX_NAME, 'BOT_TITLE_INVALID');
  const name = params.text('name')?.trim() ?? '';
  if (lengthOf(name) > MAX_NAME) throw badRequest('BOT_TITLE_INVALID');
  await context.bus.transact(async (tx, announce) => {
    // Telegram shows the username of a bot without a name.
    await writeName(tx, bot.id, name === '' ? bot.username : name);
    announce({ kind: 'bots' });
  });
  return true;
}

export async function getMyName(call: Call): Promise<{ name: string }> {
  return { name: (await readText(call, 'name')) || call.bot.title };
}

export async function setChatMenuButton({ context, bot, params }: Call): Promise<true> {
  const button = params.json('menu_button');
  await writeMenuButton(context.db, bot.id, typeof button === 'object' ? button : null);
  return true;
}

export async function getChatMenuButton({ context, bot }: Call): Promise<object> {
  return (await readMenuButton(context.db, bot.id)) ?? { type: 'default' };
}
