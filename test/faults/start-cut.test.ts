import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, startProcess } from '../support/process.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await killAll();
  await database.drop();
});

/** Opens a proxy that closes all connections once, when the service first sends these words. */
async function hangUpAt(words: string): Promise<{ url: string; close(): void }> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  let isArmed = true;
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
      socket.on('data', (piece: Buffer) => {
        if (!isArmed || !piece.includes(words)) other.write(piece);
        else {
          isArmed = false;
          for (const one of sockets) one.destroy();
        }
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.url);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close: () => void server.close() };
}

/**
 * The campaign found this: resources opened before the failure kept the process alive. It served no requests and never
 * exited, so no supervisor restarted it.
 */
for (const [role, words] of [
  ['worker', 'verify-ledger'], // while it creates the queues
  ['bot', 'tg_bots'], // while it opens the sandbox
  ['api', 'LISTEN "sponsorgate_changes"'],
] as const) {
  test(`a ${role} whose connections are cut at “${words}” during its start runs or exits with an error`, async (t) => {
    const wire = await hangUpAt(words);
    const service = await startProcess({ DATABASE_URL: wire.url, ROLES: role }, 'launched');
    t.after(async () => {
      await service.end('SIGKILL');
      wire.close();
    });
    const deadline = AbortSignal.timeout(40_000);
    const isUp = (): boolean => service.stdout().includes('Stop with');
    let exit: { readonly code: number | null } | undefined;
    void service.exited.then((ended) => {
      exit = ended;
    });
    while (exit === undefined && !isUp() && !deadline.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(exit !== undefined || isUp(), `neither up nor ended:\n${service.stderr()}`);
    if (exit !== undefined) assert.equal(exit.code, 1, service.stderr());
  });
}
