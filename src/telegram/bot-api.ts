import { Api, GrammyError, HttpError } from 'grammy';
import { type ChatMigration, followMigrations } from './follow-migrations.ts';
import { type CallObserver, meterCalls } from './meter-calls.ts';

/** The Bot API, real or emulated. Every call has a timeout. */
export interface BotApi {
  /** The service's own bot. */
  readonly service: Api;
  /** Another bot, by its token. */
  as(token: string): Api;
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
  let service: Api | undefined;
  return {
    get service() {
      if (service !== undefined) return service;
      service = open(token);
      if (onMigration !== undefined) service.config.use(followMigrations(onMigration));
      return service;
    },
    as: open,
  };
}

type ApiSignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** Casts Node's AbortSignal, which grammY accepts although its types name an older one. */
export function apiSignal(signal: AbortSignal): ApiSignal {
  return signal as unknown as ApiSignal;
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
