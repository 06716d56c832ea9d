import type { Queryable } from '../core/database.ts';
import { isOutdated, isVerdict, rootOf } from './errors.ts';
import type { Lines } from './lines.ts';
import { writeParameters } from './wire-values.ts';

/** Statements of no transaction on one connection. */
export async function runTogether<T>(lines: Lines, work: (db: Queryable) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const line = await lines.lend();
    let broken: Error | undefined;
    try {
      return await work({
        query(sql, params = []) {
          const answer = line.pipeline.send(sql, writeParameters(params)).then(({ rows }) => rows as never[]);
          answer.catch(() => undefined); // when one fails, those beside it do too, whether anybody waits for them or not
          return answer;
        },
      });
    } catch (error) {
      const isOld = isOutdated(error);
      if (isOld || !isVerdict(rootOf(error))) broken = new Error('of no more use', { cause: error });
      if (!isOld || attempt > lines.max) throw rootOf(error);
    } finally {
      line.release(broken);
    }
  }
}

/** One statement outside of any transaction: committed when it is answered. */
export async function runAlone<Row>(lines: Lines, text: string, params: readonly unknown[] = []): Promise<Row[]> {
  const values = writeParameters(params);
  for (let attempt = 1; ; attempt++) {
    const line = await lines.lend();
    try {
      const { rows } = await line.pipeline.send(text, values);
      line.release();
      return rows as Row[];
    } catch (error) {
      const isOld = isOutdated(error);
      line.release(isVerdict(error) && !isOld ? undefined : new Error('of no more use', { cause: error }));
      // The trace of where it was asked for, instead of the socket's.
      if (error instanceof Error) Error.captureStackTrace(error);
      // Every connection that there is can be outdated, and none twice.
      if (!isOld || attempt > lines.max) throw error;
    }
  }
}
