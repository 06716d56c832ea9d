import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createSecrets } from '../../src/core/secrets.ts';
import { query } from '../support/books.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { eventually, gate } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { startOn, type TestService } from '../support/service.ts';

const SECRET_KEY = 'webhook-turns-test-webhook-turns-test-webhook';
const SECRET = createSecrets(SECRET_KEY).sign('telegram-webhook', 'v1').toString('hex');

/** A Telegram that accepts every call and can delay the response to the next message of a chat. */
interface SlowTelegram {
  readonly root: string;
  /** Returns the number of messages sent to a person. */
  sentTo(person: number): number;
  holdNextFor(person: number): { readonly arrived: Promise<void>; release(): void };
  close(): void;
}

async function startSlowTelegram(): Promise<SlowTelegram> {
  const sent: number[] = [];
  const held = new Map<number, { arrived: ReturnType<typeof gate>; release: ReturnType<typeof gate> }>();
  let lastMessage = 0;
  const resultOf = async (method: string, params: { chat_id?: number }): Promise<unknown> => {
    if (method === 'getMe') return { id: 1, is_bot: true, first_name: 'Live', username: 'live_bot' };
    if (method !== 'sendMessage') return true;
    const person = Number(params.chat_id);
    sent.push(person);
    const hold = held.get(person);
    held.delete(person);
    hold?.arrived.open();
    await hold?.release.promise;
    lastMessage += 1;
    return { message_id: lastMessage, date: 1, chat: { id: person, type: 'private' }, text: 'x' };
  };
  const server: Server = createServer((request, response) => {
    const method = request.url?.split('/').at(-1) ?? '';
    json(request)
      .then((params) => resultOf(method, params as { chat_id?: number }))
      .then((result) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentTo: (person) => sent.filter((id) => id === person).length,
    holdNextFor(person) {
      const hold = { arrived: gate(), release: gate() };
      held.set(person, hold);
      return { arrived: hold.arrived.promise, release: hold.release.open };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

let telegram: SlowTelegram;
let database: { url: string; drop(): Promise<void> };
const services: Omit<TestService, 'database'>[] = [];

before(async () => {
  telegram = await startSlowTelegram();
  database = await createEmptyDatabase();
  const start = () =>
    startOn(database.url, {
      SECRET_KEY,
      TELEGRAM_BOT_TOKEN: `123456:${'a'.repeat(35)}`,
      TELEGRAM_API_ROOT: telegram.root,
      TELEGRAM_UPDATES: 'webhook',
      PUBLIC_URL: 'https://127.0.0.1:8443',
      ROLES: 'bot',
    });
  services.push(await start());
  services.push(await start());
});
after(async () => {
  await Promise.all(services.map((service) => service.stop()));
  telegram.close();
  await database.drop();
});

let lastUpdate = 0;
const from = (person: number) => ({ id: person, is_bot: false, first_name: 'P', language_code: 'en' });
const chat = (person: number) => ({ id: person, type: 'private', first_name: 'P' });
const says = (person: number, text: string) => ({
  message: { message_id: 1, date: 1, from: from(person), chat: chat(person), text },
});
const presses = (person: number, data: string) => ({
  callback_query: {
    id: '1',
    chat_instance: '1',
    from: from(person),
    data,
    message: { message_id: 1, date: 1, chat: chat(person), text: 'x' },
  },
});

/** Delivers an update to one of the processes. Returns the status of the response. */
async function deliver(to: number, update: object): Promise<number> {
  lastUpdate += 1;
  const body = { update_id: lastUpdate, ...update };
  const headers = { 'x-telegram-bot-api-secret-token': SECRET };
  const answer = await services[to]?.sandbox.call('POST', '/telegram/updates', body, headers);
  return answer?.status ?? 0;
}

const expectedOf = async (person: number): Promise<string | undefined> => {
  const [row] = await query<{ input: string | null }>(
    database.url,
    "SELECT expects->>'input' AS input FROM bot_dialogues WHERE telegram_user_id = $1",
    [person],
  );
  return row?.input ?? undefined;
};

for (const [where, second] of [
  ['another process', 1],
  ['the same process', 0],
] as const) {
  test(`an update that arrives at ${where} during another update of the same person is handled after it`, async () => {
    const person = freshUser();
    const hold = telegram.holdNextFor(person);
    const first = deliver(0, says(person, '/start'));
    await Promise.race([hold.arrived, first]);

    let isAnswered = false;
    const next = deliver(second, presses(person, 'botByToken')).then((status) => {
      isAnswered = true;
      return status;
    });
    // Updates of other persons do not wait. Five of them take longer than the update above would take without waiting.
    for (let i = 0; i < 5; i++) {
      const other = freshUser();
      assert.equal(await deliver(second, presses(other, 'botByToken')), 200);
      assert.equal(await expectedOf(other), 'bot.token');
    }
    assert.deepEqual([isAnswered, telegram.sentTo(person)], [false, 1]);

    hold.release();
    assert.deepEqual(await Promise.all([first, next]), [200, 200]);
    assert.equal(await expectedOf(person), 'bot.token', 'what the later one asked is not overwritten by the earlier');
    assert.equal(telegram.sentTo(person), 2);
  });
}

test('the lease of a killed process expires, and the next update is handled', async () => {
  const person = freshUser();
  await query(
    database.url,
    "INSERT INTO user_update_leases VALUES ($1, gen_random_uuid(), clock_timestamp() + interval '1 second')",
    [person],
  );
  assert.equal(await deliver(0, presses(person, 'botByToken')), 200);
  assert.equal(await expectedOf(person), 'bot.token');
});

test('an update that cannot get the lease is returned to Telegram and handled when it is sent again', async () => {
  const person = freshUser();
  await query(database.url, "INSERT INTO user_update_leases VALUES ($1, gen_random_uuid(), 'infinity')", [person]);
  assert.equal(await deliver(0, presses(person, 'botByToken')), 409);
  assert.deepEqual([await expectedOf(person), telegram.sentTo(person)], [undefined, 0]);
  await query(database.url, 'DELETE FROM user_update_leases WHERE telegram_user_id = $1', [person]);
  assert.equal(await deliver(0, presses(person, 'botByToken')), 200);
});

test('a lease lasts as long as its update is handled and is released then', async () => {
  const person = freshUser();
  const turns = () =>
    query<{ until: Date }>(
      database.url,
      'SELECT lease_until AS until FROM user_update_leases WHERE telegram_user_id = $1',
      [person],
    );
  const hold = telegram.holdNextFor(person);
  const handled = deliver(0, says(person, '/start'));
  await Promise.race([hold.arrived, handled]);
  const [begun] = await turns();
  assert.ok(begun);
  const isRenewed = async () => ((await turns())[0]?.until.getTime() ?? 0) > begun.until.getTime();
  await eventually('it is renewed while Telegram does not answer', isRenewed);
  hold.release();
  assert.equal(await handled, 200);
  assert.deepEqual(await turns(), []);
});

test('a hundred updates of one person at once, over two processes, are all handled in the end', async () => {
  const person = freshUser();
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      // Telegram sends an update again until it is accepted.
      for (let attempt = 1; attempt <= 10; attempt++) {
        const status = await deliver(i % 2, presses(person, 'botByToken'));
        if (status === 200) return 'taken';
      }
      return 'given up';
    }),
  );
  assert.deepEqual(new Set(statuses), new Set(['taken']));
  assert.deepEqual(
    await query(database.url, 'SELECT FROM user_update_leases WHERE telegram_user_id = $1', [person]),
    [],
  );
});

test('an update that always fails is accepted after five attempts, so that Telegram stops sending it', async () => {
  const chat_member = {
    chat: { id: -1001, type: 'channel', title: 'C' },
    date: 1,
    new_chat_member: { status: 'left' },
  };
  assert.equal(await deliver(0, { chat_member }), 200);
  const failures =
    services[0]
      ?.logs()
      .split('\n')
      .filter((line) => /update (not handled|given up)/.test(line)) ?? [];
  assert.deepEqual([failures.length, failures.at(-1)?.includes('given up')], [5, true]);
});

test('an unknown member status and a group message without an author are not errors', async () => {
  const user = from(freshUser());
  const chat = { id: -1002, type: 'supergroup', title: 'C' };
  const before = services[1]?.logs();
  const change = { chat, date: 1, from: user, new_chat_member: { user, status: 'hovering' } };
  assert.equal(await deliver(1, { chat_member: change }), 200);
  assert.equal(await deliver(1, { my_chat_member: change }), 200);
  assert.equal(await deliver(1, { message: { message_id: 1, date: 1, chat, text: 'hello' } }), 200);
  assert.doesNotMatch(services[1]?.logs().slice(before?.length ?? 0) ?? '', /update (not handled|given up)/);
});
