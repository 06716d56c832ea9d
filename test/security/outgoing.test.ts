import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { startReceiver } from '../support/receiver.ts';
import { linesOf, serverSources } from './sources.ts';

const service = useService();

/** The files that send requests, each with the party that chooses the address. */
const KNOWN: Readonly<Record<string, string>> = {
  'src/modules/webhooks/send.ts': 'the customer; every address is checked when the connection is made',
  'src/modules/payouts/crypto-pay.ts': 'the operator, in the settings',
  'src/telegram/bot-api.ts': 'the operator, in the settings',
  'src/telegram/service-bot.ts': 'the operator, in the settings',
  'src/telegram/management-bot/publisher/bot-integration.ts': 'nobody: an example that is shown',
  'src/cli/checks/check-address.ts': 'the operator, in the settings; a command',
  'src/cli/checks/check-telegram.ts': 'the operator, in the settings; a command',
  'src/cli/checks/check-database.ts': 'the operator, in the settings; a command',
  'src/sandbox/telegram/deliver-webhooks.ts': 'whoever plays with the sandbox',
  'src/sandbox/demo-bot.ts': 'the emulator itself',
};

test('only the listed files send requests, so that a new outgoing call needs a review', async () => {
  const sources = await serverSources();
  const calls = linesOf(
    sources,
    /\bfetch\(|\bhttps?\.request\(|\bhttps : http\)\.request|new (?:Api|Bot)\(|\bdispatcher:/,
  );
  const files = [...new Set(calls.map((line) => line.split(':', 1)[0] ?? ''))];
  assert.deepEqual(
    files.filter((file) => !(file in KNOWN)),
    [],
  );
  assert.ok(files.includes('src/modules/webhooks/send.ts'));
});

test('the bot token of an advertiser cannot change the URL that contains it', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher({ beta: true, deposit: 1_000 });
  const good = 'A'.repeat(35);
  for (const botToken of [
    `123456:${good}/../../bot1:x/getMe?`,
    `123456:${good}#`,
    `123456:${good}@127.0.0.1`,
    `../123456:${good}`,
    `123456:${good}\r\nHost: evil.example`,
    `123456%2f..:${good}`,
  ]) {
    const body = {
      name: 'n',
      link: 'https://t.me/some_bot',
      resource_type: 'bot',
      title: 't',
      price_per_sub: 1,
      quantity: 1,
    };
    const answer = await sandbox.api(token, 'orders', { ...body, bot_token: botToken });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    assert.equal(answer.body.errors[0].field, 'bot_token');
  }
});

test('the service redirects visitors to the URL of a link and never requests it', async (t) => {
  const { sandbox } = service;
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { token } = await sandbox.publisher({ beta: true });
  const link = (await sandbox.api(token, 'links', { url: receiver.url, name: 'inside' })).body;
  const visited = await fetch(`${service.url}/l/${link.code}`, { redirect: 'manual' });
  assert.equal(visited.status, 302);
  assert.equal(visited.headers.get('location'), receiver.url);
  assert.deepEqual(receiver.received, []);
});
