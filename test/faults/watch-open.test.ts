import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, startProcess } from '../support/process.ts';

let database: TestDatabase | undefined;
afterEach(async () => {
  await killAll();
  await database?.drop();
  database = undefined;
});

test('pages that watch the sandbox do not hold up the stop: their streams end, and the process with 0', async () => {
  database = await createTestDatabase();
  const service = await startProcess({ DATABASE_URL: database.url });
  const streams = await Promise.all(
    [1, 2, 3].map(async (person) => (await fetch(`${service.url}/sandbox/watch?person=${person}`)).body),
  );
  const endings = streams.map(async (stream) => {
    let bytes = 0;
    for await (const chunk of stream ?? []) bytes += chunk.length;
    return bytes;
  });
  // Past the limit of ten seconds a process ends itself with 1.
  assert.equal((await service.end('SIGTERM')).code, 0);
  for (const bytes of await Promise.all(endings)) assert.ok(bytes > 0, 'a stream ended before it said anything');
});
