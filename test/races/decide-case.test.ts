import assert from 'node:assert/strict';
import { test } from 'node:test';
import { banForCase, clearCase, holdCase, reverseCase } from '../../src/modules/operators/index.ts';
import { useService } from '../api/use-service.ts';
import { casesOf, lowQualityCase, runCasesJob } from '../support/cases.ts';
import { sandboxTime } from '../support/platform-ledger.ts';

const service = useService({});

test('of several operators who decide a case at once, one decides and the others see the decision', async () => {
  const { sandbox, database } = service;
  const { db } = database;
  for (let round = 0; round < 3; round++) {
    const publisher = await sandbox.publisher();
    const { caseId } = await lowQualityCase(service, publisher);
    const now = await sandboxTime(sandbox);
    const deps = { db, clock: { now: () => now }, operatorIds: new Set<number>() };
    const decide = [clearCase, reverseCase, banForCase, clearCase, reverseCase];
    const outcomes = await Promise.all([
      ...decide.map((one, index) => one(deps, { caseId, operatorId: index + 1, reason: 'at once' })),
      // The job judges the same evidence meanwhile.
      runCasesJob(service).then(() => undefined),
    ]);
    const winners = outcomes.filter((one) => one?.kind === 'done' || (one?.kind === 'reversed' && one.count > 0));
    assert.equal(
      winners.length,
      1,
      JSON.stringify(outcomes, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
    const log = await db.query(`SELECT FROM operator_actions WHERE subject = $1 AND action LIKE 'case.%'`, [
      `case:${caseId}`,
    ]);
    assert.equal(log.length, 1);
    assert.equal((await casesOf(db, publisher.accountId)).length, 1, 'no second case about the same evidence');
  }
  await sandbox.assertBalanced();
});

test('two holds at once freeze the account once and write one line to the log', async () => {
  const { sandbox, database } = service;
  const publisher = await sandbox.publisher();
  const { caseId } = await lowQualityCase(service, publisher);
  const now = await sandboxTime(sandbox);
  const deps = { db: database.db, clock: { now: () => now } };
  const outcomes = await Promise.all(
    [1, 2].map((operatorId) => holdCase(deps, { caseId, operatorId, reason: 'twice' })),
  );
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['already_decided', 'done']);
});
