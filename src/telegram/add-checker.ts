import type { Queryable } from '../core/database.ts';
import { botTokenIn, findBotByUsername } from '../modules/bots/index.ts';
import { listCheckers, type NewChecker } from '../modules/checkers/index.ts';
import { findResourceByChat } from '../modules/orders/index.ts';
import { apiSignal, type BotApi, callSignal, failureOf } from './bot-api.ts';
import { hostOf } from './updates.ts';
import { WEBHOOK_PATH } from './webhook-route.ts';

/** The bot of a token, or why it cannot be a checker bot. */
export type CheckerInspection =
  | { readonly kind: 'usable'; readonly checker: NewChecker }
  | { readonly kind: 'not_a_token' | 'token_refused' | 'unavailable' }
  /** It is the management bot, which checks already. */
  | { readonly kind: 'management_bot'; readonly username: string }
  /** It is a publisher's or an advertiser's bot of this service. */
  | { readonly kind: 'customer_bot'; readonly username: string }
  /** Another program receives its updates: by a webhook at this host, or by polling. */
  | { readonly kind: 'used_elsewhere'; readonly username: string; readonly host: string | undefined };

/** Long enough that a program which polls the bot polls again meanwhile. */
const PROBE_SECONDS = 3;

/**
 * Checks that a token belongs to a bot that no other program uses. Changes nothing at Telegram: it neither removes a
 * webhook nor acknowledges an update, so a wrong token costs the other program nothing but one interrupted poll.
 */
export async function inspectChecker(
  {
    api,
    db,
    managementBotId,
    publicUrl,
  }: {
    readonly api: Pick<BotApi, 'as'>;
    readonly db: Queryable;
    readonly managementBotId: number;
    readonly publicUrl: () => string;
  },
  text: string,
): Promise<CheckerInspection> {
  const token = botTokenIn(text);
  if (token === undefined) return { kind: 'not_a_token' };
  const bot = api.as(token);
  try {
    const { id: botId, username } = await bot.getMe(callSignal());
    if (botId === managementBotId) return { kind: 'management_bot', username };
    const usable = { kind: 'usable', checker: { botId, username, token } } as const;
    if ((await listCheckers(db)).some((known) => known.botId === botId)) return usable;
    const isCustomers =
      (await findBotByUsername(db, username)) !== undefined || (await findResourceByChat(db, botId)) !== undefined;
    if (isCustomers) return { kind: 'customer_bot', username };
    const { url = '' } = await bot.getWebhookInfo(callSignal());
    const isOurs = url === `${publicUrl()}${WEBHOOK_PATH}/${botId}`;
    if (url !== '' && !isOurs) return { kind: 'used_elsewhere', username, host: hostOf(url) };
    if (url === '' && (await isPolled(bot))) return { kind: 'used_elsewhere', username, host: undefined };
    return usable;
  } catch (error) {
    return { kind: failureOf(error).kind === 'refused' ? 'token_refused' : 'unavailable' };
  }
}

/** Polls without an offset, which acknowledges nothing. Another poller ends this poll with 409. */
async function isPolled(bot: ReturnType<BotApi['as']>): Promise<boolean> {
  try {
    const limit = AbortSignal.timeout((PROBE_SECONDS + 5) * 1_000);
    await bot.getUpdates({ limit: 1, timeout: PROBE_SECONDS }, apiSignal(limit));
    return false;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'refused' && failure.errorCode === 409) return true;
    throw error;
  }
}
