import type { TestDatabase } from '../support/database.ts';
import type { FuzzResponse } from './send-requests.ts';

/** Patterns that match only internals. */
const INTERNALS: readonly RegExp[] = [
  /\bat (?:async )?[\w.<>[\] ]+ \((?:file:|node:|\/)/, // a line of a stack trace
  /\bnode_modules\b|\bfile:\/\/\/(?!etc\/passwd)|\.[jt]s:\d+|[/\\]src[/\\]/,
  /\b(?:Type|Range|Syntax|Reference|Assertion|Database|Aggregate)Error\b|\bFST_ERR/,
  /syntax error at or near|duplicate key value|violates (?:check|unique|foreign|not-null)|invalid input syntax/i,
  /out of range for type|invalid byte sequence|unsupported Unicode|could not (?:serialize|determine)|SQLSTATE/i,
  /\b(?:relation|column|function) "|current transaction is aborted|\bSELECT\b.+\bFROM\b|\bINSERT INTO\b/,
  /postgres(?:ql)?:\/\/|\bsponsorgate:[^@\s]+@/,
];

/** Network error codes. Owners may read them in the log of their webhook deliveries. */
const UNREACHED = /\b(?:ECONN|ENO|EPIPE)[A-Z]+\b/;

export interface ResponseChecker {
  findProblem(response: FuzzResponse): string | undefined;
}

/** Table names with an underscore count as internals, except those in `spoken`, which are also words of the API. */
export async function createResponseChecker(
  { db }: TestDatabase,
  spoken: readonly string[] = [],
): Promise<ResponseChecker> {
  const rows = await db.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'sandbox', 'jobs') AND tablename ~ '_'",
  );
  const tables = rows.map(({ name }) => name).filter((name) => !spoken.includes(name));
  const internals = [...INTERNALS, new RegExp(`\\b(?:${tables.join('|')})\\b`)];

  function find(response: FuzzResponse): string | undefined {
    const { status, text, headers } = response;
    if (status === undefined) return `no response: ${text}`;
    if (status >= 500 && !(status === 503 && text.includes('"telegram_unavailable"'))) return `returned ${status}`;
    if (headers['x-powered-by'] !== undefined || headers.server !== undefined) return 'names its server software';
    const forbidden = response.request.path.includes('/webhooks') ? internals : [...internals, UNREACHED];
    const leak = forbidden.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
    return leak === undefined ? undefined : `shows internals: ${leak}`;
  }

  return {
    findProblem(response) {
      const found = find(response);
      if (found === undefined) return undefined;
      const { method, path, headers, body } = response.request;
      const sent = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${String(body ?? '').slice(0, 600)}`;
      return `${found}\n  sent: ${sent}\n  got: ${response.text.slice(0, 600)}`;
    },
  };
}
