import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Visitor } from '../console/visitor.ts';
import { freshUser } from '../support/sandbox.ts';

/** Bugs that fuzzing found. Each of these requests once got status 500. */
const service = useService();

async function post(
  path: string,
  body: string,
  token = '',
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { 'content-type': 'application/json', auth: token };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

test('get-sponsors accepts unpaired surrogates in any text', async () => {
  const { token } = await service.sandbox.publisher();
  await service.sandbox.advertise();
  for (const half of ['\\ud800', '\\udc00\\ud800', 'ru\\ud83d']) {
    const fields = `"first_name":"${half}","username":"${half}","language_code":"${half}"`;
    const answer = await post('/api/v1/get-sponsors', `{"user_id":${freshUser()},${fields}}`, token);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.status, 'warning');
  }
});

test('a profile stores the fields that it has and ignores the rest of the body', async () => {
  const user = freshUser();
  const answer = await post(`/sandbox/profiles/${user}`, '{"country":"RU","\\u0000":1,"favourite_colour":"red"}');
  assert.equal(answer.status, 204);
  const rows = await service.database.db.query('SELECT field FROM audience_values WHERE user_id = $1', [user]);
  assert.deepEqual(rows, [{ field: 'country' }]);
});

test('the console drops zero bytes in forms', async () => {
  const visitor = await Visitor.signedIn(service.sandbox);
  const { botId } = await service.sandbox.publisher({ account_id: visitor.accountId });
  await visitor.get(`/console/bots/${botId}`);
  const answer = await visitor.post(`/console/bots/${botId}/new-token`, { key: '\0', grace: '0' });
  assert.ok(answer.status < 500, answer.text.slice(0, 500));
});

test('the emulated Bot API rejects invalid text, as Telegram does', async () => {
  const { token } = await service.sandbox.control('POST', '/chats', { type: 'bot', title: 'A bot' });
  const path = `/sandbox/telegram/bot${token}`;
  for (const [method, body] of [
    ['setMyName', '{"name":"a\\u0000b"}'],
    ['setMyName', '{"name":"\\ud800"}'],
    ['answerCallbackQuery', '{"callback_query_id":"1","text":"a\\u0000b"}'],
    ['setMyCommands', '{"commands":[{"command":"a","description":"\\u0000"}]}'],
  ] as const) {
    const answer = await post(`${path}/${method}`, body);
    assert.equal(answer.status, 400, method);
    assert.equal(answer.body.description, 'Bad Request: strings must be encoded in UTF-8');
  }
  for (const commands of ['[null]', '[{"command":{"toString":null},"description":"x"}]']) {
    assert.equal((await post(`${path}/setMyCommands`, `{"commands":${commands}}`)).status, 400, commands);
  }
  assert.equal((await post('/sandbox/telegram/bot%00/getMe', '{}')).status, 401);
  assert.equal((await post(`${path}/setMyName`, '{"name":"a \\\\u0000 b"}')).status, 200, 'typed by hand it is text');
});
