import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml } from '../../src/core/html.ts';
import { useService } from '../api/use-service.ts';
import { Visitor } from '../console/visitor.ts';
import { Person } from '../support/person.ts';
import { linesOf, serverSources } from './sources.ts';

const service = useService();
const NASTY = `<a href="tg://user?id=1">Free</a> & <b>'bold'</b>`;

test('names are escaped in every message of the bot', async () => {
  const { sandbox } = service;
  const person = await Person.arrive(sandbox, { first_name: NASTY, language_code: 'en' });
  await person.say('/start');
  const { account_id: accountId } = await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 1_000 });
  const order = await sandbox.advertise({ account_id: accountId, name: NASTY, title: NASTY, quantity: 5 });
  await person.say('/start');
  await person.press('My orders');
  const page = await person.press(`#${order.orderId}`);
  assert.ok(page.text.includes(NASTY), page.text);

  const rows = await service.database.db.query<{ entities: readonly { type: string }[] }>(
    'SELECT entities FROM sandbox.tg_messages WHERE chat_id = $1 AND NOT from_person',
    [person.id],
  );
  const links = rows.flatMap(({ entities }) => entities).filter(({ type }) => type === 'text_link');
  assert.ok(rows.length > 0);
  assert.deepEqual(links, [], 'a name became a link');
});

test('names are escaped on every page of the console', async () => {
  const { sandbox } = service;
  const visitor = await Visitor.signedIn(sandbox, { name: NASTY, deposit: 1_000 });
  await sandbox.advertise({ account_id: visitor.accountId, name: NASTY, title: NASTY, quantity: 5 });
  let shown = 0;
  for (const path of ['/console', '/console/orders', '/console/bots', '/console/sessions', '/console/history']) {
    const { status, text } = await visitor.get(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /tg:\/\/user\?id=1">|<b>'bold'/, path);
    if (text.includes(escapeHtml(NASTY).slice(0, 20))) shown += 1;
  }
  assert.ok(shown >= 2, 'the pages do not even show it');
});

test('only the escaping template creates markup', async () => {
  const made = linesOf(await serverSources(), /new Html\(/).filter((line) => !line.startsWith('src/core/html.ts'));
  assert.deepEqual(made, []);
});
