import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { formatTimestamp } from '../core/clock.ts';
import type { Queryable } from '../core/database.ts';
import { StartError } from '../core/errors.ts';
import { type Bot, findBotByUsername, GRACE_HOURS, grantBeta, revokeBeta, rotateToken } from '../modules/bots/index.ts';
import { onDatabase } from './on-database.ts';

/** `sponsorgate grant-beta <bot_username>`: opens the beta endpoints to a bot's tokens. */
export async function grant(config: Config, args: readonly string[]): Promise<void> {
  const { username } = readArguments('grant-beta', args);
  await onDatabase(config, async ({ db, clock }) => {
    const bot = await findBot(db, username);
    const count = await db.transaction((tx) => grantBeta(tx, { botId: bot.id, at: clock.now() }));
    if (count === 0) {
      throw new StartError(`@${bot.username} has no valid token to grant beta access to: rotate-token gives it one`);
    }
    console.log(`@${bot.username} has beta access now.`);
  });
}

/** `sponsorgate revoke-beta <bot_username>`: closes the beta endpoints to a bot's tokens. */
export async function revoke(config: Config, args: readonly string[]): Promise<void> {
  const { username } = readArguments('revoke-beta', args);
  await onDatabase(config, async ({ db, clock }) => {
    const bot = await findBot(db, username);
    await db.transaction((tx) => revokeBeta(tx, { botId: bot.id, at: clock.now() }));
    console.log(`@${bot.username} has no beta access any more.`);
  });
}

/** `sponsorgate rotate-token <bot_username>`: creates a new token and prints it. It is never shown again. */
export async function rotate(config: Config, args: readonly string[]): Promise<void> {
  const { username, graceHours } = readArguments('rotate-token', args);
  await onDatabase(config, async ({ db, clock }) => {
    const bot = await findBot(db, username);
    const outcome = await db.transaction((tx) =>
      rotateToken(tx, { botId: bot.id, graceSeconds: graceHours * 60 * 60, at: clock.now() }),
    );
    if (outcome.kind !== 'rotated') throw new Error(`@${bot.username} could not be rotated: ${outcome.kind}`);
    const { token, oldValidUntil } = outcome;
    console.log(`New API token of @${bot.username}, shown only this once:\n\n  ${token}\n`);
    if (oldValidUntil !== undefined && graceHours > 0) {
      console.log(`Its old tokens work until ${formatTimestamp(oldValidUntil)} at the latest.`);
    }
    if (oldValidUntil !== undefined && graceHours === 0) console.log('Its old tokens do not work any more.');
    if (!bot.isActive) console.log('The bot is switched off: no token of it works until it is switched on.');
  });
}

async function findBot(db: Queryable, username: string): Promise<Bot> {
  const bot = await findBotByUsername(db, username);
  if (bot === undefined) throw new StartError(`there is no bot @${username}`);
  return bot;
}

interface Arguments {
  readonly username: string;
  readonly graceHours: number;
}

/** Parses the arguments. Callers do this before they open the database, so that a typing error has no effect. */
function readArguments(command: 'grant-beta' | 'revoke-beta' | 'rotate-token', args: readonly string[]): Arguments {
  const isRotation = command === 'rotate-token';
  const usage = `use: sponsorgate ${command} <bot_username>${isRotation ? ' [--grace-hours=N]' : ''}`;
  const { positionals, values } = parse(args, isRotation, usage);
  const [name, ...rest] = positionals;
  const username = name?.replace(/^@/, '') ?? '';
  if (rest.length > 0 || !/^\w{1,64}$/.test(username)) throw new StartError(usage);
  const graceHours = values['grace-hours'] ?? String(GRACE_HOURS.default);
  if (!/^\d{1,3}$/.test(graceHours) || Number(graceHours) > GRACE_HOURS.max) {
    throw new StartError(`--grace-hours must be a whole number from ${GRACE_HOURS.min} to ${GRACE_HOURS.max}`);
  }
  return { username, graceHours: Number(graceHours) };
}

function parse(args: readonly string[], isRotation: boolean, usage: string) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: isRotation ? ({ 'grace-hours': { type: 'string' } } as const) : {},
    }) as { positionals: string[]; values: { 'grace-hours'?: string } };
  } catch {
    throw new StartError(usage);
  }
}
