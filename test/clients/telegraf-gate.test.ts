import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import { Telegraf } from 'telegraf';
import { message } from 'telegraf/filters';
import { sponsorGate, TEXTS } from '../../clients/telegraf/src/index.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { Person } from './gated-bot.ts';

const service = useService();
const { en } = TEXTS;
let bot: Telegraf;
let polling: Promise<void>;

/** Starts a real Telegraf bot that polls the emulator, with the gate in front of its handlers. */
before(async () => {
  const { token } = await service.sandbox.publisher();
  const created = await service.sandbox.control('POST', '/chats', { type: 'bot', title: 'Gated by Telegraf' });
  bot = new Telegraf(created.token, {
    telegram: { apiRoot: `${service.url}/sandbox/telegram/`, agent: new Agent({ keepAlive: true }) },
  });
  bot.command('warmup', (ctx) => ctx.reply('warm'));
  bot.use(sponsorGate({ client: createClient({ baseUrl: service.url, token }) }));
  bot.on(message('text'), (ctx) => ctx.reply(`You said: ${ctx.message.text}`));
  polling = bot.launch({ dropPendingUpdates: true });
  const tester = await meet();
  await eventually('the bot is polling', async () => {
    await tester.write('/warmup');
    return (await tester.see()).messages.some(({ text }) => text === 'warm');
  });
});
after(async () => {
  bot.stop();
  await polling;
});

async function meet(): Promise<Person> {
  const id = freshUser();
  await service.sandbox.control('POST', '/users', { user_id: id, language_code: 'en' });
  await eventually('Telegraf knows its bot', () => bot.botInfo !== undefined);
  return new Person(service.sandbox, bot.botInfo?.username ?? '', id);
}

test('a user of a Telegraf bot sees the sponsors, subscribes, and the held /start reaches its handler', async () => {
  const order = await service.sandbox.advertise({ title: 'City news' });
  const person = await meet();
  await person.write('/start ref_42');
  const list = await person.lastMessage();
  assert.equal(list.text, en.prompt);
  assert.deepEqual(list.buttons.at(-1), [en.confirmButton]);

  await person.press(en.confirmButton);
  assert.equal((await person.see()).notice?.show_alert, true);
  await service.sandbox.pauseAllOrders();
  await service.sandbox.join(order.chatId, person.id);
  await person.press(en.confirmButton);
  assert.equal((await person.lastMessage()).text, 'You said: /start ref_42');
  await person.write('and now?');
  assert.equal((await person.lastMessage()).text, 'You said: and now?');
});
