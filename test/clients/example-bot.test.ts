import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { TEXTS } from '../../clients/grammy/src/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { Person } from './gated-bot.ts';

const service = useService();
const EXAMPLE = join(import.meta.dirname, '../../examples/gated-bot/bot.ts');
const { en } = TEXTS;

test('the example runs unchanged in the sandbox, earns for its publisher and stops on a signal', async () => {
  const { sandbox } = service;
  const { chatId } = await sandbox.advertise({ title: 'City news' });
  const child = spawn(process.execPath, [EXAMPLE], { env: { SPONSORGATE_URL: service.url } });
  try {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
    const ended = once(child, 'close');
    const started = (): string | undefined => /^@(\w+) is running/m.exec(output)?.[1];
    await eventually('the bot runs', () => started() !== undefined || child.exitCode !== null);
    const { user_id: userId } = await sandbox.control('POST', '/users', { language_code: 'en' });
    const person = new Person(sandbox, started() ?? assert.fail(output), userId);

    await person.write('/help');
    const says = (text: string | RegExp) => async () => {
      const last = (await person.see()).messages.filter((message) => message.from === 'bot').at(-1)?.text ?? '';
      return typeof text === 'string' ? last === text : text.test(last);
    };
    await eventually('help is before the gate', says(/I tell jokes/));
    await person.write('/start');
    await eventually('the gate is closed', says(en.prompt));
    await person.press(en.confirmButton);
    assert.equal((await person.see()).notice?.text, `${en.missing}\n• City news`);
    await sandbox.join(chatId, userId);
    await person.press(en.confirmButton);
    await eventually('a joke is told', says(/join you/));
    await person.press('Another one');
    await eventually('another is told', says(/::1/));
    const { bots } = await sandbox.control('GET', '/state');
    assert.equal((await sandbox.money(bots[0].api_token)).hold_balance, 7);

    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], output);
  } finally {
    child.kill('SIGKILL');
  }
});
