import { attemptOnce, type BuiltRequest, pause } from './attempt.ts';
import { SponsorgateError } from './errors.ts';
import { type OperationId, type Operations, ROUTES } from './generated/api.ts';
import { delayBeforeRetryMs, isAmbiguous } from './retry.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The API token of your bot; it begins with `at_`. */
  readonly token: string;
  /** The time limit of one attempt. Default: 10 seconds. A confirm can take 4 seconds, because it waits for Telegram. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed call is retried, where that is safe. Default: 2. */
  readonly retries?: number | undefined;
  /** Another implementation of `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /** Ends the call, which then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /**
   * For calls that the service executes once per key (creating and topping up orders, creating links). Default: a new key
   * for every call. Pass your own to repeat a call safely after a crash of your program.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The input of an operation: the parts of its address and its body. */
export type Input<Id extends OperationId> = Omit<Operations[Id], 'response'>;
export type Output<Id extends OperationId> = Operations[Id]['response'];
export type Call = <Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions) => Promise<Output<Id>>;

interface AnyInput {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRIES = 2;

/** Returns the function that sends every operation: address, token, time limit, retries, response or error. */
export function createTransport(settings: ClientOptions): Call {
  const { token } = settings;
  const baseUrl = checkedBaseUrl(settings.baseUrl);
  // Checked here, because the error of `fetch` for an invalid header would contain the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token must be the API token of a bot, without spaces');
  const send = settings.fetch ?? fetch;

  return async (id, input, options = {}) => {
    const request = buildRequest(baseUrl, token, id, input as AnyInput, options);
    const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const retries = options.retries ?? settings.retries ?? DEFAULT_RETRIES;
    let mayBeExecuted = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return (await attemptOnce(send, request, timeoutMs, options.signal)) as Output<typeof id>;
      } catch (error) {
        if (!(error instanceof SponsorgateError)) throw error;
        // An earlier attempt deleted it: the call has succeeded.
        if (mayBeExecuted && error.status === 404 && request.method === 'DELETE') return undefined as Output<typeof id>;
        mayBeExecuted ||= isAmbiguous(error);
        const delayMs = attempt < retries ? delayBeforeRetryMs(id, error, attempt) : undefined;
        if (delayMs === undefined) throw error;
        await pause(delayMs, options.signal);
      }
    }
  };
}

function buildRequest(
  baseUrl: string,
  token: string,
  id: OperationId,
  { path = {}, query = {}, body }: AnyInput,
  { idempotencyKey }: CallOptions,
): BuiltRequest {
  const route = ROUTES[id];
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const parameters = new URLSearchParams(route.auth === 'query' ? { api_token: token } : {});
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return {
    url: `${baseUrl}${address}${parameters.size > 0 ? `?${parameters}` : ''}`,
    method: route.method,
    headers: {
      ...(route.auth === 'header' && { Auth: token }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      // One key per call: every attempt must send the same.
      ...(route.takesKey === true && { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    expectsHtml: query.output_format === 'html',
    token,
  };
}

function checkedBaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must be an http or https address without a query');
  }
  return url.href.replace(/\/+$/, '');
}
