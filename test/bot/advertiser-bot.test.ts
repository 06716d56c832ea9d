import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signPostback } from '../../src/modules/tasks/index.ts';
import { useService } from '../api/use-service.ts';
import { freshUser } from '../support/sandbox.ts';
import { LABELS, LANGUAGES } from './advertiser-labels.ts';
import { answerTheRest, arrive, orderIdIn, says, startOrder } from './advertiser-setup.ts';
import { journeyLanguages } from './journey-languages.ts';

for (const language of journeyLanguages(LANGUAGES)) {
  describe(`an order for a bot, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];

    it('is checked with the bot’s token, which is deleted from the chat and stored encrypted', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const { chat_id: chatId, token } = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Quiz' });
      await startOrder(olga, 'bot');
      await person.press(labels.byToken);
      says(await person.say('my token'), said.notAToken);
      says(await person.say(`${chatId}:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`), said.tokenRefused);
      says(await person.say(`Use this token: ${token}`), said.title);
      const seen = (await person.messages()).map(({ text }) => text).join('\n');
      assert.ok(!seen.includes(String(token).split(':')[1] ?? ''), 'the token is not in the chat any more');
      const [dialogue] = await service.database.db.query<{ draft: unknown }>(
        'SELECT drafts AS draft FROM bot_dialogues WHERE telegram_user_id = $1',
        [person.id],
      );
      assert.ok(!JSON.stringify(dialogue).includes(String(token).split(':')[1] ?? ''), 'nor readable in the draft');

      await answerTheRest(olga);
      const page = await person.press(labels.create);
      says(page, said.active);
      const { token: publisher } = await sandbox.publisher();
      const user = freshUser();
      const order = { orderId: orderIdIn(page), chatId, accountId: olga.accountId };
      assert.equal((await sandbox.subscribe(publisher, order, user)).credited, 7);
      assert.ok(!service.logs().includes(token), 'nor in the logs');
    });

    it('without a token is confirmed by a postback; its page shows the address and the secret', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      await startOrder(olga, 'bot');
      await person.press(labels.external);
      says(await person.say('not a name!'), said.notAName);
      says(await person.say('https://t.me/+AbCdEfGh12'), said.notAName);
      const username = `outside_${person.id}_bot`;
      const bot = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Outside', username });
      const unproved = await person.say(`@${username}`);
      says(unproved, said.proveOwner);
      await sandbox.nameBot(bot.token, /SG-[0-9A-Z]{8}/.exec(unproved.text)?.[0] ?? '');
      says(await person.say(`@${username}`), said.title);
      await answerTheRest(olga);
      const page = await person.press(labels.create);
      const secret = said.secret.exec(page.text)?.[1] ?? '';
      const url = /https?:\/\/\S+\/api\/v1\/postback/.exec(page.text)?.[0] ?? '';
      const copied = page.keyboard.flat().map((button) => (button as { copy_text?: { text: string } }).copy_text?.text);
      assert.ok(copied.includes(secret) && copied.includes(url), 'both can be copied');

      const { token } = await sandbox.publisher();
      const user = freshUser();
      const orderId = orderIdIn(page);
      const [task] = (await sandbox.getSponsors(token, user)).filter(({ ads_id }) => ads_id === orderId);
      const clickId = new URL(task?.link ?? '').searchParams.get('start') ?? '';
      await sandbox.confirm(token, user, orderId);
      const status = 'approved';
      const body = { click_id: clickId, status, signature: signPostback(secret, { clickId, status }) };
      assert.equal((await sandbox.call('POST', new URL(url).pathname, body)).status, 200);
      assert.equal((await sandbox.confirm(token, user, orderId)).code, 'counted');
    });

    it('drops the bot of the other check method when the method changes', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      await startOrder(olga, 'bot');
      await person.press(labels.external);
      const outside = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Outside' });
      const name = `@${outside.link.replace('https://t.me/', '')}`;
      const unproved = await person.say(name);
      says(unproved, said.proveOwner);
      await sandbox.nameBot(outside.token, /SG-[0-9A-Z]{8}/.exec(unproved.text)?.[0] ?? '');
      says(await person.say(name), said.title);
      await person.go(labels.back, labels.back);
      await person.press(labels.byToken);
      const { token } = await sandbox.control('POST', '/chats', { type: 'bot', title: 'Quiz two' });
      says(await person.say(token), /Quiz two/);
    });
  });
}
