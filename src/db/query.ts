import type { Queryable } from '../core/database.ts';
import type { Lines } from './connections.ts';
import { isOutdated, isVerdict, rootOf } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import { writeParameters } from './wire-values.ts';

/** One statement outside of any transaction: committed when it is answered. */
export async function runAlone<Row>(lines: Lines, text: string, params: readonly unknown[] = []): Promise<Row[]> {
  const values = writeParameters(params);
  return onOneLine(lines, async (pipeline) => (await pipeline.send(text, values)).rows as Row[]);
}

/** Statements of no transaction on one connection. */
export function runTogether<T>(lines: Lines, work: (db: Queryable) => Promise<T>): Promise<T> {
  return onOneLine(lines, (pipeline) =>
    work({
      query(sql, params = []) {
        const answer = pipeline.send(sql, writeParameters(params)).then(({ rows }) => rows as never[]);
        answer.catch(() => undefined); // when one fails, those beside it do too, whether anybody waits for them or not
        return answer;
      },
    }),
  );
}

async function onOneLine<T>(lines: Lines, work: (pipeline: Pipeline) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const line = await lines.lend();
    let broken: Error | undefined;
    try {
      return await work(line.pipeline);
    } catch (thrown) {
      const error = rootOf(thrown);
      const isOld = isOutdated(error);
      if (isOld || !isVerdict(error)) broken = new Error('of no more use', { cause: error });
      // The trace of where it was asked for, instead of the socket's.
      if (error instanceof Error) Error.captureStackTrace(error);
      // Every connection that there is can be outdated, and none twice.
      if (!isOld || attempt > lines.max) throw error;
    } finally {
      line.release(broken);
    }
  }
}
