import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { plain } from '../support/person.ts';
import { freshUser } from '../support/sandbox.ts';
import { LABELS, LANGUAGES } from './advertiser-labels.ts';
import {
  answerTheRest,
  arrive,
  letIn,
  orderIdIn,
  ordersOf,
  ownChannel,
  SERVICE_BOT,
  says,
  startOrder,
} from './advertiser-setup.ts';
import { journeyLanguages } from './journey-languages.ts';

for (const language of journeyLanguages(LANGUAGES)) {
  describe(`an order for a channel, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];

    it('continues once the service bot is an administrator, and is active once paid', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const channel = await ownChannel(sandbox, person, { title: 'News <b>&' });
      says(await startOrder(olga, 'channel'), said.addAsAdmin);

      says(await letIn(sandbox, person, channel), said.title);
      says(await person.press(labels.keepTitle), said.price);
      const asked = await person.say('12,50');
      says(asked, said.quantity);
      assert.match(plain(asked.text), /8[.,]75/, 'what the publisher gets');
      says(await person.say('1 000'), said.limit);
      says(await person.say('100'), said.pace);
      says(await person.press(labels.evenly), said.hours);
      says(await person.say('9-21'), said.hold);
      await person.say('48');
      says(await person.press(labels.refund), /48/);
      says(await person.press(labels.next), said.users);
      await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 10_000 });
      const summary = await person.press(labels.next);
      says(summary, said.summary);
      says(summary, /News <b>&.*9:00–21:00.*48.*12[ ,]?500[.,]00/s);

      const page = await person.press(labels.create);
      says(page, said.active);
      const orderId = orderIdIn(page);
      assert.equal(await sandbox.kopecks('escrow', orderId), 1_250_000);
      const [stored] = await service.database.db.query<Record<string, unknown>>(
        `SELECT title, price_kopecks, quantity, daily_limit, pace_evenly, active_hours, hold_seconds, refund, link, status
         FROM orders WHERE id = $1`,
        [orderId],
      );
      assert.deepEqual(stored, {
        title: 'News <b>&',
        price_kopecks: 1_250n,
        quantity: 1_000,
        daily_limit: 100,
        pace_evenly: true,
        active_hours: [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
        hold_seconds: 48 * 3600,
        refund: false,
        link: `https://t.me/${channel.username}`,
        status: 'active',
      });
      await sandbox.assertBalanced();
    });

    it('continues only for the person who added the service bot', async () => {
      const { sandbox } = service;
      const [olga, pavel] = [await arrive(sandbox, language), await arrive(sandbox, language)];
      const channel = await ownChannel(sandbox, olga.person);
      await startOrder(olga, 'channel');
      await startOrder(pavel, 'channel');
      says(await letIn(sandbox, olga.person, channel), said.title);
      says(await pavel.person.menu(), said.addAsAdmin);
    });

    it('suggests the chats to which the person added the service bot, without those that removed it', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const channel = await ownChannel(sandbox, olga.person, { title: 'Known before' });
      const gone = await ownChannel(sandbox, olga.person, { title: 'Gone again', type: 'supergroup' });
      await letIn(sandbox, olga.person, channel);
      await letIn(sandbox, olga.person, gone);
      await sandbox.control('DELETE', `/chats/${gone.chatId}/members/${SERVICE_BOT}`);
      const asked = await startOrder(olga, 'channel');
      assert.deepEqual(
        asked.buttons.flat().filter((label) => label.startsWith('📣')),
        ['📣 Known before'],
      );
      says(await olga.person.press('Known before'), said.title);
    });

    it('names the reason why a typed chat cannot be advertised', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const mine = await ownChannel(sandbox, person, { title: 'Mine' });
      const { chat_id: other, link: theirs } = await sandbox.control('POST', '/chats', {
        type: 'channel',
        title: 'Theirs',
      });
      await sandbox.control('PUT', `/chats/${other}/members/${freshUser()}?status=creator&silent=true`);
      await startOrder(olga, 'channel');
      says(await person.say(`@${mine.username}`), said.notAdmin);
      says(await person.say(theirs), said.notYours);
      says(await person.say('@nobody_has_this_name'), said.notFound);
      says(await person.say('https://t.me/+AbCdEfGh12'), said.inviteLink);
      says(await person.say('what?'), said.notUnderstood);
      says(await person.say('@demo_trip_bot'), said.notAChat);
      await sandbox.fault({ mode: 'down', method: 'getChat' });
      says(await person.say(`@${mine.username}`), /Telegram/);
      await sandbox.fault({ mode: 'none' });
      await sandbox.control('PUT', `/chats/${mine.chatId}/members/${SERVICE_BOT}?status=administrator&silent=true`);
      says(await person.say(`t.me/${mine.username}`), said.title);
    });

    it('of a private channel shows users an invite link that the service bot created', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const channel = await ownChannel(sandbox, olga.person, { private: true, title: 'Club' });
      await startOrder(olga, 'channel');
      says(await letIn(sandbox, olga.person, channel), said.title);
      says(await answerTheRest(olga), /https:\/\/t\.me\/\+/);
      const orderId = orderIdIn(await olga.person.press(labels.create));
      const { token } = await sandbox.publisher();
      const tasks = await sandbox.getSponsors(token, freshUser());
      assert.match(tasks.find(({ ads_id }) => ads_id === orderId)?.link ?? '', /^https:\/\/t\.me\/\+[\w-]+$/);
    });

    it('of a private channel asks for the right to create invite links, and refuses a typed link', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const channel = await ownChannel(sandbox, person, { private: true, title: 'Club' });
      await startOrder(olga, 'channel');
      // The emulator grants all rights or none, so the test makes the call fail instead.
      await sandbox.fault({ mode: 'down', method: 'createChatInviteLink' });
      says(await letIn(sandbox, person, channel), said.needsLink);
      says(await person.say('https://t.me/+Own_Link-123'), said.noRightYet);
      await sandbox.fault({ mode: 'none' });
      says(await person.say('ready'), said.title);
      const summary = await answerTheRest(olga);
      says(summary, /https:\/\/t\.me\/\+/);
      assert.ok(!summary.text.includes('Own_Link'));
    });

    it('of a private group can be created by its anonymous owner, who chooses it below the input field', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const group = { type: 'supergroup', private: true, anonymous: true, title: 'Quiet club' } as const;
      const { chatId } = await ownChannel(sandbox, person, group);
      await startOrder(olga, 'channel');
      // In a group, an anonymous administrator acts as @GroupAnonymousBot, so the update does not identify the owner.
      says(await letIn(sandbox, person, { chatId, title: '', username: '' }), said.addAsAdmin);
      await person.press(labels.pick);
      const shown = (await person.below()).map(({ chats }) => chats?.map(({ title }) => title));
      assert.deepEqual(shown, [[], ['Quiet club'], undefined]);
      says(await person.press(labels.pickGroup, chatId), said.title);
      assert.deepEqual(await person.below(), [], 'the buttons are gone with their message');
      says(await answerTheRest(olga), /Quiet club/);
      const orderId = orderIdIn(await person.press(labels.create));
      const [{ chat_id: ordered } = {}] = await service.database.db.query<{ chat_id: bigint }>(
        'SELECT r.chat_id FROM orders o JOIN resources r ON r.id = o.resource_id WHERE o.id = $1',
        [orderId],
      );
      assert.equal(ordered, BigInt(chatId));
    });

    it('of a private channel can be created by choosing it, which makes the service bot an administrator', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const { chatId } = await ownChannel(sandbox, person, { private: true, title: 'Closed news' });
      says(await startOrder(olga, 'channel'), said.addAsAdmin);
      await person.press(labels.pick);
      says(await person.press(labels.back), said.addAsAdmin);
      await person.press(labels.pick);
      says(await person.press(labels.pickChannel, chatId), said.title);
      assert.equal((await person.messages()).filter(({ from }) => from === 'bot').length, 1, 'one menu');
      says(await answerTheRest(olga), /https:\/\/t\.me\/\+/);
    });

    it('is refused when the person is no longer an administrator of the chosen chat', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const channel = await ownChannel(sandbox, person, { title: 'Sold since' });
      await sandbox.control('PUT', `/chats/${channel.chatId}/members/${freshUser()}?status=administrator&silent=true`);
      await startOrder(olga, 'channel');
      await letIn(sandbox, person, channel);
      await answerTheRest(olga);
      await sandbox.control('PUT', `/chats/${channel.chatId}/members/${person.id}?status=member&silent=true`);
      says(await person.press(labels.create), said.notYours);
      assert.deepEqual(await ordersOf(sandbox, olga.accountId), []);
    });
  });
}
