import { apiSignal, type BotApi, type CallFailure, failureOf } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';
import { ALLOWED_UPDATES } from './updates.ts';
import { WEBHOOK_PATH } from './webhook-route.ts';

interface BotIdentity {
  readonly id: number;
  readonly username: string;
}

/** How Telegram hands out the bot's updates, as Telegram sees it. */
export interface UpdatesState {
  /** Absent: they wait to be fetched. */
  readonly webhookUrl: string | undefined;
  readonly pendingCount: number;
  readonly lastError: { readonly at: Date; readonly message: string } | undefined;
  /** Kinds that we need and that are not sent; undefined when Telegram does not say. */
  readonly missingKinds: readonly string[] | undefined;
}

export type Asked<T> = { readonly kind: 'answered'; readonly answer: T } | CallFailure;

type ChatAccess = 'admin' | 'not_admin' | 'unknown';

/** Questions to Telegram about our own bot. Nothing is changed by asking them. */
export interface BotInspector {
  identity(): Promise<Asked<BotIdentity>>;
  updates(): Promise<Asked<UpdatesState>>;
  /** Whether the bot is an administrator there, one chat after another, no faster than the budget allows. */
  accessTo(chatIds: readonly number[], botId: number): Promise<readonly ChatAccess[]>;
}

const TIMEOUT_MS = 5_000;

export function createBotInspector(api: BotApi, budget: CheckBudget): BotInspector {
  const signal = () => apiSignal(AbortSignal.timeout(TIMEOUT_MS));

  return {
    identity: () => ask(async () => pick(await api.service.getMe(signal()))),
    updates: () =>
      ask(async () => {
        const info = await api.service.getWebhookInfo(signal());
        const kinds: readonly string[] | undefined = info.allowed_updates;
        return {
          webhookUrl: info.url === undefined || info.url === '' ? undefined : info.url,
          pendingCount: info.pending_update_count,
          lastError:
            info.last_error_date === undefined
              ? undefined
              : { at: new Date(info.last_error_date * 1000), message: info.last_error_message ?? '' },
          missingKinds: kinds && ALLOWED_UPDATES.filter((kind) => !kinds.includes(kind)),
        };
      }),
    async accessTo(chatIds, botId) {
      const found: ChatAccess[] = [];
      for (const chatId of chatIds) {
        await budget.take();
        const asked = await ask(() => api.service.getChatMember(chatId, botId, signal()));
        found.push(accessIn(asked));
        // Telegram is away, or has had enough of us: the rest would only wait for the same.
        if (asked.kind === 'flood' || asked.kind === 'unreachable') break;
      }
      return [...found, ...chatIds.slice(found.length).map(() => 'unknown' as const)];
    },
  };
}

/** Where Telegram has to send updates when the service is told to take them by webhook. */
export const webhookUrlOf = (publicUrl: string): string => `${publicUrl}${WEBHOOK_PATH}`;

async function ask<T>(question: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { kind: 'answered', answer: await question() };
  } catch (error) {
    return failureOf(error);
  }
}

const pick = ({ id, username }: BotIdentity): BotIdentity => ({ id, username });

function accessIn(asked: Asked<{ readonly status: string }>): ChatAccess {
  if (asked.kind === 'refused') return 'not_admin';
  if (asked.kind !== 'answered') return 'unknown';
  return asked.answer.status === 'administrator' || asked.answer.status === 'creator' ? 'admin' : 'not_admin';
}
