import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, type OpenDatabase, openDatabase, serviceMigrations } from '../../src/db/index.ts';
import { sandboxMigrations } from '../../src/sandbox/index.ts';

/** A template database. A run fills it once, which takes seconds; a copy takes milliseconds. */
export interface Template {
  readonly name: string;
  fill(url: string): Promise<void>;
}

/** Contains the schema and no rows. */
const SCHEMA: Template = {
  name: 'schema_template',
  async fill(url) {
    await migrate(url, [sandboxMigrations, serviceMigrations]);
  },
};

const TEMPLATE_LOCK = 7_303_014_111;

export interface TestDatabase {
  readonly db: OpenDatabase;
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database for one test file as a copy of a template. */
export async function createTestDatabase(template: Template = SCHEMA): Promise<TestDatabase> {
  const admin = serverUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(admin, async (client) => {
    // The lock prevents two processes from filling the same template, and from copying a template that is in use.
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(client, admin, template);
    // Copying files costs a third of the default strategy, which writes every page to the write-ahead log.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY file_copy`);
  });
  const url = withDatabase(admin, name);
  const db = openDatabase({ url, onError: () => undefined });
  return {
    db,
    url,
    async drop() {
      await db.close();
      await onServer(admin, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Creates an empty database without a schema, for processes that run the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const admin = serverUrl();
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onServer(admin, (client) => client.query(`CREATE DATABASE ${name}`));
  return {
    url: withDatabase(admin, name),
    async drop() {
      await onServer(admin, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function ensureTemplate(client: pg.Client, admin: string, { name, fill }: Template): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 1) return;
  // Fill it under another name, so that an interrupted run does not leave an incomplete template.
  const unfinished = `${name}_unfinished`;
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${unfinished}`);
  await fill(withDatabase(admin, unfinished));
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

function serverUrl(): string {
  const url = process.env.SPONSORGATE_TEST_DATABASE_URL;
  if (url === undefined) throw new Error('run the tests with `npm test` (it starts the PostgreSQL that they need)');
  return url;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
