import type { Member } from './cluster.ts';

/** The reply to a request; status 0 when there is none: refused, cut off, or too late. */
export interface Reply {
  readonly status: number;
  // The code that reads a field checks its type.
  readonly body: Record<string, unknown>;
}

/** A caller would not wait longer for a reply. */
const PATIENCE_MS = 15_000;

/** Sends one request as an outside caller. Never throws: a missing reply is a result here. */
export async function ask(
  member: Member,
  method: string,
  path: string,
  { body, token, headers = {} }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
): Promise<Reply | undefined> {
  if (!member.isUp()) return undefined;
  try {
    const response = await fetch(`${member.url()}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { auth: token }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  } catch {
    return undefined;
  }
}

/** Repeats a request at one process after the other until it succeeds. For steps that a round needs. */
export async function insist(
  members: readonly Member[],
  method: string,
  path: string,
  options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  withinMs = 60_000,
): Promise<Record<string, unknown>> {
  const deadline = performance.now() + withinMs;
  let last: Reply | undefined;
  while (performance.now() < deadline) {
    for (const member of members) {
      last = await ask(member, method, path, options);
      if (last !== undefined && last.status < 300) return last.body;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${method} ${path} was not done within ${withinMs} ms; last: ${JSON.stringify(last)}`);
}
