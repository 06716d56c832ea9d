import { before } from 'node:test';
import type { Database } from '../../src/core/database.ts';

export interface KeptNotice {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Keeps a copy of every notice of a service, because the service deletes a notice when it has sent it. Returns a
 * function that reads the notices of an account, oldest first.
 */
export function keepNotices(service: {
  readonly database: { readonly db: Database };
}): (accountId: number) => Promise<KeptNotice[]> {
  before(async () => {
    const { db } = service.database;
    await db.query('CREATE TABLE kept_notices (id bigint, account_id bigint, kind text, data jsonb)');
    await db.query(
      `CREATE FUNCTION keep_notice() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN INSERT INTO kept_notices VALUES (new.id, new.account_id, new.kind, new.data); RETURN new; END $$`,
    );
    await db.query('CREATE TRIGGER keep_notice AFTER INSERT ON notices FOR EACH ROW EXECUTE FUNCTION keep_notice()');
  });
  return (accountId) =>
    service.database.db.query<{ kind: string; data: Record<string, unknown> }>(
      'SELECT kind, data FROM kept_notices WHERE account_id = $1 ORDER BY id',
      [accountId],
    );
}
