/**
 * `npm run drill:backup`: follows docs/guides/point-in-time.md on a cluster of its own. It takes a backup under a real
 * service, makes a mistake, restores to the second before it, and checks the ledger and every acknowledged confirm.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { killAll, runCommand, startProcess } from '../support/process.ts';
import { freshUser, type Sandbox } from '../support/sandbox.ts';
import { createCluster } from './cluster.ts';
import { readBlock } from './guide.ts';

const PROGRAMS = process.env.SPONSORGATE_DRILL_POSTGRES ?? '/usr/lib/postgresql/15/bin';
const BEFORE_BACKUP = 5;
const AFTER_BACKUP = 20;
/** A person in psql who forgets the WHERE. */
const MISTAKE = 'UPDATE ledger_accounts SET balance_kopecks = 0; DELETE FROM counted_subscriptions';

let stepBegan = performance.now();
function say(step: string, result: string): void {
  const seconds = ((performance.now() - stepBegan) / 1_000).toFixed(1);
  console.log(`${step.padEnd(22)} ${result} (${seconds} s)`);
  stepBegan = performance.now();
}

function requirePrograms(): void {
  const hasPgBackRest = (): boolean => {
    try {
      return execFileSync('pgbackrest', ['version'], { stdio: 'pipe' }).length > 0;
    } catch {
      return false;
    }
  };
  if (existsSync(`${PROGRAMS}/pg_ctl`) && hasPgBackRest()) return;
  console.error(
    'the drill needs pgBackRest and PostgreSQL 15: apt-get install pgbackrest postgresql-15 (or set SPONSORGATE_DRILL_POSTGRES)',
  );
  process.exit(1);
}

/** Shows, joins and confirms a task of the order for new users, one after the other. Returns the users. */
async function subscribeMany(sandbox: Sandbox, token: string, order: Order, count: number): Promise<number[]> {
  const users = Array.from({ length: count }, freshUser);
  for (const user of users) {
    assert.equal((await sandbox.subscribe(token, order, user)).credit_status, 'hold');
  }
  return users;
}

type Order = Awaited<ReturnType<Sandbox['advertise']>>;

requirePrograms();
const cluster = await createCluster(PROGRAMS);
try {
  say('cluster', (await cluster.shell('postgres --version')).trim());
  await cluster.shell(await readBlock('archive'));
  say('archive', 'the write-ahead log arrives in the archive');

  const settings = { DATABASE_URL: cluster.url };
  const service = await startProcess(settings);
  const { sandbox } = service;
  await sandbox.pauseAllOrders();
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 1_000, hold_hours: 24 });
  const users = await subscribeMany(sandbox, token, order, BEFORE_BACKUP);
  await cluster.shell(await readBlock('backup'));
  say('backup', `full, under a service with ${users.length} subscriptions`);

  users.push(...(await subscribeMany(sandbox, token, order, AFTER_BACKUP)));
  const money = await sandbox.money(token);
  await sleep(2_000); // the restored second is after the last confirm
  // The clock of PostgreSQL decides: its log has the time of each commit.
  const mistake = `psql -d sponsorgate -qAtc "SELECT now() - interval '1 second'" -c "${MISTAKE}"`;
  const target = (await cluster.shell(mistake)).trim();
  const broken = await runCommand(['verify-ledger'], settings);
  assert.equal(broken.code, 1, 'the mistake is a real one');
  assert.equal((await service.end('SIGTERM')).code, 0);
  say('mistake', `${users.length} subscriptions deleted, every balance 0; verify-ledger: ${lastLine(broken.stdout)}`);

  await cluster.shell(await readBlock('restore'), { TARGET: target });
  say('restore', `to ${target}, a second before the mistake`);

  const verified = await runCommand(['verify-ledger'], settings);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  const restored = await startProcess(settings);
  assert.deepEqual(await restored.sandbox.money(token), money);
  for (const user of users) {
    const repeated = await restored.sandbox.confirm(token, user, order.orderId);
    assert.equal(repeated.credit_status, 'hold', `the acknowledged confirm of user ${user} is there`);
  }
  assert.deepEqual(await restored.sandbox.money(token), money, 'repeated confirms pay nothing');
  say(
    'checked',
    `${users.length} of ${users.length} acknowledged confirms are there, nothing is paid twice; ${lastLine(verified.stdout)}`,
  );

  const more = await subscribeMany(restored.sandbox, token, order, 2);
  await restored.sandbox.advance(24 * 60 * 60);
  assert.equal((await restored.sandbox.money(token)).hold_balance, 0);
  await restored.sandbox.assertBalanced();
  await cluster.shell(await readBlock('backup'));
  say('went on', `${more.length} new subscriptions, all settled after a day, and a full backup of the new timeline`);
} finally {
  await killAll();
  await cluster.remove();
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
