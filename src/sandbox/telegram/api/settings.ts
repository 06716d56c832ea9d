import { readCommands, readMenuButton, writeCommands, writeMenuButton, writeName } from '../settings-store.ts';
import type { Call } from './call.ts';
import { badRequest } from './errors.ts';

const MAX_COMMANDS = 100;
const MAX_NAME = 64;

/** Stores one list per bot: scopes and languages are accepted, but the last list applies to all users. */
export async function setMyCommands({ context, bot, params }: Call): Promise<true> {
  const commands = params.json('commands');
  if (!Array.isArray(commands)) throw badRequest("can't parse BotCommand: commands must be an Array");
  if (commands.length > MAX_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  for (const given of commands as ({ command?: unknown; description?: unknown } | null)[]) {
    const { command, description } = given ?? {};
    if (typeof command !== 'string' || !/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
    if (!description) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  }
  await writeCommands(context.db, bot.id, commands);
  return true;
}

export function getMyCommands({ context, bot }: Call): Promise<unknown[]> {
  return readCommands(context.db, bot.id);
}

export async function deleteMyCommands({ context, bot }: Call): Promise<true> {
  await writeCommands(context.db, bot.id, []);
  return true;
}

export async function setChatMenuButton({ context, bot, params }: Call): Promise<true> {
  const button = params.json('menu_button');
  await writeMenuButton(context.db, bot.id, typeof button === 'object' ? button : null);
  return true;
}

export async function getChatMenuButton({ context, bot }: Call): Promise<object> {
  return (await readMenuButton(context.db, bot.id)) ?? { type: 'default' };
}

/** Sets one name for all languages. People see it in chats and in forwarded messages. */
export async function setMyName({ context, bot, params }: Call): Promise<true> {
  const name = params.text('name')?.trim() ?? '';
  if (name.length > MAX_NAME) throw badRequest('BOT_TITLE_INVALID');
  // Telegram shows the username of a bot without a name.
  await context.bus.transact(async (tx, announce) => {
    await writeName(tx, bot.id, name === '' ? bot.username : name);
    announce({ kind: 'bots' });
  });
  return true;
}

export async function getMyName({ bot }: Call): Promise<{ name: string }> {
  return { name: bot.title };
}
