import { test } from 'node:test';
import { createEmptyDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
test('x', async () => {
  const d = await createEmptyDatabase();
  let t = performance.now();
  const p = await startProcess({ DATABASE_URL: d.url });
  console.log(performance.now() - t, p.url, p.stdout(), p.stderr());
  console.log(await p.end('SIGTERM'), p.stderr());
  t = performance.now();
  const q = await startProcess({ DATABASE_URL: d.url });
  console.log(performance.now() - t);
  await q.end('SIGKILL');
  await d.drop();
});
