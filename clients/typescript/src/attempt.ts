import { errorFromResponse, SponsorgateError } from './errors.ts';

export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly expectsHtml: boolean;
  /** Needed only to remove it from error messages. */
  readonly token: string;
}

/** Sends a request once. Fails with a SponsorgateError, or with the reason of the caller's signal. */
export async function attemptOnce(
  send: typeof fetch,
  request: BuiltRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { url, method, headers, body, token } = request;
  signal?.throwIfAborted();
  // Not AbortSignal.any and .timeout: they would leave a timer and a listener on a long-lived signal.
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const end = () => ending.abort();
  signal?.addEventListener('abort', end);
  try {
    // Redirects are not followed: `fetch` would send the token to their target.
    const response = await send(url, {
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal: ending.signal,
    });
    const text = await response.text();
    if (!response.ok) throw errorFromResponse(response, text);
    return readResponse(response.status, text, request.expectsHtml);
  } catch (error) {
    if (error instanceof SponsorgateError) throw error;
    signal?.throwIfAborted();
    if (ending.signal.aborted) throw noResponse('timeout', `Sponsorgate did not answer within ${timeoutMs} ms.`);
    throw noResponse(
      'network_error',
      `Sponsorgate could not be reached: ${reasonOf(error).replaceAll(token, '<token>')}`,
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function readResponse(status: number, text: string, expectsHtml: boolean): unknown {
  if (status === 204) return undefined;
  if (expectsHtml) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const message = 'The answer is not JSON: is this the address of Sponsorgate?';
    throw new SponsorgateError({ status, code: 'unexpected_answer', message });
  }
}

const noResponse = (code: string, message: string): SponsorgateError =>
  new SponsorgateError({ status: 0, code, message });

/** The message `fetch failed` has no details; its cause has them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const { code, message } = (error.cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return code;
  return typeof message === 'string' && message !== '' ? message : error.message;
}

/** Waits. Rejects when the caller's signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish);
    if (signal?.aborted === true) finish();
  });
}
