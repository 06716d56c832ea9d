import type { TestDatabase } from '../support/database.ts';
import type { Hit } from './shoot.ts';

/** Words that only our own insides use. */
const INTERNALS: readonly RegExp[] = [
  /\bat (?:async )?[\w.<>[\] ]+ \((?:file:|node:|\/)/, // a line of a stack
  /\bnode_modules\b|\bfile:\/\/\/(?!etc\/passwd)|\.[jt]s:\d+|[/\\]src[/\\]/,
  /\b(?:Type|Range|Syntax|Reference|Assertion|Database|Aggregate)Error\b|\bFST_ERR/,
  /syntax error at or near|duplicate key value|violates (?:check|unique|foreign|not-null)|invalid input syntax/i,
  /out of range for type|invalid byte sequence|unsupported Unicode|could not (?:serialize|determine)|SQLSTATE/i,
  /\b(?:relation|column|function) "|current transaction is aborted|\bSELECT\b.+\bFROM\b|\bINSERT INTO\b/,
  /postgres(?:ql)?:\/\/|\bsponsorgate:[^@\s]+@/,
];

/** Why somebody could not be reached. Of a receiver of webhooks its owner may read that, in these very words. */
const UNREACHED = /\b(?:ECONN|ENO|EPIPE)[A-Z]+\b/;

/** Tells what is wrong with an answer. */
export interface Judge {
  complaint(hit: Hit): string | undefined;
}

/** Names with an underscore are nobody's words but ours; those that are also words of the API are told apart here. */
export async function createJudge({ db }: TestDatabase, spoken: readonly string[] = []): Promise<Judge> {
  const rows = await db.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname IN ('public', 'sandbox', 'jobs') AND tablename ~ '_'",
  );
  const tables = rows.map(({ name }) => name).filter((name) => !spoken.includes(name));
  const internals = [...INTERNALS, new RegExp(`\\b(?:${tables.join('|')})\\b`)];

  function find(hit: Hit): string | undefined {
    const { status, text, headers } = hit;
    if (status === undefined) return `no answer: ${text}`;
    if (status >= 500 && !(status === 503 && text.includes('"telegram_unavailable"'))) return `answered ${status}`;
    if (headers['x-powered-by'] !== undefined || headers.server !== undefined) return 'says what it runs on';
    const forbidden = hit.shot.path.includes('/webhooks') ? internals : [...internals, UNREACHED];
    const leak = forbidden.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
    return leak === undefined ? undefined : `shows its insides: ${leak}`;
  }

  return {
    complaint(hit) {
      const found = find(hit);
      if (found === undefined) return undefined;
      const { method, path, headers, body } = hit.shot;
      const sent = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${String(body ?? '').slice(0, 600)}`;
      return `${found}\n  sent: ${sent}\n  got: ${hit.text.slice(0, 600)}`;
    },
  };
}
