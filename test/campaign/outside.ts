import type { Member } from './cluster.ts';

/** An answer, or none: refused, cut off, or too late. */
export interface Reply {
  readonly status: number;
  // What a field is, the code that reads it finds out.
  readonly body: Record<string, unknown>;
}

/** Longer than any answer takes that is still of use to a caller. */
const PATIENCE_MS = 15_000;

/** One request as an outside caller would send it. Never throws: not being answered is an answer here. */
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

/** Asks one after the other, again and again, until somebody has done it; for what a round cannot go without. */
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
