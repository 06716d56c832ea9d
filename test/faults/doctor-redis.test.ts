import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createDataDir, type DataDir } from '../support/data-dir.ts';
import { examineFor } from '../support/doctor.ts';
import { killAll } from '../support/process.ts';

let dataDir: DataDir;
before(async () => {
  dataDir = await createDataDir();
});
after(async () => {
  await killAll();
  await dataDir.remove();
});

const examine = (redisUrl: string): Promise<string> =>
  examineFor('redis', { DATA_DIR: dataDir.path, PORT: '1', REDIS_URL: redisUrl });

test('doctor prints no line about Redis when none is configured', async () => {
  assert.equal(await examine(''), '');
});

test('an unreachable Redis fails with advice and without the password', async () => {
  const found = await examine('redis://me:hunter2hunter2@127.0.0.1:1');
  assert.match(found, /^fail redis does not answer \(.*ECONNREFUSED.*\): check REDIS_URL/);
  assert.ok(!found.includes('hunter2'));
});

test('doctor times out on a server that accepts the connection and never replies', async () => {
  const open = new Set<Socket>();
  const silent = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const { port } = silent.address() as AddressInfo;
    assert.match(await examine(`redis://127.0.0.1:${port}`), /^fail redis does not answer \(no answer within \d+ ms\)/);
    assert.ok(open.size > 0);
  } finally {
    for (const socket of open) socket.destroy();
    silent.close();
  }
});
