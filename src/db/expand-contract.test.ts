import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations, requiredVersion, serviceMigrations } from './migrate.ts';

/** The files of the first schema. No version ran before them. */
const FIRST_SCHEMA = 24;

/** Replaces an empty table by a partitioned one with the same name, columns and key, under a lock. */
const UNNOTICED = ['0060-partitioned-memberships.sql'];

/** Statements that code of the version before could notice. */
const CONTRACTS: readonly RegExp[] = [
  /\bDROP (?:TABLE|COLUMN|FUNCTION|VIEW|SCHEMA|TYPE)\b/i,
  /\bRENAME (?:TO|COLUMN|CONSTRAINT)\b/i,
  /\bALTER COLUMN \w+ (?:SET DATA )?TYPE\b/i,
  /\bALTER COLUMN \w+ SET NOT NULL\b/i,
  /\bADD COLUMN (?:IF NOT EXISTS )?\w+ (?![^,;]*\bDEFAULT\b)[^,;]*\bNOT NULL\b/i,
];

test('a migration that the version before could notice is marked as a contract step', async () => {
  const files = await readMigrations(serviceMigrations.folder);
  const unmarked = files
    .filter(({ version, sql }) => version > FIRST_SCHEMA && requiredVersion(sql) === null)
    .filter(({ name }) => !UNNOTICED.includes(name))
    .filter(({ sql }) => CONTRACTS.some((pattern) => pattern.test(withoutComments(sql))))
    .map(({ name }) => name);
  assert.deepEqual(unmarked, []);
});

test('a contract step requires a migration that exists and came before it', async () => {
  const files = await readMigrations(serviceMigrations.folder);
  const wrong = files.filter(({ version, sql }) => {
    const required = requiredVersion(sql);
    return required !== null && (required >= version || !files.some((file) => file.version === required));
  });
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  );
});

test('the rule finds what it forbids, and lets expand steps pass', () => {
  const isContract = (sql: string): boolean => CONTRACTS.some((pattern) => pattern.test(sql));
  for (const sql of [
    'DROP TABLE plants',
    'ALTER TABLE plants DROP COLUMN size',
    'ALTER TABLE plants RENAME COLUMN size TO height',
    'ALTER TABLE plants ALTER COLUMN size TYPE bigint',
    'ALTER TABLE plants ALTER COLUMN size SET NOT NULL',
    'ALTER TABLE plants ADD COLUMN height integer NOT NULL',
  ]) {
    assert.ok(isContract(sql), sql);
  }
  for (const sql of [
    'CREATE TABLE plants (id integer NOT NULL)',
    'ALTER TABLE plants ADD COLUMN height integer',
    'ALTER TABLE plants ADD COLUMN height integer NOT NULL DEFAULT 0',
    'CREATE INDEX plants_height ON plants (height)',
  ]) {
    assert.ok(!isContract(sql), sql);
  }
});

const withoutComments = (sql: string): string => sql.replace(/--.*$/gm, '');
