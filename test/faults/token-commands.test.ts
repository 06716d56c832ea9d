import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createDataDir } from '../support/data-dir.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { killAll, runCommand, type Settings, startProcess } from '../support/process.ts';
import type { Sandbox } from '../support/sandbox.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await killAll();
  await database.drop();
});

const HOUR_SECONDS = 60 * 60;

async function succeed(args: readonly string[], settings: Settings): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, settings);
  assert.deepEqual([code, stderr], [0, ''], `${args.join(' ')}\n${stdout}`);
  return stdout;
}

async function refuse(args: readonly string[], settings: Settings, expected: RegExp): Promise<void> {
  const { code, stdout, stderr } = await runCommand(args, settings);
  assert.deepEqual([code, stdout], [1, ''], `${args.join(' ')}\n${stderr}`);
  assert.match(stderr, /^sponsorgate: [^\n]+\n$/, 'one line says what is wrong');
  assert.match(stderr, expected);
}

const statusOf = async (sandbox: Sandbox, token: string): Promise<number> =>
  (await sandbox.call('POST', '/api/v1/get-balance', {}, { auth: token })).status;
const isBeta = async (sandbox: Sandbox, token: string): Promise<boolean> =>
  (await sandbox.call('GET', '/api/v1/orders', undefined, { auth: token })).status === 200;
const tokenIn = (stdout: string): string => /^ {2}(at_[\w-]{43})$/m.exec(stdout)?.[1] ?? assert.fail(stdout);

test('help lists every command and needs no settings', async () => {
  for (const args of [['help'], ['--help'], ['-h'], ['rotate-token', '--help']]) {
    const stdout = await succeed(args, { PORT: 'nonsense' });
    for (const usage of [
      'start',
      'verify-ledger',
      'grant-beta <bot_username>',
      'revoke-beta <bot_username>',
      'rotate-token <bot_username>',
      'user-data <telegram_user_id>',
      'checkers',
      'add-checker',
      'remove-checker <bot_username>',
      'help',
    ]) {
      assert.ok(stdout.includes(`\n  ${usage} `), `${args.join(' ')} does not list ${usage}:\n${stdout}`);
    }
  }
});

test('beta access granted or revoked on the command line applies at once in every running process', async () => {
  const settings = { DATABASE_URL: database.url };
  const processes = [
    await startProcess({ ...settings, ROLES: 'api' }),
    await startProcess({ ...settings, ROLES: 'api' }),
  ];
  const [first] = processes;
  assert.ok(first);
  const { token } = await first.sandbox.publisher({ username: 'Quiz_Night_bot' });
  const everywhere = async (expected: boolean) => {
    for (const { sandbox } of processes) {
      await eventually(`beta is ${expected}`, async () => (await isBeta(sandbox, token)) === expected);
    }
  };
  await everywhere(false);
  assert.match(await succeed(['grant-beta', '@quiz_night_bot'], settings), /@Quiz_Night_bot has beta access/);
  await everywhere(true);
  assert.match(await succeed(['revoke-beta', 'Quiz_Night_bot'], settings), /@Quiz_Night_bot has no beta access/);
  await everywhere(false);
});

test("a token rotated on the command line works at once, and every process ends the old one by the service's clock", async () => {
  const settings = { DATABASE_URL: database.url };
  const first = await startProcess({ ...settings, ROLES: 'api' });
  const second = await startProcess({ ...settings, ROLES: 'api' });
  const { token: old } = await first.sandbox.publisher({ username: 'news_bot', beta: true });
  // A command that used the machine's clock would set an end that is days in the past.
  await first.sandbox.advance(100 * HOUR_SECONDS);
  const stdout = await succeed(['rotate-token', 'news_bot', '--grace-hours=1'], settings);
  const token = tokenIn(stdout);
  assert.match(stdout, /old tokens work until \d{4}-\d\d-\d\dT/);
  for (const { sandbox } of [first, second]) {
    assert.deepEqual([await statusOf(sandbox, old), await statusOf(sandbox, token)], [200, 200]);
    assert.ok(await isBeta(sandbox, token), 'the scopes are the same');
  }
  await first.sandbox.advance(HOUR_SECONDS);
  assert.equal(await statusOf(first.sandbox, old), 401);
  await eventually('the other process refuses it', async () => (await statusOf(second.sandbox, old)) === 401);

  const last = tokenIn(await succeed(['rotate-token', 'news_bot', '--grace-hours', '0'], settings));
  for (const { sandbox } of [first, second]) {
    await eventually('the token is refused', async () => (await statusOf(sandbox, token)) === 401);
    assert.equal(await statusOf(sandbox, last), 200);
  }
});

test('an impossible command is rejected with one line and creates nothing', async () => {
  const settings = { DATABASE_URL: database.url };
  for (const command of ['grant-beta', 'revoke-beta', 'rotate-token']) {
    await refuse([command], settings, new RegExp(`use: sponsorgate ${command} <bot_username>`));
  }
  await refuse(['grant-beta', 'a_bot', 'b_bot'], settings, /use: sponsorgate grant-beta/);
  await refuse(['grant-beta', 'a_bot', '--grace-hours=1'], settings, /use: sponsorgate grant-beta/);
  await refuse(['revoke-beta', "x'; --"], settings, /use: sponsorgate revoke-beta/);
  await refuse(['rotate-token', 'nobody_bot'], settings, /there is no bot @nobody_bot/);
  for (const hours of ['169', '-1', '1.5', 'x', '']) {
    await refuse(['rotate-token', 'a_bot', `--grace-hours=${hours}`], settings, /--grace-hours must be .* 0 to 168/);
  }

  const empty = await createEmptyDatabase();
  try {
    await refuse(['grant-beta', 'a_bot'], { DATABASE_URL: empty.url }, /this database is empty/);
  } finally {
    await empty.drop();
  }
  const dataDir = await createDataDir();
  try {
    const absent = join(dataDir.path, 'absent');
    await refuse(['grant-beta', 'a_bot'], { DATA_DIR: absent }, /there is no DATA_DIR/);
    assert.ok(!existsSync(absent));
  } finally {
    await dataDir.remove();
  }
});

test('the commands work on the embedded database while the service is stopped, and explain why not while it runs', async () => {
  const dataDir = await createDataDir();
  const settings = { DATA_DIR: dataDir.path };
  try {
    const before = await startProcess(settings);
    await refuse(['revoke-beta', 'demo_publisher_bot'], settings, new RegExp(`pid ${before.pid}\\b.*stop it`));
    await before.end('SIGTERM');
    await succeed(['revoke-beta', 'demo_publisher_bot'], settings);
    const token = tokenIn(await succeed(['rotate-token', 'demo_publisher_bot'], settings));

    const { sandbox } = await startProcess(settings);
    assert.equal(await statusOf(sandbox, token), 200);
    assert.ok(!(await isBeta(sandbox, token)));
  } finally {
    await killAll();
    await dataDir.remove();
  }
});
