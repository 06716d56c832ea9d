import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { arrive, LANGUAGES, newTelegramBot, publisherWithBot, tokenIn } from '../bot/publisher-labels.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Person } from '../support/person.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { startOn } from '../support/service.ts';

describe('a restart loses no input of a publisher', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  async function during<Result>(work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
    const service = await startOn(database.url);
    try {
      return await work(service.sandbox);
    } finally {
      await service.stop();
    }
  }

  /** Runs `begin` on one service and `goOn`, with the state that `begin` returned, on a restarted one. */
  async function acrossRestart<State>(
    begin: (sandbox: Sandbox) => Promise<State>,
    goOn: (sandbox: Sandbox, state: State) => Promise<void>,
  ): Promise<void> {
    const state = await during(begin);
    await during((sandbox) => goOn(sandbox, state));
  }

  const again = async (sandbox: Sandbox, { id }: Person): Promise<Person> => {
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    return new Person(sandbox, id, bot);
  };

  for (const labels of LANGUAGES) {
    it(`between any question and its reply (${labels.language})`, async () => {
      await acrossRestart(
        async (sandbox) => {
          const byToken = await arrive(sandbox, labels);
          await byToken.go(labels.myBots, labels.addBot, labels.byToken);
          const byForward = await arrive(sandbox, labels);
          const asked = await byForward.go(labels.myBots, labels.addBot, labels.byForward);
          const typing = await publisherWithBot(sandbox, labels);
          await typing.person.go(labels.settings, '📋');
          const wondering = await publisherWithBot(sandbox, labels);
          await wondering.person.press(labels.why);
          const creating = await publisherWithBot(sandbox, labels);
          await creating.person.press(labels.apiToken);
          return { byToken, byForward, code: /SG-\w{6}/.exec(asked.text)?.[0], typing, wondering, creating };
        },
        async (sandbox, { byToken, byForward, code, typing, wondering, creating }) => {
          const [first, second] = [await newTelegramBot(sandbox), await newTelegramBot(sandbox)];
          assert.match((await (await again(sandbox, byToken)).say(first.token)).text, labels.nextStep);

          await sandbox.call('POST', `/sandbox/telegram/bot${second.token}/setMyName`, { name: `Quiz ${code}` });
          const forwarding = await again(sandbox, byForward);
          assert.match((await forwarding.forward('Hi', second.username)).text, labels.nextStep);

          const settings = await (await again(sandbox, typing.person)).say('17');
          assert.ok(
            settings.buttons.flat().some((label) => /📋.* 17$/.test(label)),
            JSON.stringify(settings.buttons),
          );

          assert.match((await (await again(sandbox, wondering.person)).say('123456')).text, /123456/);

          const token = tokenIn(await (await again(sandbox, creating.person)).press(labels.create));
          assert.equal((await sandbox.api(token, 'get-balance', {})).status, 200);
        },
      );
    });
  }
});
