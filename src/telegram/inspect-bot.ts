import { type BotApi, type CallFailure, callSignal, failureOf } from './bot-api.ts';
import type { CheckBudget } from './check-budget.ts';
import { ALLOWED_UPDATES } from './updates.ts';
import { WEBHOOK_PATH } from './webhook-route.ts';

interface BotIdentity {
  readonly id: number;
  readonly username: string;
}

/** How Telegram delivers the bot's updates. */
export interface UpdatesState {
  /** Undefined: updates wait to be polled. */
  readonly webhookUrl: string | undefined;
  readonly pendingCount: number;
  readonly lastError: { readonly at: Date; readonly message: string } | undefined;
  /** Kinds that we need and Telegram does not send; undefined when it does not say. */
  readonly missingKinds: readonly string[] | undefined;
}

export type CallResult<T> = { readonly kind: 'answered'; readonly answer: T } | CallFailure;

type ChatAccess = 'admin' | 'not_admin' | 'unknown';

/** Reads the state of the service bot from Telegram. Changes nothing. */
export interface BotInspector {
  identity(): Promise<CallResult<BotIdentity>>;
  updates(): Promise<CallResult<UpdatesState>>;
  /** Returns for each chat whether the bot is an administrator, within the call budget. */
  accessTo(chatIds: readonly number[], botId: number): Promise<readonly ChatAccess[]>;
}

export function createBotInspector(api: BotApi, budget: CheckBudget): BotInspector {
  return {
    identity: () => ask(async () => pick(await api.service.getMe(callSignal()))),
    updates: () =>
      ask(async () => {
        const info = await api.service.getWebhookInfo(callSignal());
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
        const asked = await ask(() => api.service.getChatMember(chatId, botId, callSignal()));
        found.push(accessIn(asked));
        // Every further call would fail the same way.
        if (asked.kind === 'flood' || asked.kind === 'unreachable') break;
      }
      return [...found, ...chatIds.slice(found.length).map(() => 'unknown' as const)];
    },
  };
}

/** Returns the URL to which Telegram posts updates in webhook mode. */
export const webhookUrlOf = (publicUrl: string): string => `${publicUrl}${WEBHOOK_PATH}`;

async function ask<T>(call: () => Promise<T>): Promise<CallResult<T>> {
  try {
    return { kind: 'answered', answer: await call() };
  } catch (error) {
    return failureOf(error);
  }
}

const pick = ({ id, username }: BotIdentity): BotIdentity => ({ id, username });

function accessIn(asked: CallResult<{ readonly status: string }>): ChatAccess {
  if (asked.kind === 'refused') return 'not_admin';
  if (asked.kind !== 'answered') return 'unknown';
  return asked.answer.status === 'administrator' || asked.answer.status === 'creator' ? 'admin' : 'not_admin';
}
