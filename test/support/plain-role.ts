import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { query } from './books.ts';
import { runCommand, type ServiceProcess, startProcess } from './process.ts';
import { freshUser } from './sandbox.ts';

/** A role with the right to log in and no other rights, as `CREATE ROLE … LOGIN` creates it. */
export interface PlainRole {
  /**
   * Creates an empty database that the role owns, or the superuser when `isOwner` is false. Returns its URL for the
   * role.
   */
  createDatabase(isOwner?: boolean): Promise<string>;
  drop(): Promise<void>;
}

export async function createPlainRole(adminUrl: string): Promise<PlainRole> {
  const role = `plain_${randomBytes(6).toString('hex')}`;
  const databases: string[] = [];
  await query(adminUrl, `CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
  return {
    async createDatabase(isOwner = true) {
      const name = `${role}_${databases.length}`;
      await query(adminUrl, `CREATE DATABASE ${name} ${isOwner ? `OWNER ${role}` : ''}`);
      databases.push(name);
      const url = new URL(adminUrl);
      Object.assign(url, { username: role, password: 'plain', pathname: `/${name}` });
      return url.href;
    },
    async drop() {
      for (const name of databases) await query(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await query(adminUrl, `DROP ROLE ${role}`);
    },
  };
}

const DAY_SECONDS = 24 * 60 * 60;

/** The data that a test expects to find again after a restore. */
export interface Used {
  readonly token: string;
  readonly balance: number;
}

/** Starts the service on a database, pays a subscription, folds its transfers, stops the service, and runs `doctor`. */
export async function useService(databaseUrl: string): Promise<Used> {
  const service = await startProcess({ DATABASE_URL: databaseUrl });
  const { sandbox } = service;
  await sandbox.pauseAllOrders();
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise({ price_per_sub: 10, quantity: 5, hold_hours: 24 });
  assert.equal((await sandbox.subscribe(publisher.token, order, freshUser())).credit_status, 'hold');
  await sandbox.advance(DAY_SECONDS);
  const { balance } = await sandbox.money(publisher.token);
  assert.equal(balance, 7);
  const [folded] = await query<{ count: number }>(
    databaseUrl,
    "SELECT fold_transfers(now() + interval '2 days', 1000) AS count",
  );
  assert.ok((folded?.count ?? 0) > 0);
  await assertInOrder(databaseUrl, service);
  return { token: publisher.token, balance };
}

/** Asserts that the service continues with the stored balances. */
export async function goOn(databaseUrl: string, { token, balance }: Used): Promise<void> {
  const service = await startProcess({ DATABASE_URL: databaseUrl });
  assert.equal((await service.sandbox.money(token)).balance, balance);
  await assertInOrder(databaseUrl, service);
}

async function assertInOrder(databaseUrl: string, service: ServiceProcess): Promise<void> {
  await service.sandbox.assertBalanced();
  assert.equal((await service.end('SIGTERM')).code, 0);
  const doctor = await runCommand(['doctor'], { DATABASE_URL: databaseUrl, PORT: '1' });
  assert.equal(doctor.code, 0, doctor.stdout);
  assert.match(doctor.stdout, /^ok +ledger /m);
  assert.match(doctor.stdout, /^ok +schema +all migrations are applied/m);
}
