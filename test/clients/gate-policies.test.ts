import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Context } from 'grammy';
import { type SponsorGateOptions, sponsorGate, TEXTS } from '../../clients/grammy/src/index.ts';
import { createClient, SponsorgateError } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { hang, startReceiver } from '../support/receiver.ts';
import { type CountingClient, countingClient, deadClient, type GatedBot, startGatedBot } from './gated-bot.ts';

const service = useService();
const bots: GatedBot[] = [];
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop();
});

const { en } = TEXTS;

/** Starts a gated bot and records its errors and the errors that the gate threw into it. */
async function open(options: SponsorGateOptions<Context>) {
  const errors: unknown[] = [];
  const caught: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const bot = await startGatedBot(service.sandbox, { onError, ...options }, { caught });
  bots.push(bot);
  return { bot, person: await bot.person(), errors, caught };
}

/** Creates a client of the real service for a new publisher, and one order that it shows. */
async function sponsored(): Promise<{ client: CountingClient; chatId: number }> {
  const { chatId } = await service.sandbox.advertise({ title: 'City news' });
  const { token } = await service.sandbox.publisher();
  return { client: countingClient(service.url, token), chatId };
}

/** Wraps a client so that a test can make its service unavailable and available again. */
function switchable(client: CountingClient): CountingClient & { isDown: boolean } {
  const dead = deadClient();
  const current = (): CountingClient => (box.isDown ? dead : client);
  const box: CountingClient & { isDown: boolean } = {
    isDown: false,
    asked: client.asked,
    confirmed: client.confirmed,
    getSponsors: (...args) => current().getSponsors(...args),
    confirmSubscriptions: (...args) => current().confirmSubscriptions(...args),
  };
  return box;
}

test('when the service is unavailable users pass, unless the gate is set to closed', async () => {
  const lenient = await open({ client: deadClient() });
  await lenient.person.write('hello');
  assert.equal((await lenient.person.lastMessage()).text, 'You said: hello');
  assert.equal(lenient.errors.length, 1);

  const strict = await open({ client: deadClient(), onUnavailable: 'closed' });
  await strict.person.write('hello');
  assert.equal((await strict.person.lastMessage()).text, en.unavailable);
  await strict.person.write('/menu');
  await strict.person.press('pizza');
  assert.deepEqual((await strict.person.see()).notice, { text: en.unavailable, show_alert: true });
  assert.deepEqual([...lenient.caught, ...strict.caught], [], 'nothing was thrown into the bot');
});

test('"I subscribed" follows the same rule while the service is unavailable, and works again afterwards', async () => {
  for (const onUnavailable of ['open', 'closed'] as const) {
    const { client, chatId } = await sponsored();
    const box = switchable(client);
    const { person, bot } = await open({ client: box, onUnavailable });
    await person.write('hello');
    box.isDown = true;
    await person.press(en.confirmButton);
    const expected = onUnavailable === 'open' ? en.passed : en.unavailable;
    assert.equal((await person.see()).notice?.text, expected);
    box.isDown = false;
    if (onUnavailable === 'closed') {
      await service.sandbox.join(chatId, person.id);
      await person.press(en.confirmButton);
      assert.equal((await person.see()).notice?.text, en.passed);
    }
    await bot.stop();
    bots.pop();
    await service.sandbox.pauseAllOrders();
  }
});

test('a service that hangs delays the bot once for the timeout, and not again for ten seconds', async () => {
  const server = await startReceiver(hang);
  try {
    const real = createClient({ baseUrl: `http://127.0.0.1:${server.port}`, token: 'at_x' });
    let now = 0;
    const { person, errors } = await open({ client: real, timeoutMs: 1_000, now: () => now });
    for (const text of ['one', 'two', 'three']) {
      await person.write(text);
      assert.equal((await person.lastMessage()).text, `You said: ${text}`);
    }
    const asked = () => server.received.filter(({ path }) => path.endsWith('/get-sponsors')).length;
    assert.deepEqual([asked(), errors.length], [1, 1], 'asked once, then known to be away');
    now += 10_000;
    await person.write('four');
    assert.equal(asked(), 2, 'asked again after ten seconds');
  } finally {
    await server.close();
  }
});

test('a client that ignores its abort signal does not block the bot', async () => {
  const deaf = { ...deadClient(), getSponsors: () => new Promise<never>(() => undefined) };
  const { person, errors } = await open({ client: deaf, timeoutMs: 50 });
  await person.write('hello');
  assert.equal((await person.lastMessage()).text, 'You said: hello');
  assert.match(String(errors[0]), /did not respond within 50 ms/);
});

test('a rejected request does not affect the next one', async () => {
  const refused = new SponsorgateError({ status: 422, code: 'validation_failed', message: 'Check these fields.' });
  const client = deadClient(refused);
  const { person } = await open({ client });
  await person.write('one');
  await person.write('two');
  assert.equal(client.asked.length, 2);
});

test('a user who may enter is not checked again until the pass ends', async () => {
  const { token } = await service.sandbox.publisher();
  const client = countingClient(service.url, token);
  let now = 0;
  const { person, bot } = await open({ client, passSeconds: 60, now: () => now });
  for (const text of ['one', 'two', 'three']) await person.write(text);
  assert.deepEqual(client.asked, [person.id]);
  const other = await bot.person();
  await other.write('one');
  assert.deepEqual(client.asked, [person.id, other.id], 'a pass is for one person');
  now = 60_000;
  await person.write('four');
  assert.deepEqual(client.asked, [person.id, other.id, person.id]);
});

test('the gate keeps at most `maxPasses` passes', async () => {
  const { token } = await service.sandbox.publisher();
  const client = countingClient(service.url, token);
  const { person, bot } = await open({ client, maxPasses: 1 });
  const other = await bot.person();
  for (const somebody of [person, person, other, person]) await somebody.write('hello');
  assert.deepEqual(client.asked, [person.id, other.id, person.id]);
});

test('the gate does not check updates that the bot skips', async () => {
  const { client } = await sponsored();
  const { person } = await open({ client, skip: async (ctx) => ctx.message?.text === '/help' });
  await person.write('/help');
  assert.equal((await person.lastMessage()).text, 'You said: /help');
  await person.write('hello');
  assert.equal((await person.lastMessage()).text, en.prompt);
  assert.deepEqual(client.asked, [person.id]);
});

test("errors in the bot's own options are reported, and the gate works without them", async () => {
  const { client } = await sponsored();
  const fail = (): never => {
    throw new Error('a fault in the options');
  };
  const { person, errors, caught } = await open({ client, skip: fail, texts: fail });
  await person.write('hello');
  assert.equal((await person.lastMessage()).text, en.prompt);
  assert.deepEqual(errors.map(String), ['Error: a fault in the options', 'Error: a fault in the options']);

  const deaf = await open({ client: deadClient(), onError: fail });
  await deaf.person.write('hello');
  assert.equal((await deaf.person.lastMessage()).text, 'You said: hello');
  assert.deepEqual([...caught, ...deaf.caught], []);
});

test("errors in the bot's own handlers reach the bot", async () => {
  const { person, errors, caught } = await open({
    client: countingClient(service.url, (await service.sandbox.publisher()).token),
  });
  await person.write('/fail');
  assert.deepEqual([caught.map(String), errors], [['Error: a fault of the bot itself'], []]);
});

test('when Telegram rejects the sponsor list, users pass the gate', async () => {
  const { client } = await sponsored();
  const unusable: CountingClient = {
    ...client,
    async getSponsors(body, options) {
      const { status, sponsors } = await client.getSponsors(body, options);
      return { status, sponsors: sponsors.map((sponsor) => ({ ...sponsor, link: 'not a link' })) };
    },
  };
  const { person, errors, caught } = await open({ client: unusable });
  await person.write('hello');
  assert.equal((await person.lastMessage()).text, 'You said: hello');
  assert.match(String(errors[0]), /URL/);
  assert.deepEqual(caught, []);
});

test('a prefix that is too long for a button is rejected at the start', () => {
  for (const callbackPrefix of ['', 'with space', 'x'.repeat(41)]) {
    assert.throws(() => sponsorGate({ client: deadClient(), callbackPrefix }), TypeError);
  }
});
