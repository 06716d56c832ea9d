import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LANGUAGES, OPERATOR_IDS, operatorAt } from '../bot/operator-labels.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, type ServiceProcess, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

const MANAGEMENT_BOT_ID = 700_000_001;
const PEOPLE = 60;
const LEASE_SECONDS = 30;

describe('a broadcast whose sender is killed', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(async () => {
    await killAll();
    await database.drop();
  });

  const start = (): Promise<ServiceProcess> => startProcess({ DATABASE_URL: database.url, OPERATOR_IDS });

  const progress = async (): Promise<{ sent: number; isFinished: boolean }> => {
    const [row] = await database.db.query<{ sent: number; finished_at: Date | null }>(
      'SELECT sent, finished_at FROM broadcasts',
    );
    return { sent: row?.sent ?? 0, isFinished: row !== undefined && row.finished_at !== null };
  };

  /** Returns how many times each person received the text. */
  const received = async (people: readonly number[]): Promise<number[]> => {
    const rows = await database.db.query<{ chat_id: bigint; count: bigint }>(
      "SELECT chat_id, count(*) AS count FROM sandbox.tg_messages WHERE text = 'Kill' AND NOT from_person GROUP BY chat_id",
    );
    const counts = new Map(rows.map((row) => [Number(row.chat_id), Number(row.count)]));
    return people.map((id) => counts.get(id) ?? 0);
  };

  it('reaches every recipient, and at most one recipient twice per kill', async () => {
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    let service = await start();
    const people: number[] = [];
    for (let i = 0; i < PEOPLE; i++) {
      const id = freshUser();
      people.push(id);
      await service.sandbox.control('POST', '/accounts', { user_id: id });
      await service.sandbox.join(MANAGEMENT_BOT_ID, id, true);
    }
    const operator = await operatorAt(service.sandbox, labels);
    await operator.go(labels.broadcasts, labels.newBroadcast);
    await operator.say('Kill');
    await operator.go(labels.same, labels.yes);

    let kills = 0;
    for (const until of [5, 25]) {
      await eventually(`${until} are sent`, async () => (await progress()).sent >= until);
      await service.end('SIGKILL');
      kills += 1;
      service = await start();
      // When the lease of the killed process ends, the next process continues the broadcast. The clock call returns
      // only when all messages are sent, so a second kill fails it.
      void service.sandbox.advance(LEASE_SECONDS + 1).catch(() => undefined);
    }
    await eventually('it is finished', async () => (await progress()).isFinished);
    const counts = await received(people);
    assert.ok(
      counts.every((count) => count >= 1),
      `somebody was left out: ${counts}`,
    );
    const doubled = counts.reduce((sum, count) => sum + count - 1, 0);
    assert.ok(doubled <= kills, `${doubled} messages too many after ${kills} kills: ${counts}`);
    await service.end('SIGTERM');
  });
});
