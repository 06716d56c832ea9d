import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { MoneyDesk } from '../support/money-desk.ts';
import { type SteppingWorker, startWorker } from './stepping.ts';

let desk: MoneyDesk;
let worker: SteppingWorker | undefined;
before(async () => {
  desk = await MoneyDesk.open();
});
afterEach(() => worker?.kill());
after(() => desk.close());

async function endedContest(): Promise<{ contestId: number; winner: number; second: number }> {
  const { accountId: winner } = await desk.person();
  const { accountId: second } = await desk.person();
  const at = (seconds: number): Date => new Date(desk.clock.now().getTime() + seconds * 1000);
  const outcome = await desk.contests.create({
    key: crypto.randomUUID(),
    name: 'March',
    startsAt: at(0),
    endsAt: at(100),
    prizesKopecks: [50_000n, 10_000n],
  });
  assert.ok(outcome.kind === 'created');
  await desk.settle(winner, 1, 2, 3);
  await desk.settle(second, 1);
  desk.clock.advance(1_000);
  return { contestId: outcome.contest.id, winner, second };
}

test('a worker killed before any step of ending a contest neither loses nor repeats a prize', async (t) => {
  const stops: string[] = [];
  for (;;) {
    const { contestId, winner, second } = await endedContest();
    worker = startWorker(desk, 'contests', stops.length);
    const stoppedBefore = await worker.stoppedBefore;
    assert.ok(stoppedBefore, `the worker ended after ${stops.length} steps without having finished the contest`);
    const isFinished = (await desk.contests.find(contestId))?.finishedAt !== null;
    await worker.kill();
    stops.push(stoppedBefore);
    await eventually(`the contest is finished, killed before ${stoppedBefore}`, async () => {
      await desk.contests.finish();
      return (await desk.contests.find(contestId))?.finishedAt !== null;
    });
    const results = await query(
      desk.url,
      'SELECT rank, account_id::int, score::int, prize_kopecks::int FROM contest_results WHERE contest_id = $1 ORDER BY rank',
      [contestId],
    );
    assert.deepEqual(results, [
      { rank: 1, account_id: winner, score: 3, prize_kopecks: 50_000 },
      { rank: 2, account_id: second, score: 1, prize_kopecks: 10_000 },
    ]);
    assert.equal(await desk.kopecks('available', winner), 50_000, `killed before ${stoppedBefore}`);
    assert.equal(await desk.kopecks('available', second), 10_000);
    assert.equal((await desk.events(winner, 'contest.completed')).length, 1, `killed before ${stoppedBefore}`);
    assert.equal((await desk.events(second, 'contest.completed')).length, 1);
    if (isFinished) break;
  }
  t.diagnostic(`${stops.length} steps: ${stops.join('; ')}`);
  for (const expected of ['COMMIT', 'what comes after COMMIT', 'INSERT INTO contest_results (contest_id,']) {
    assert.ok(stops.includes(expected), `never stopped before ${expected}`);
  }
  await desk.assertBooks();
});
