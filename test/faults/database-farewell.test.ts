import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { DatabaseUnavailable } from '../../src/core/database.ts';
import { openDatabase } from '../../src/db/index.ts';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const WELCOME = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const FAREWELL = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

/**
 * The campaign found this when it killed PostgreSQL. When "ready" and the fatal error arrive in one packet, the pool
 * has handed out the connection, but the caller does not have it yet. The error had no listener and ended the process.
 */
test('a server killed while it accepts a connection fails the transaction and does not end the process', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([WELCOME, READY, FAREWELL])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const db = openDatabase({ url: `postgres://nobody:x@127.0.0.1:${port}/none`, onError: () => undefined });
  t.after(async () => {
    await db.close();
    server.close();
  });
  for (let attempt = 0; attempt < 5; attempt++) {
    await assert.rejects(
      db.transaction((tx) => tx.query('SELECT 1')),
      DatabaseUnavailable,
    );
    await assert.rejects(db.query('SELECT 1'), DatabaseUnavailable);
  }
});
