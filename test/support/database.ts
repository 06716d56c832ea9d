import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, type OpenDatabase, openDatabase, serviceMigrations } from '../../src/db/index.ts';
import { sandboxMigrations } from '../../src/sandbox/index.ts';

const TEMPLATE = 'sponsorgate_template';
const TEMPLATE_LOCK = 7_303_014_111;

export interface TestDatabase {
  readonly db: OpenDatabase;
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of its own for one test file, copied in milliseconds from a template that is migrated once per run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const admin = serverUrl();
  await ensureTemplate(admin);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(admin, async (client) => {
    // Copying needs the template to be unused, and another test process may be copying it this very moment.
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
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

/** An empty database without any schema, for processes that migrate it themselves. */
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

async function ensureTemplate(admin: string): Promise<void> {
  await onServer(admin, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount === 1) return;
    await client.query(`CREATE DATABASE ${TEMPLATE}_new`);
    await migrate(withDatabase(admin, `${TEMPLATE}_new`), [serviceMigrations, sandboxMigrations]);
    await client.query(`ALTER DATABASE ${TEMPLATE}_new RENAME TO ${TEMPLATE}`);
  });
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
