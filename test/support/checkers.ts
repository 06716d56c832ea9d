import assert from 'node:assert/strict';
import { systemClock } from '../../src/core/clock.ts';
import type { Database, Queryable } from '../../src/core/database.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { saveChecker } from '../../src/modules/checkers/index.ts';
import { readSecretKey } from '../../src/sandbox/index.ts';
import { eventually } from './eventually.ts';
import { Person } from './person.ts';
import type { Sandbox } from './sandbox.ts';

/** A bot of the emulated Telegram that can become a checker bot. */
export interface SpareBot {
  readonly botId: number;
  readonly username: string;
  readonly token: string;
}

let last = 0;

/** Creates a bot with the emulated BotFather, who can replace its token later. */
export async function createSpareBot(sandbox: Sandbox, ownerId: number): Promise<SpareBot> {
  last += 1;
  const username = `checker_${process.pid}_${last}_bot`;
  const father = new Person(sandbox, ownerId, 'BotFather');
  await father.say('/newbot');
  await father.say(`Checker ${last}`);
  const token = tokenIn((await father.say(username)).text);
  return { botId: Number(token.split(':')[0]), username, token };
}

/** Creates a bot and stores it as a checker bot, without the inspection of its token, which takes seconds. */
export async function addSpareChecker(sandbox: Sandbox, db: Database, ownerId: number): Promise<SpareBot> {
  const bot = await createSpareBot(sandbox, ownerId);
  const secrets = createSecrets(await readSecretKey(db));
  await db.transaction((tx) => saveChecker(tx, { secrets, at: systemClock.now() }, bot));
  await untilListening(db, bot);
  return bot;
}

/** Replaces the token of a bot; the old one no longer works. Returns the new one. */
export async function revokeToken(sandbox: Sandbox, ownerId: number, { username }: SpareBot): Promise<string> {
  const father = new Person(sandbox, ownerId, 'BotFather');
  await father.say('/revoke');
  return tokenIn((await father.say(`@${username}`)).text);
}

function tokenIn(text: string): string {
  const token = /\d{5,}:[\w-]{30,}/.exec(text)?.[0];
  assert.ok(token !== undefined, `no token in: ${text}`);
  return token;
}

/** Makes a bot an administrator of a chat, or removes it, on behalf of a person. Returns when the bot has handled it. */
export async function setAdministrator(
  sandbox: Sandbox,
  { chatId, botId, by, isAdmin = true }: { chatId: number; botId: number; by: number; isAdmin?: boolean },
): Promise<void> {
  const path = `/chats/${chatId}/members/${botId}`;
  if (isAdmin) await sandbox.control('PUT', `${path}?status=administrator&by=${by}`);
  else await sandbox.control('DELETE', `${path}?status=kicked&by=${by}`);
}

/** Returns the checker bot that serves a chat; null: the management bot. */
export async function checkerOf(db: Queryable, chatId: number): Promise<number | null> {
  const [row] = await db.query<{ checker_id: bigint | null }>('SELECT checker_id FROM resources WHERE chat_id = $1', [
    chatId,
  ]);
  assert.ok(row !== undefined, `no resource for chat ${chatId}`);
  return row.checker_id === null ? null : Number(row.checker_id);
}

/** Waits until the service receives the updates of a checker bot. */
export async function untilListening(db: Queryable, { botId, username }: SpareBot): Promise<void> {
  await eventually(`@${username} receives updates`, async () => {
    const rows = await db.query('SELECT 1 FROM checker_intake WHERE bot_id = $1', [botId]);
    return rows.length > 0;
  });
}
