import { isOutdated, isVerdict, translated } from './errors.ts';
import type { Lines } from './lines.ts';
import { writeParameters } from './wire-values.ts';

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
      if (!isOld || attempt > lines.max) throw translated(error);
    }
  }
}
