import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { query } from '../support/books.ts';
import { createPlainRole, goOn, type PlainRole, useService } from '../support/plain-role.ts';
import { killAll, runCommand } from '../support/process.ts';

const adminUrl = process.env.SPONSORGATE_TEST_DATABASE_URL ?? '';
let role: PlainRole;
beforeEach(async () => {
  role = await createPlainRole(adminUrl);
});
afterEach(async () => {
  await killAll();
  await role.drop();
});
after(killAll);

test('the service runs as a role that owns an empty database and is not a superuser', async () => {
  const url = await role.createDatabase();
  const used = await useService(url);
  await goOn(url, used);

  // A dump of the schema contains these statements. The npm package has no pg_dump 18 to create one.
  const functions = await query<{ text: string }>(
    url,
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc
     WHERE pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'sandbox')) AND prokind = 'f'`,
  );
  assert.ok(functions.length > 5);
  for (const { text } of functions) await query(url, text);
});

test('a database of another role stops the start with one line, and doctor names the missing rights', async () => {
  const url = await role.createDatabase(false);
  const advice = /the role of DATABASE_URL has to own the database/;
  const started = await runCommand(['start'], { DATABASE_URL: url, PORT: '0' });
  assert.equal(started.code, 1);
  const [line = '', ...more] = started.stderr.split('\n').filter((text) => text.startsWith('sponsorgate: '));
  assert.match(line, /permission denied/);
  assert.match(line, advice);
  assert.deepEqual(more, []);
  assert.doesNotMatch(started.stderr, /^ +at /m, 'no stack');

  const { code, stdout } = await runCommand(['doctor'], { DATABASE_URL: url, PORT: '1' });
  assert.equal(code, 1);
  assert.match(stdout, /^fail +database role +role plain_\w+ may not create tables and schemas/m);
  assert.match(stdout, advice);
});

test('a failing migration stops the start with one line, and doctor repeats the reason', async () => {
  const url = await role.createDatabase();
  await query(url, 'CREATE TABLE accounts (id integer)'); // a table of another program
  const started = await runCommand(['start'], { DATABASE_URL: url, PORT: '0' });
  assert.equal(started.code, 1);
  assert.match(
    started.stderr,
    /^sponsorgate: migration 0002-accounts\.sql failed: relation "accounts" already exists$/m,
  );
  assert.doesNotMatch(started.stderr, /^ +at /m, 'no stack');

  const { code, stdout } = await runCommand(['doctor'], { DATABASE_URL: url, PORT: '1' });
  assert.equal(code, 1);
  assert.match(stdout, /^fail +schema +migration 0002-accounts\.sql failed at the last start \(relation "accounts"/m);

  await query(url, 'DROP TABLE accounts');
  await useService(url); // also runs doctor
});
