import { readCommands, readMenuButton, writeCommands, writeMenuButton } from '../settings-store.ts';
import type { Call } from './call.ts';
import { badRequest } from './errors.ts';

const MAX_COMMANDS = 100;

/** One list per bot: scopes and languages are accepted, and what was set last counts for everybody. */
export async function setMyCommands({ context, bot, params }: Call): Promise<true> {
  const commands = params.json('commands');
  if (!Array.isArray(commands)) throw badRequest("can't parse BotCommand: commands must be an Array");
  if (commands.length > MAX_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  for (const command of commands as { command?: unknown; description?: unknown }[]) {
    if (!/^[a-z0-9_]{1,32}$/.test(String(command?.command))) throw badRequest('BOT_COMMAND_INVALID');
    if (!command.description) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
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
