import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from './context.ts';
import { ensureAccount, findBotByUsername } from './peers-store.ts';
import { unixTime, wireUser } from './wire.ts';

const VERSION = '9.1';

/**
 * Returns the address of a Mini App as Telegram opens it: the launch parameters follow the `#`, so that no server sees
 * them, and their data is signed with the bot's token. Returns `undefined` when there is no such bot.
 */
export async function openWebApp(
  context: Pick<Context, 'db' | 'clock'>,
  {
    userId,
    bot: botUsername,
    url,
    userAgent,
  }: {
    readonly userId: number;
    readonly bot: string;
    readonly url: URL;
    /** The browser that shows the phone. */
    readonly userAgent: string | undefined;
  },
): Promise<string | undefined> {
  const bot = await findBotByUsername(context.db, botUsername);
  if (bot === undefined) return undefined;
  const now = context.clock.now();
  const person = await context.db.transaction((tx) => ensureAccount(tx, userId, now));
  const { is_bot: _, ...user } = wireUser(person);
  const startParam = url.searchParams.get('tgWebAppStartParam') ?? url.searchParams.get('startapp');
  const fields = new URLSearchParams({
    query_id: randomBytes(12).toString('base64url'),
    user: JSON.stringify(user),
    auth_date: String(unixTime(now)),
    ...(startParam === null ? {} : { start_param: startParam }),
  });
  fields.set('hash', signatureOf(fields, bot.token));
  const launch = new URLSearchParams({
    tgWebAppData: fields.toString(),
    tgWebAppVersion: VERSION,
    tgWebAppPlatform: platformOf(userAgent ?? ''),
  });
  const opened = new URL(url);
  opened.hash = launch.toString();
  return opened.href;
}

/** Returns the name of the Telegram app that this browser could be. A Mini App compares both. */
function platformOf(userAgent: string): string {
  if (userAgent.includes('Android')) return 'android';
  return /iPhone|iPad/.test(userAgent) ? 'ios' : 'weba';
}

/** Telegram's rule: HMAC-SHA-256 over the sorted `name=value` lines, keyed with the bot token under "WebAppData". */
function signatureOf(fields: URLSearchParams, botToken: string): string {
  const pairs = [...fields].map(([name, value]) => `${name}=${value}`).sort();
  const key = createHmac('sha256', 'WebAppData').update(botToken).digest();
  return createHmac('sha256', key).update(pairs.join('\n')).digest('hex');
}
