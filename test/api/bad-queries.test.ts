import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertRefused, countRows } from './refusals.ts';
import { useService } from './use-service.ts';

const service = useService();

let token = '';
beforeEach(async () => {
  ({ token } = await service.sandbox.publisher());
});

/** Invalid ids, as written in the URL. */
const NO_ID = [
  ...['', '0', '-1', '%2B1', '1.5', '1e3', '0x1', '01', '%201', '1%20', 'x', 'null', 'true', '%00', '1%00', '%zz'],
  ...['%F0%9F%A6%8A', '%D9%A5', '%ff', '9'.repeat(40), '[]', '{}', "1'%20OR%201=1"],
];
const NO_WORD = [
  ...['', 'x', '%00', 'ALLBOTS', 'allbots%00', '%20allbots', '%F0%9F%A6%8A', '0', 'null', '[]', '%zz'],
  'x'.repeat(5_000),
];

const BAD: Readonly<Record<string, { context: string; values: readonly string[] }>> = {
  action: { context: '', values: [...NO_WORD, 'all', 'constructor', '__proto__'] },
  bot_id: { context: 'action=bots&', values: NO_ID },
  order_id: { context: 'action=ads&', values: NO_ID },
  output_format: { context: '', values: [...NO_WORD, 'xml', 'HTML', 'json%00'] },
};

for (const [name, { context, values }] of Object.entries(BAD)) {
  test(`statistic refuses every invalid ${name} and changes nothing`, async () => {
    const counts = await countRows(service);
    for (const value of values) {
      const response = await fetch(`${service.url}/statistic?api_token=${token}&${context}${name}=${value}`);
      await assertRefused(response, 422, `${name}=${value.slice(0, 60)}`, name);
    }
    assert.deepEqual(await countRows(service), counts);
  });

  test(`statistic refuses a repeated ${name}`, async () => {
    const good = { action: 'bots', bot_id: '1', order_id: '1', output_format: 'json' }[name];
    const twice = `${name}=${good}&${name}=${good}`;
    const response = await fetch(`${service.url}/statistic?api_token=${token}&${context}${twice}`);
    await assertRefused(response, 422, twice, name);
  });
}

test('statistic refuses every invalid api_token', async () => {
  const wrong = ['', '%00', 'at_', 'at_%00', '%F0%9F%A6%8A', '[]', '{}', 'null', '%zz', '%ff'];
  for (const value of [...wrong, `at_${'x'.repeat(5_000)}`]) {
    const response = await fetch(`${service.url}/statistic?api_token=${value}`);
    await assertRefused(response, 401, `api_token=${value.slice(0, 60)}`);
  }
  await assertRefused(await fetch(`${service.url}/statistic`), 401, 'no api_token');
  await assertRefused(await fetch(`${service.url}/statistic?api_token[]=${token}`), 401, 'api_token[]');
});

test('statistic ignores unknown parameters of any format', async () => {
  const unknown = ['x=1', 'bot_id[]=x', 'action[a]=b', '__proto__=1', 'constructor=1', '%00=1', '&&&', '=', '?', '#'];
  for (const extra of unknown) {
    const response = await fetch(`${service.url}/statistic?api_token=${token}&${extra}`);
    assert.equal(response.status, 200, extra);
    assert.deepEqual(Object.keys((await response.json()) as object), ['bots'], extra);
  }
});

test('a bot or order id that is too large to exist returns 404', async () => {
  for (const query of ['action=bots&bot_id', 'action=ads&order_id']) {
    const response = await fetch(`${service.url}/statistic?api_token=${token}&${query}=999999999999999`);
    await assertRefused(response, 404, query);
  }
});
