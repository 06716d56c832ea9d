import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

/** Reads the event stream until one event matches, for at most 15 seconds. */
async function readUntil(path: string, wanted: RegExp, meanwhile?: () => Promise<unknown>): Promise<void> {
  const response = await fetch(`${service.url}/sandbox/watch?${path}`, { signal: AbortSignal.timeout(15_000) });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const acting = meanwhile?.();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    if (!events.some((event) => wanted.test(event))) continue;
    await acting;
    return;
  }
  assert.fail('the stream ended before it was told');
}

describe('the event stream of the sandbox', () => {
  it('sends the whole state first and then each change', async () => {
    const person = freshUser();
    await readUntil(`person=${person}`, /^event: exchange\ndata: .*"demo_bot":"demo_publisher_bot"/);
    const body = { bot: 'demo_publisher_bot', text: 'hello there' };
    await readUntil(
      `person=${person}&bot=demo_publisher_bot`,
      /^event: phone\ndata: .*"messages":.*"text":"hello there"/,
      () => service.sandbox.control('POST', `/persons/${person}/messages`, body),
    );
  });

  it('contains API requests of every caller', async () => {
    const { token } = await service.sandbox.publisher();
    const person = freshUser();
    await readUntil('person=1', new RegExp(`^event: calls\\ndata: .*get-sponsors.*${person}`), () =>
      service.sandbox.getSponsors(token, person),
    );
  });

  it('refuses an invalid person, and unknown pictures are not found', async () => {
    assert.equal((await service.sandbox.call('GET', '/sandbox/watch')).status, 422);
    assert.equal((await service.sandbox.call('GET', '/sandbox/watch?person=-1')).status, 422);
    assert.equal((await service.sandbox.call('GET', '/sandbox/files/123456')).status, 404);
    assert.equal((await service.sandbox.call('GET', '/sandbox/files/x')).status, 422);
  });
});

describe('a Mini App opened on the phone', () => {
  const open = (person: number, body: object) =>
    service.sandbox.call('POST', `/sandbox/persons/${person}/web-app`, body);
  const initDataIn = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get('tgWebAppData') ?? '';
  const visit = (initData: string) => service.sandbox.call('POST', '/app/visit', { init_data: initData });

  it('has init data that the service accepts as signed for its bot', async () => {
    const { status, body } = await open(freshUser(), { bot: 'sponsorgate_bot', url: `${service.url}/app?x=1` });
    assert.equal(status, 200);
    assert.ok(body.url.startsWith(`${service.url}/app?x=1#`), body.url);
    assert.equal((await visit(initDataIn(body.url))).status, 200);
  });

  it('has init data signed for the bot that opened it', async () => {
    const { body } = await open(freshUser(), { bot: 'demo_publisher_bot', url: `${service.url}/app` });
    assert.notEqual((await visit(initDataIn(body.url))).status, 200);
  });

  it('refuses URLs that are not web pages and unknown bots', async () => {
    assert.equal((await open(1, { bot: 'sponsorgate_bot', url: 'javascript:alert(1)' })).status, 422);
    assert.equal((await open(1, { bot: 'nobody_here_bot', url: `${service.url}/app` })).status, 404);
  });
});

describe('the bot of the demo publisher', () => {
  it('grants access through the real API to users who subscribed, also after a reset', async () => {
    const { sandbox } = service;
    for (const round of ['before a reset', 'after it']) {
      await sandbox.control('POST', '/reset');
      const path = '/persons/100003/messages';
      const say = (text: string) => sandbox.control('POST', path, { bot: 'demo_publisher_bot', text });
      const last = async () => (await sandbox.control('GET', `${path}?bot=demo_publisher_bot`)).messages.at(-1);
      await say('/start');
      const gate = await last();
      assert.match(gate.text, /subscribe to our sponsors/, round);
      const { chats } = await sandbox.control('GET', '/state');
      const links = gate.keyboard.flat().flatMap((button: { url?: string }) => button.url ?? []);
      assert.equal(links.length, 2);
      const press = () =>
        sandbox.control('POST', '/persons/100003/presses', { bot: 'demo_publisher_bot', button: 'I subscribed' });
      await press();
      assert.match((await last()).text, /subscribe to our sponsors/, 'who did not subscribe stays outside');
      for (const link of links) {
        await sandbox.join(chats.find((chat: { link: string }) => chat.link === link).chat_id, 100_003);
      }
      await press();
      assert.match((await last()).text, /Grace, welcome to the film club/, round);
    }
    await sandbox.assertBalanced();
  });
});
