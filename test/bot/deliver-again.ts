import assert from 'node:assert/strict';
import { Person } from '../support/person.ts';
import type { TestService } from '../support/service.ts';

type Running = Pick<TestService, 'database' | 'sandbox'>;

/** Copies all updates that the emulated Telegram delivers from now on. */
export async function keepUpdates({ database }: Running): Promise<void> {
  await database.db.query('CREATE TABLE sandbox.kept_updates (LIKE sandbox.tg_updates)');
  await database.db.query(
    `CREATE FUNCTION sandbox.keep_update() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN INSERT INTO sandbox.kept_updates SELECT new.*; RETURN new; END $$`,
  );
  await database.db.query(
    `CREATE TRIGGER keep_update AFTER INSERT ON sandbox.tg_updates FOR EACH ROW EXECUTE FUNCTION sandbox.keep_update()`,
  );
}

/**
 * Delivers a person's newest message or press with this text or data again, with its old update id, as Telegram does
 * when the first delivery was not acknowledged. Resolves when the bot has handled it again.
 */
export async function deliverAgain({ database, sandbox }: Running, person: Person, text: string): Promise<void> {
  const again = await database.db.query(
    `INSERT INTO sandbox.tg_updates
     SELECT * FROM (SELECT DISTINCT ON (update_id) * FROM sandbox.kept_updates) AS kept
     WHERE coalesce(body->'message'->>'text', body->'callback_query'->>'data') = $2
       AND coalesce(body->'message'->'from'->>'id', body->'callback_query'->'from'->>'id') = $1
     ORDER BY update_id DESC LIMIT 1 RETURNING update_id`,
    [String(person.id), text],
  );
  assert.equal(again.length, 1, `${person.id} never sent “${text}”`);
  // This message wakes the poller, which then gets both updates. The older one is handled when this one is.
  const bystander = await Person.arrive(sandbox, { language_code: 'en' });
  await bystander.say('/start');
}
