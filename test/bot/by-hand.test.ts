import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person, type SeenMessage } from '../support/person.ts';
import { LANGUAGES as ADVERTISER_LANGUAGES, LABELS } from './advertiser-labels.ts';
import { arrive as arriveAdvertiser, says, startOrder } from './advertiser-setup.ts';
import { journeyLanguages } from './journey-languages.ts';
import { arrive, LANGUAGES } from './publisher-labels.ts';

const TOKEN = /\d+:[\w-]{30,}/;

const tokenIn = ({ text }: SeenMessage): string => {
  const token = TOKEN.exec(text)?.[0];
  assert.ok(token, text);
  return token;
};

let lastBot = 0;
const freshUsername = (): string => {
  lastBot += 1;
  return `by_hand_${lastBot}_bot`;
};

const SAID = {
  ru: { name: /Отправьте его имя/, username: /юзернейм/, created: /Готово!/, choose: /Выберите бота/, taken: /занят/ },
  en: { name: /Send me its name/, username: /username/, created: /Done!/, choose: /Choose a bot/, taken: /is taken/ },
};

for (const labels of journeyLanguages(LANGUAGES)) {
  const said = SAID[labels.language as 'ru' | 'en'];

  describe(`BotFather in the sandbox (${labels.language})`, () => {
    const service = useService();
    const meet = async () => {
      const person = await arrive(service.sandbox, labels);
      return { person, father: new Person(service.sandbox, person.id, 'BotFather') };
    };
    const createBot = async (father: Person, username = freshUsername()) => {
      await father.say('/newbot');
      await father.say('Film club');
      return { username, token: tokenIn(await father.say(username)) };
    };
    const getMe = (token: string) => service.sandbox.call('GET', `/sandbox/telegram/bot${token}/getMe`);

    it('creates a bot whose token adds the bot to the service', async () => {
      const { person, father } = await meet();
      says(await father.say('/start'), /\/newbot/);
      says(await father.say('/newbot'), said.name);
      says(await father.say('Film club'), said.username);
      const username = freshUsername();
      const created = await father.say(`@${username}`);
      says(created, said.created);
      const { body } = await getMe(tokenIn(created));
      assert.deepEqual([body.result.username, body.result.first_name], [username, 'Film club']);
      await person.go(labels.myBots, labels.addBot, labels.byToken);
      says(await person.say(created.text), labels.nextStep);
    });

    it('revokes a token: the old one stops working, the new one works', async () => {
      const { father } = await meet();
      const { username, token } = await createBot(father);
      assert.equal((await getMe(token)).status, 200);
      says(await father.say('/revoke'), said.choose);
      const renewed = tokenIn(await father.say(`@${username}`));
      assert.equal((await getMe(token)).status, 401);
      assert.equal((await getMe(renewed)).status, 200);
      await father.say('/token');
      assert.equal(tokenIn(await father.press(`@${username}`)), renewed, 'the keyboard below the input field');
    });

    it('lists the bots with buttons that show and revoke tokens', async () => {
      const { father } = await meet();
      const first = await createBot(father);
      const second = await createBot(father);
      const list = await father.say('/mybots');
      assert.deepEqual(list.buttons, [[`@${first.username}`], [`@${second.username}`]]);
      const menu = await father.press(`@${second.username}`);
      const [[show = '', revoke = ''] = [], , [back = ''] = []] = menu.buttons;
      assert.equal(tokenIn(await father.press(show)), second.token);
      await father.go(back, `@${second.username}`);
      assert.notEqual(tokenIn(await father.press(revoke)), second.token);
      assert.equal((await getMe(second.token)).status, 401);
      assert.equal((await getMe(first.token)).status, 200);
    });

    it('changes the name, the descriptions and the commands', async () => {
      const { father } = await meet();
      const { username, token } = await createBot(father);
      const change = async (command: string, value: string) => {
        await father.say(command);
        await father.say(`@${username}`);
        return father.say(value);
      };
      await change('/setname', 'Кино 🎬');
      await change('/setdescription', 'Films every evening');
      await change('/setabouttext', 'Films');
      const refused = await change('/setcommands', 'not a command');
      says(await father.say('start - Begin\nhelp - Help'), new RegExp(`@${username}`));
      assert.doesNotMatch(refused.text, new RegExp(username));
      const call = async (method: string) =>
        (await service.sandbox.call('GET', `/sandbox/telegram/bot${token}/${method}`)).body.result;
      assert.deepEqual(
        await Promise.all(['getMyName', 'getMyDescription', 'getMyShortDescription', 'getMyCommands'].map(call)),
        [
          { name: 'Кино 🎬' },
          { description: 'Films every evening' },
          { short_description: 'Films' },
          [
            { command: 'start', description: 'Begin' },
            { command: 'help', description: 'Help' },
          ],
        ],
      );
    });

    it('refuses wrong and taken usernames and the bots of other people', async () => {
      const { father } = await meet();
      const other = await meet();
      const { username } = await createBot(other.father);
      await father.say('/newbot');
      await father.say('Film club');
      for (const wrong of ['films', 'bot', '1films_bot', 'фильмы_bot', 'a b_bot', `${'x'.repeat(40)}bot`]) {
        assert.doesNotMatch((await father.say(wrong)).text, TOKEN, wrong);
      }
      says(await father.say(username.toUpperCase()), said.taken);
      await father.say('/cancel');
      await createBot(father);
      await father.say('/revoke');
      assert.doesNotMatch((await father.say(`@${username}`)).text, TOKEN);
    });
  });
}

for (const language of journeyLanguages(ADVERTISER_LANGUAGES)) {
  describe(`the link “To a channel” in the sandbox (${language})`, () => {
    const service = useService();
    const { says: said } = LABELS[language];

    it('lets a person create a channel, choose it and make the bot an administrator', async () => {
      const { sandbox } = service;
      const olga = await arriveAdvertiser(sandbox, language);
      const own = `/persons/${olga.person.id}/chats`;
      const { chat_id, link } = await sandbox.control('POST', own, { title: 'My channel' });
      assert.deepEqual((await sandbox.control('GET', own)).chats, [
        { chat_id, type: 'channel', title: 'My channel', username: link.slice('https://t.me/'.length), link },
      ]);
      says(await startOrder(olga, 'channel'), said.addAsAdmin);
      await sandbox.control('PUT', `${own}/${chat_id}/bots/sponsorgate_bot`);
      says(await olga.person.menu(), said.title);
      await sandbox.control('DELETE', `${own}/${chat_id}/bots/sponsorgate_bot`);
    });

    it('is refused for the channel of another person and for an unknown bot', async () => {
      const { sandbox } = service;
      const { person } = await arriveAdvertiser(sandbox, language);
      const other = await arriveAdvertiser(sandbox, language);
      const { chat_id } = await sandbox.control('POST', `/persons/${other.person.id}/chats`, { title: 'Not yours' });
      const put = (id: number, bot: string) =>
        sandbox.call('PUT', `/sandbox/persons/${id}/chats/${chat_id}/bots/${bot}`);
      assert.equal((await put(person.id, 'sponsorgate_bot')).status, 404);
      assert.equal((await put(other.person.id, 'nobody_here_bot')).status, 404);
    });
  });
}

describe('a person of the sandbox', () => {
  const service = useService();

  it('can change the language, and the bot follows', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'ru' });
    says(await person.say('/start'), /[а-я]{4}/);
    assert.equal(
      (await service.sandbox.call('PATCH', `/sandbox/users/${person.id}`, { language_code: 'en' })).status,
      204,
    );
    assert.doesNotMatch((await person.say('/start')).text, /[а-я]{4}/);
  });

  it('is an operator among the demo persons', async () => {
    const olga = new Person(service.sandbox, 100_005, 'sponsorgate_bot');
    const menu = await olga.say('/start');
    assert.ok(
      menu.buttons.flat().some((label) => label.includes('🛠')),
      JSON.stringify(menu.buttons),
    );
  });
});
