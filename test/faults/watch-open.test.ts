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

test('open event streams of the sandbox pages do not delay the stop, and the process exits with 0', async () => {
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
  // A process that exceeds its stop timeout exits with 1.
  assert.equal((await service.end('SIGTERM')).code, 0);
  for (const bytes of await Promise.all(endings)) assert.ok(bytes > 0, 'a stream ended before it said anything');
});
