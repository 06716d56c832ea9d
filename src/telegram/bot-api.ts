import { Api, GrammyError, HttpError, type Transformer } from 'grammy';
import { startStep } from '../core/tracing.ts';

/** The Bot API, real or emulated. Every call has a timeout. */
export interface BotApi {
  /** The service's own bot. */
  readonly service: Api;
  /** Another bot, by its token. */
  as(token: string): Api;
  /** A checker bot, by its token. It finds groups that have become supergroups, as the service's own bot does. */
  checker(token: string): Api;
}

const TIMEOUT_SECONDS = 10;

/** Reads `apiRoot` at the first call: the emulator's address is known only once the server listens. */
export function createBotApi({
  apiRoot,
  token,
  onCall,
  onMigration,
}: {
  apiRoot: () => string;
  token: string;
  onCall?: CallObserver;
  /** Called when a call finds that a group has become a supergroup. */
  onMigration?: (migration: ChatMigration) => Promise<void>;
}): BotApi {
  const open = (botToken: string): Api => {
    const api = new Api(botToken, { apiRoot: apiRoot(), timeoutSeconds: TIMEOUT_SECONDS, sensitiveLogs: false });
    if (onCall !== undefined) api.config.use(meterCalls(onCall));
    return api;
  };
  const openOwn = (botToken: string): Api => {
    const api = open(botToken);
    if (onMigration !== undefined) api.config.use(followMigrations(onMigration));
    return api;
  };
  let service: Api | undefined;
  return {
    get service() {
      service ??= openOwn(token);
      return service;
    },
    as: open,
    checker: openOwn,
  };
}

type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** Casts Node's AbortSignal, which grammY accepts although its types name an older one. */
export function apiSignal(signal: AbortSignal): ApiSignal {
  return signal as unknown as ApiSignal;
}

const CALL_TIMEOUT_MS = 5_000;

/** The time limit of a single call. */
export const callSignal = (): ApiSignal => apiSignal(AbortSignal.timeout(CALL_TIMEOUT_MS));

/** Returns the fallback when Telegram refuses the call. */
export async function unlessRefused<T, Fallback>(call: Promise<T>, fallback: Fallback): Promise<T | Fallback> {
  try {
    return await call;
  } catch (error) {
    if (failureOf(error).kind === 'refused') return fallback;
    throw error;
  }
}

/** Why a call failed. */
export type CallFailure =
  | { readonly kind: 'refused'; readonly errorCode: number; readonly description: string }
  | { readonly kind: 'flood'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unreachable' };

export function failureOf(error: unknown): CallFailure {
  if (error instanceof GrammyError) {
    if (error.error_code === 429) return { kind: 'flood', retryAfterSeconds: error.parameters.retry_after ?? 1 };
    if (error.error_code >= 500) return { kind: 'unreachable' };
    return { kind: 'refused', errorCode: error.error_code, description: error.description };
  }
  if (error instanceof HttpError || (error instanceof Error && error.name.endsWith('Error'))) {
    return { kind: 'unreachable' };
  }
  throw error;
}

/** A basic group became a supergroup with another id. */
export interface ChatMigration {
  readonly from: number;
  readonly to: number;
}

/**
 * Telegram refuses calls to a group that became a supergroup and returns the new id. Records the migration and repeats
 * the call once with that id.
 */
const followMigrations =
  (onMigration: (migration: ChatMigration) => Promise<void>): Transformer =>
  async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    const to = answer.ok ? undefined : answer.parameters?.migrate_to_chat_id;
    const from = 'chat_id' in payload ? Number(payload.chat_id) : Number.NaN;
    if (to === undefined || !Number.isSafeInteger(from)) return answer;
    await onMigration({ from, to });
    return call(method, { ...payload, chat_id: to }, signal);
  };

/** How a call ended; the failures are those of `failureOf`. */
type CallOutcome = 'ok' | 'refused' | 'flood' | 'unreachable';

/** Receives every call to the Bot API, for the metrics. */
export type CallObserver = (method: string, outcome: CallOutcome, milliseconds: number) => void;

/** Reports every call of grammY with its outcome and duration, and traces it without its parameters. */
export const meterCalls =
  (onCall: CallObserver): Transformer =>
  async (call, method, payload, signal) => {
    const begin = performance.now();
    const span = startStep(`telegram ${method}`, { attributes: { 'telegram.method': method }, kind: 'client' });
    let outcome: CallOutcome = 'unreachable';
    try {
      const answer = await call(method, payload, signal);
      outcome = answer.ok ? 'ok' : refusal(answer.error_code);
      return answer;
    } finally {
      onCall(method, outcome, performance.now() - begin);
      span?.end(outcome === 'ok' ? undefined : outcome);
    }
  };

function refusal(errorCode: number): CallOutcome {
  if (errorCode === 429) return 'flood';
  return errorCode >= 500 ? 'unreachable' : 'refused';
}
