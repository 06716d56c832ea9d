import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { openDatabase } from '../../src/db/index.ts';
import { deposit, openAccount } from '../../src/modules/accounts/index.ts';
import { issueToken, registerBot } from '../../src/modules/bots/index.ts';
import { orderIn } from '../support/advertiser.ts';
import { assertBooks } from '../support/books.ts';
import { createDataDir, type DataDir } from '../support/data-dir.ts';
import { killAll, runCommand, type Settings, startProcess } from '../support/process.ts';
import { freshUser } from '../support/sandbox.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guides/backup.md');
const DAY_SECONDS = 24 * 60 * 60;

let guide: string;
let folder: string;
let original: DataDir;
let restored: DataDir;
before(async () => {
  guide = await readFile(GUIDE, 'utf8');
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sponsorgate-backup-'));
  original = await createDataDir();
  restored = await createDataDir();
});
afterEach(async () => {
  await killAll();
  for (const dataDir of [original, restored]) await dataDir.remove();
  await rm(folder, { recursive: true, force: true });
});
after(killAll);

const backup = (): string => join(folder, 'sponsorgate.tgz');

/** Runs a block of the guide unchanged, in a shell that stops at the first failure. */
async function follow(
  block: 'embedded backup' | 'embedded restore',
  dataDir: DataDir,
): Promise<{ code: number; stderr: string }> {
  const marker = `<!-- tried by test/faults/backup.test.ts: ${block} -->\n\`\`\`sh\n`;
  const begin = guide.indexOf(marker) + marker.length;
  assert.ok(begin > marker.length, `the guide has no block "${block}"`);
  const script = guide.slice(begin, guide.indexOf('```', begin));
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir.path, BACKUP: backup() };
  return new Promise((resolve) => {
    execFile('sh', ['-euc', script], { env, timeout: 60_000 }, (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stderr });
    });
  });
}

async function succeed(block: 'embedded backup' | 'embedded restore', dataDir: DataDir): Promise<void> {
  assert.deepEqual(await follow(block, dataDir), { code: 0, stderr: '' });
}

async function examine(settings: Settings): Promise<{ code: number | null; stdout: string }> {
  const { code, stdout } = await runCommand(['doctor'], { PORT: '1', ...settings });
  return { code, stdout };
}

test("a sandbox that is backed up, destroyed and restored with the guide's commands continues with the same data", async () => {
  const first = await startProcess({ DATA_DIR: original.path });
  const { sandbox } = first;
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise({ type: 'bot', price_per_sub: 10, quantity: 5, hold_hours: 24 });
  const [counted, shown] = [freshUser(), freshUser()];
  assert.equal((await sandbox.subscribe(publisher.token, order, counted)).credit_status, 'hold');
  const tasks = await sandbox.getSponsors(publisher.token, shown);
  await first.end('SIGTERM');

  await succeed('embedded backup', original);
  assert.equal((await stat(backup())).mode & 0o077, 0, 'nobody else can read the backup');
  await original.remove();
  await succeed('embedded restore', restored);
  const healthy = await examine({ DATA_DIR: restored.path });
  assert.equal(healthy.code, 0, healthy.stdout);
  assert.match(healthy.stdout, /^ok +ledger /m);
  assert.match(healthy.stdout, /^ok +secret key +opens/m);

  const { sandbox: again } = await startProcess({ DATA_DIR: restored.path });
  await again.assertBalanced();
  assert.deepEqual(await again.money(publisher.token), { balance: 0, hold_balance: 7 }, 'the token works');
  assert.deepEqual(await again.getSponsors(publisher.token, shown), tasks, 'tasks that were open are');
  assert.equal((await again.confirm(publisher.token, counted, order.orderId)).code, 'counted', 'nobody counts twice');
  await again.join(order.chatId, shown);
  assert.equal(
    (await again.confirm(publisher.token, shown, order.orderId)).credited,
    7,
    'an encrypted bot token opens',
  );
  await again.advance(DAY_SECONDS);
  assert.deepEqual(await again.money(publisher.token), { balance: 14, hold_balance: 0 }, 'holds end when they were to');
  await assertBooks(await restored.url());
});

test('the backup of a live service contains the secret key, and doctor reports a missing or different key', async () => {
  const settings = {
    TELEGRAM_BOT_TOKEN: '123456:AAAAAAAAAAAAAAAAAAAAAAAAAA',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:1', // no test here calls Telegram
    ROLES: 'api',
  };
  const first = await startProcess({ ...settings, DATA_DIR: original.path });
  const secretKey = await readFile(join(original.path, 'secret.key'), 'utf8');
  const token = await fill(await original.url(), secretKey.trim());
  await first.end('SIGTERM');

  await succeed('embedded backup', original);
  await original.remove();
  await succeed('embedded restore', restored);
  const onRestored = { ...settings, DATA_DIR: restored.path };
  assert.equal(await readFile(join(restored.path, 'secret.key'), 'utf8'), secretKey);
  assert.match((await examine(onRestored)).stdout, /^ok +secret key +opens/m);
  const second = await startProcess(onRestored);
  assert.equal((await second.sandbox.balance(token)).balance, 100, 'the token works and the money is there');
  await second.end('SIGTERM');

  const another = await examine({ ...onRestored, SECRET_KEY: 'another-key-another-key-another-key' });
  assert.match(another.stdout, /^fail +secret key +is not the one/m);
  await rm(join(restored.path, 'secret.key'));
  const missing = await examine(onRestored);
  assert.deepEqual([missing.code, /^fail +secret key +is gone/m.test(missing.stdout)], [1, true], missing.stdout);
});

/**
 * Creates an account with money, a bot with a token, and an order with an encrypted bot token. Returns the API token.
 */
async function fill(url: string, secretKey: string): Promise<string> {
  const db = openDatabase({ url, onError: () => undefined });
  const at = systemClock.now();
  try {
    return await db.transaction(async (tx) => {
      const account = await openAccount(tx, { telegramUserId: freshUser(), name: 'A customer', at });
      await deposit(tx, { accountId: account.id, amountKopecks: 20_000n, key: `backup:${account.id}`, at });
      const bot = await registerBot(tx, { accountId: account.id, username: 'backed_up_bot', at });
      assert.ok(bot);
      const outcome = await orderIn(tx, {
        accountId: account.id,
        resource: { type: 'bot', chatId: 4242, botToken: '4242:advertiser' },
        secrets: createSecrets(secretKey),
      });
      assert.equal(outcome.kind, 'created');
      return issueToken(tx, { botId: bot.id, scopes: [], at });
    });
  } finally {
    await db.close();
  }
}

test("the guide's commands refuse to back up a running or killed database and to restore over another one", async () => {
  const settings = { DATA_DIR: original.path };
  const service = await startProcess(settings);
  const inUse = await follow('embedded backup', original);
  assert.deepEqual([inUse.code, /still runs/.test(inUse.stderr)], [1, true], inUse.stderr);
  await service.end('SIGKILL');
  assert.equal((await follow('embedded backup', original)).code, 1);
  assert.deepEqual(await readdir(folder), [], 'nothing was written');

  // The killed service left its server running. `doctor` stops that server, starts its own, and stops it cleanly.
  assert.equal((await examine(settings)).code, 0);
  await succeed('embedded backup', original);
  const over = await follow('embedded restore', original);
  assert.deepEqual([over.code, /not empty/.test(over.stderr)], [1, true], over.stderr);
  assert.ok(existsSync(join(original.path, 'postgres/cluster/PG_VERSION')));
});
