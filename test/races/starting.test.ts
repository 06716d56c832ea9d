import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertBooks, query } from '../support/books.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { killAll, startProcess } from '../support/process.ts';
import { range } from '../support/users.ts';

let database: { url: string; drop(): Promise<void> };
before(async () => {
  database = await createEmptyDatabase();
});
after(async () => {
  await killAll();
  await database.drop();
});

test('processes that start at once on an empty database all become ready, and the demo data exists once', async () => {
  const processes = await Promise.all(range(3).map(() => startProcess({ DATABASE_URL: database.url })));

  const [written] = await query<Record<string, number>>(
    database.url,
    `SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM bots) AS bots,
            (SELECT count(*)::int FROM api_tokens) AS tokens, (SELECT count(*)::int FROM orders) AS orders,
            (SELECT count(*)::int FROM sandbox.tg_chats) AS channels,
            (SELECT count(*)::int FROM ledger_transfers WHERE kind = 'deposit') AS deposits`,
  );
  assert.deepEqual(written, { accounts: 4, bots: 1, tokens: 1, orders: 6, channels: 6, deposits: 3 });
  await assertBooks(database.url);

  const states = await Promise.all(processes.map(({ sandbox }) => sandbox.control('GET', '/state')));
  const token = states[0].bots[0].api_token;
  for (const [n, { sandbox }] of processes.entries()) {
    assert.equal(states[n].bots[0].api_token, token, 'the processes disagree on the demo token');
    assert.equal((await sandbox.getSponsors(token, 100_001)).length, 5);
  }
});
