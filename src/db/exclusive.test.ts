import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, type TestContext, test } from 'node:test';
import { openCuttableProxy } from '../../test/support/cuttable-proxy.ts';
import { createEmptyDatabase } from '../../test/support/database.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { runExclusively } from './exclusive.ts';
import { createPrimaryGuard } from './primary-guard.ts';

let server: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: OpenDatabase;

before(async () => {
  server = await createEmptyDatabase();
  db = openDatabase({ url: server.url, onError: () => undefined });
});
after(async () => {
  await db.close();
  await server.drop();
});

interface Contender {
  readonly isWorking: () => boolean;
  /** Returns how often this contender held the lock. */
  readonly turns: () => number;
  readonly errors: readonly Error[];
  stop(): Promise<void>;
}

/** Starts a contender that waits for the lock and works until it loses the lock or is stopped. */
function contend(t: TestContext, name: string, { url = server.url, work = untilAborted } = {}): Contender {
  const stopping = new AbortController();
  const errors: Error[] = [];
  let working = 0;
  let turns = 0;
  const running = runExclusively(
    { url, guard: createPrimaryGuard(), untilBack: async () => undefined, onError: (error) => errors.push(error) },
    name,
    async (signal) => {
      working++;
      turns++;
      try {
        await work(signal);
      } finally {
        working--;
      }
    },
    stopping.signal,
  );
  const stop = async () => {
    stopping.abort();
    await running;
  };
  t.after(stop);
  return { isWorking: () => working > 0, turns: () => turns, errors, stop };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const holderOf = (name: string) =>
  db.query<{ pid: number }>(
    `SELECT a.pid FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
     WHERE a.application_name = $1 AND a.datname = current_database()`,
    [`sponsorgate ${name}`],
  );

describe('exclusively', { concurrency: true }, () => {
  test('one process works at a time, and the next takes over when it stops', async (t) => {
    const contenders = [contend(t, 'one'), contend(t, 'one'), contend(t, 'one')];
    const remaining = [...contenders];
    for (let left = contenders.length; left > 0; left--) {
      await eventually('one contender works', () => remaining.some((contender) => contender.isWorking()));
      assert.equal(remaining.filter((contender) => contender.isWorking()).length, 1);
      assert.equal((await holderOf('one')).length, 1);
      const [worker] = remaining.splice(
        remaining.findIndex((contender) => contender.isWorking()),
        1,
      );
      await worker?.stop();
      assert.equal(worker?.isWorking(), false);
    }
    for (const contender of contenders) assert.deepEqual([contender.turns(), contender.errors], [1, []]);
  });

  test('different names do not block each other', async (t) => {
    const both = [contend(t, 'red'), contend(t, 'blue')];
    await eventually('both work', () => both.every((contender) => contender.isWorking()));
  });

  test('a process whose connection is terminated stops, and another takes over', async (t) => {
    const first = contend(t, 'ended');
    await eventually('the first works', () => first.isWorking());
    const second = contend(t, 'ended');
    const [holder] = await holderOf('ended');
    await db.query('SELECT pg_terminate_backend($1)', [holder?.pid]);
    await eventually('the second has taken over', () => second.isWorking());
    await eventually('the first has stopped', () => !first.isWorking());
    // The first process waits for the lock again.
    await second.stop();
    await eventually('the first works again', () => first.turns() === 2 && first.isWorking());
  });

  test('a process with a silently cut connection stops, and another takes over', async (t) => {
    const wire = await openCuttableProxy(server.url);
    t.after(() => wire.close());
    const first = contend(t, 'cut', { url: wire.url });
    await eventually('the first works', () => first.isWorking());
    const second = contend(t, 'cut');
    wire.cut();
    await eventually('the first has stopped', () => !first.isWorking());
    assert.equal(second.isWorking(), false, 'not before the first has stopped');
    assert.equal((await holderOf('cut')).length, 1, 'the server still takes the first to be there');
    await first.stop(); // otherwise it could win the lock again
    await eventually('the second has taken over', () => second.isWorking());
  });

  test('work that fails is reported, releases the lock and is retried', async (t) => {
    const fault = new Error('this time not');
    let failures = 1;
    const contender = contend(t, 'failing', {
      work: async (signal) => {
        if (failures-- > 0) throw fault;
        await untilAborted(signal);
      },
    });
    await eventually('it works the second time', () => contender.turns() === 2 && contender.isWorking());
    assert.deepEqual(contender.errors, [fault]);
  });

  test('a process that waits for the lock or for a server stops on abort', async (t) => {
    const worker = contend(t, 'waiting');
    await eventually('one contender works', () => worker.isWorking());
    const waiting = contend(t, 'waiting');
    const lost = contend(t, 'waiting', { url: 'postgres://nobody@127.0.0.1:1/none' });
    await eventually('the missing server is reported', () => lost.errors.length > 0);
    await Promise.all([waiting.stop(), lost.stop()]);
    assert.deepEqual([waiting.turns(), lost.turns()], [0, 0]);
    assert.ok(worker.isWorking());
  });

  test('an aborted signal prevents the work from starting', async () => {
    let begun = false;
    await runExclusively(
      { url: server.url, guard: createPrimaryGuard(), untilBack: async () => undefined, onError: () => undefined },
      'never',
      async () => {
        begun = true;
      },
      AbortSignal.abort(),
    );
    assert.equal(begun, false);
  });
});
