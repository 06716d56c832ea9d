import type { Clock } from '../core/clock.ts';
import type { Database } from '../core/database.ts';
import { forgetChecker, listCheckers } from '../modules/checkers/index.ts';
import {
  assignChecker,
  findResourceByChat,
  listResourcesOfChecker,
  type Resource,
  saveChatFacts,
} from '../modules/orders/index.ts';
import { callSignal, failureOf } from './bot-api.ts';
import { forgetBotChat, listBotsIn } from './chat-access-store.ts';
import type { CheckerBots } from './checker-bots.ts';

export interface ReplaceDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly bots: Pick<CheckerBots, 'apiOf' | 'idOf' | 'apiOfStopped'>;
  readonly log: { info(details: object, message: string): void };
}

/** Makes the daily job follow the chat soon: the link of an order may belong to the bot that is gone. */
const NEVER = new Date(0);

async function assign({ db, log }: ReplaceDeps, { id, chatId }: Resource, checkerId: number | null): Promise<void> {
  await db.transaction(async (tx) => {
    await assignChecker(tx, { resourceId: id, checkerId });
    await saveChatFacts(tx, id, undefined, NEVER);
  });
  log.info({ chatId, checkerId }, 'another bot checks a channel now');
}

/**
 * Gives a channel to another of our bots that is an administrator there already. Returns false when there is none. A bot
 * that Telegram does not confirm loses its entry; without a reply from Telegram the entry counts.
 */
export async function replaceChecker(deps: ReplaceDeps, resource: Resource): Promise<boolean> {
  if (resource.type !== 'channel') return false;
  const { chatId, checkerId: lost = null } = resource;
  for (const checkerId of await listBotsIn(deps.db, chatId)) {
    const api = checkerId === lost ? undefined : deps.bots.apiOf(checkerId);
    if (api === undefined) continue;
    try {
      const { status } = await api.getChatMember(chatId, deps.bots.idOf(checkerId), callSignal());
      if (status === 'administrator' || status === 'creator') {
        await assign(deps, resource, checkerId);
        return true;
      }
    } catch (error) {
      if (failureOf(error).kind !== 'refused') {
        await assign(deps, resource, checkerId);
        return true;
      }
    }
    await forgetBotChat(deps.db, chatId, checkerId);
  }
  return false;
}

/**
 * A checker bot became an administrator of a chat. If the management bot served it until now, the checker bot takes it
 * over: that is how operators move channels away from the management bot.
 */
export async function takeOver(deps: ReplaceDeps, chatId: number, checkerId: number | null): Promise<void> {
  if (checkerId === null) return;
  const resource = await findResourceByChat(deps.db, chatId);
  if (resource?.type === 'channel' && (resource.checkerId ?? null) === null) await assign(deps, resource, checkerId);
}

const PER_RUN = 100;

/**
 * Hands the channels of stopped checker bots over to other bots, or pauses their orders. Deletes a removed bot after its
 * last channel. Returns how many channels it handled.
 */
export async function handOverChannels(
  deps: ReplaceDeps & { readonly pauseOrders: (resourceId: number) => Promise<void> },
  signal?: AbortSignal,
): Promise<number> {
  let handled = 0;
  const stopped = (await listCheckers(deps.db)).filter(({ stopReason }) => stopReason !== null);
  for (const { botId, stopReason } of stopped) {
    for (;;) {
      const resources = await listResourcesOfChecker(deps.db, botId, PER_RUN);
      for (const resource of resources) {
        if (signal?.aborted === true) return handled;
        if (!(await replaceChecker(deps, resource))) {
          // Pauses first: after a crash in between, the next run finds the channel again.
          await deps.pauseOrders(resource.id);
          await deps.db.transaction((tx) => assignChecker(tx, { resourceId: resource.id, checkerId: null }));
        }
        handled += 1;
      }
      if (resources.length < PER_RUN) break;
    }
    if (stopReason !== 'removed') continue;
    // Best effort: with a webhook Telegram would go on to send updates that the route refuses.
    await deps.bots.apiOfStopped(botId)?.deleteWebhook({}, callSignal()).catch(failureOf);
    await deps.db.transaction((tx) => forgetChecker(tx, botId));
  }
  return handled;
}
