import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LANGUAGES, lastStep, ownerWith, payoutsOf, read } from '../bot/balance-labels.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Person } from '../support/person.ts';
import { startOn } from '../support/service.ts';

describe('a restart of the service', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  /** Runs one step of the dialogue on a newly started service. */
  async function step<T>(id: number, work: (person: Person) => Promise<T>): Promise<T> {
    const service = await startOn(database.url);
    try {
      const { management_bot: bot } = await service.sandbox.control('GET', '/state');
      return await work(new Person(service.sandbox, id, bot));
    } finally {
      await service.stop();
    }
  }

  for (const labels of LANGUAGES) {
    it(`between any two steps of a withdrawal loses nothing (${labels.language})`, async () => {
      const first = await startOn(database.url);
      const { person, accountId } = await ownerWith(first.sandbox, labels, 500);
      await lastStep(first, person.go(labels.balance, labels.withdraw));
      assert.match(await step(person.id, async (one) => read(await one.say('250,50'))), labels.askDestination);
      assert.match(await step(person.id, async (one) => read(await one.say(labels.destination))), labels.summary);
      assert.match(await step(person.id, async (one) => read(await one.press(labels.yes))), labels.requested);
      const payouts = await payoutsOf(database.db).list({ accountId, limit: 5 });
      assert.deepEqual(
        payouts.map(({ amountKopecks, destination }) => ({ amountKopecks, destination })),
        [{ amountKopecks: 25_050n, destination: labels.destination }],
      );
    });

    it(`between the question and the reply of a deposit loses nothing (${labels.language})`, async () => {
      const first = await startOn(database.url);
      const { person } = await ownerWith(first.sandbox, labels);
      await lastStep(first, person.go(labels.balance, labels.deposit));
      assert.match(await step(person.id, async (one) => read(await one.say('1 500,50'))), labels.deposited);
    });
  }
});
