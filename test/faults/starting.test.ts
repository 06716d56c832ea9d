import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { assertBooks, query, taskStates } from '../support/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, runCommand, startProcess } from '../support/process.ts';
import { newUsers } from '../support/users.ts';
import { moveClock, tick } from '../support/workers.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await killAll();
  await database.drop();
});

/** Replaces curl on machines without it: its folder is the last one in the PATH. */
const CURL_STANDIN = `#!${process.execPath}
const args = process.argv.slice(2);
const after = (flag) => args.flatMap((arg, i) => (args[i - 1] === flag ? [arg] : []));
const url = args.find((arg) => arg.startsWith('http'));
const headers = Object.fromEntries(after('-H').map((header) => header.split(/: (.*)/s)));
fetch(url, { method: 'POST', headers, body: after('-d')[0] }).then((r) => r.text()).then((t) => process.stdout.write(t));
`;

test('the curl line that the start prints works when pasted into a shell', async () => {
  const service = await startProcess({ DATABASE_URL: database.url });
  const line = /^ *(curl .*)$/m.exec(service.stdout())?.[1];
  assert.ok(line, service.stdout());

  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-curl-'));
  try {
    await writeFile(join(folder, 'curl'), CURL_STANDIN);
    await chmod(join(folder, 'curl'), 0o755);
    const { stdout } = await promisify(execFile)('sh', ['-c', line], {
      env: { PATH: `${process.env.PATH}:${folder}` },
      timeout: 20_000,
    });
    const answer = JSON.parse(stdout);
    assert.equal(answer.status, 'warning');
    assert.ok(answer.sponsors.length > 0);
  } finally {
    await rm(folder, { recursive: true });
  }

  // The token of that line also gets 200 when it is sent without a shell.
  const token = /Demo token +(at_\S+)/.exec(service.stdout())?.[1] ?? '';
  const { status, body } = await service.sandbox.api(token, 'get-sponsors', { user_id: 100_002 });
  assert.deepEqual([status, body.status], [200, 'warning']);
  const page = /Sandbox page +(http\S+)/.exec(service.stdout())?.[1] ?? '';
  assert.equal((await fetch(page)).status, 200);
});

test("verify-ledger exits with 0 on a balanced ledger and with 1 and the account's name on a manipulated one", async () => {
  const service = await startProcess({ DATABASE_URL: database.url });
  const good = await runCommand(['verify-ledger'], { DATABASE_URL: database.url });
  assert.deepEqual([good.code, good.stderr], [0, '']);
  assert.match(good.stdout, /The ledger is balanced/);
  await service.end('SIGTERM');

  await query(
    database.url,
    "UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + 1 WHERE kind = 'available' AND owner_id = 2",
  );
  const tampered = await runCommand(['verify-ledger'], { DATABASE_URL: database.url });
  assert.deepEqual([tampered.code, tampered.stderr], [1, '']);
  assert.match(tampered.stdout, /available:2/);

  await query(
    database.url,
    "UPDATE ledger_accounts SET balance_kopecks = balance_kopecks - 1 WHERE kind = 'available' AND owner_id = 2",
  );
  await query(
    database.url,
    `INSERT INTO ledger_transfers (key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks, kind, created_at)
     VALUES ('forged', 'external', 2, 'available', 1, 100, 'deposit', now())`,
  );
  const forged = await runCommand(['verify-ledger'], { DATABASE_URL: database.url });
  assert.equal(forged.code, 1, forged.stdout);
});

test('processes with one role each do only the work of that role', async () => {
  const settings = { DATABASE_URL: database.url };
  // Telegram keeps the update types that a bot requested, so the bot role must have run once before.
  const before = await startProcess({ ...settings, ROLES: 'bot' });
  const hasAsked = async () =>
    (await query(database.url, 'SELECT FROM sandbox.tg_bots WHERE bot_id = 700000001 AND allowed_updates IS NOT NULL'))
      .length === 1;
  await eventually('the bot role asks for updates', hasAsked);
  await before.end('SIGTERM');
  const { sandbox: api } = await startProcess({ ...settings, ROLES: 'api' });
  await api.pauseAllOrders();
  const publisher = await api.publisher({ max_sponsors: 1 });
  const order = await api.advertise({ price_per_sub: 10, quantity: 3 });
  const [leaver = 0, stayer = 0, sleeper = 0] = newUsers(3);
  for (const user of [leaver, stayer, sleeper]) await api.getSponsors(publisher.token, user);
  for (const user of [leaver, stayer]) {
    await api.join(order.chatId, user, true);
    await api.confirm(publisher.token, user, order.orderId);
  }
  const states = () => taskStates(database.url, order.orderId);

  await api.leave(order.chatId, leaver);
  assert.deepEqual(await states(), { held: 2, shown: 1 }, 'a process without the bot role read updates');
  const { sandbox: bot } = await startProcess({ ...settings, ROLES: 'bot' });
  await eventually('the bot role hears of the leaving', async () => (await states()).reversed === 1);

  await moveClock(database.url, 24 * 3600);
  assert.deepEqual(await states(), { held: 1, shown: 1, reversed: 1 }, 'a process without the worker role settled');
  const { sandbox: worker } = await startProcess({ ...settings, ROLES: 'worker' });
  for (const job of ['settle-tasks', 'expire-tasks'] as const) await tick(database.url, job);
  await eventually(
    'the worker role settles and expires what is due',
    async () => (await states()).settled === 1 && (await states()).expired === 1,
  );
  assert.deepEqual(await states(), { expired: 1, reversed: 1, settled: 1 });
  await assertBooks(database.url);

  for (const other of [bot, worker]) {
    assert.equal((await other.api(publisher.token, 'get-sponsors', { user_id: stayer })).status, 404);
    assert.equal((await other.call('GET', `/statistic?api_token=${publisher.token}`)).status, 404);
    assert.deepEqual((await other.call('GET', '/api/v1/health')).body.status, 'ok');
  }
});
