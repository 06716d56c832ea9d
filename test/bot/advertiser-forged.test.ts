import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { LABELS, LANGUAGES } from './advertiser-labels.ts';
import { arrive, orderChannel, ownChannel, says, startOrder } from './advertiser-setup.ts';
import { journeyLanguages } from './journey-languages.ts';

for (const language of journeyLanguages(LANGUAGES)) {
  describe(`forged button data, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];

    it('never reaches the order of another account', async () => {
      const { sandbox } = service;
      const [olga, mallory] = [await arrive(sandbox, language), await arrive(sandbox, language)];
      const { orderId } = await orderChannel(sandbox, olga);
      const untouched = async () => ({
        order: await sandbox.order(orderId),
        stored: await service.database.db.query('SELECT * FROM orders WHERE id = $1', [orderId]),
        money: [
          await sandbox.kopecks('available', olga.accountId),
          await sandbox.kopecks('available', mallory.accountId),
        ],
      });
      const before = await untouched();
      await mallory.person.press(labels.orders);
      for (const data of [
        `order:${orderId}`,
        `o.pause:${orderId}`,
        `o.go:${orderId}`,
        `o.cancel:${orderId}`,
        `o.end:${orderId}`,
        `o.more:${orderId}`,
        `o.n:${orderId}:5`,
        `o.buy:${orderId}:5:1000:AAAAAAAA`,
        `o.time:${orderId}`,
        `o.even:${orderId}:on`,
        `o.cap:${orderId}`,
        `o.uncap:${orderId}`,
        `o.hrs:${orderId}`,
        `o.hour:${orderId}:9-21`,
        `o.src:${orderId}`,
        `o.excl:${orderId}:1:out:0`,
        `o.stat:${orderId}:7`,
        `of:${orderId}`,
        `of.cat:${orderId}:geography`,
        `of.edit:${orderId}:gender`,
        `of.set:${orderId}:gender:male`,
        `of.any:${orderId}:gender`,
        `of.none:${orderId}`,
        `of.leave:${orderId}`,
        `of.apply:${orderId}`,
        `of.yes:${orderId}`,
      ]) {
        const menu = await mallory.person.forge(data);
        assert.ok(!menu.text.includes('Evening news'), data);
        assert.equal((await mallory.person.notice())?.text, said.noSuchOrder, data);
        assert.equal(await mallory.person.isWaiting(), false, data);
      }
      assert.deepEqual(await untouched(), before);
    });

    it('cannot advertise a chat with the rights that another person granted', async () => {
      const { sandbox } = service;
      const [olga, mallory] = [await arrive(sandbox, language), await arrive(sandbox, language)];
      const { channel } = await orderChannel(sandbox, olga);
      await startOrder(mallory, 'channel');
      says(await mallory.person.forge(`o.chat:${channel.chatId}`), said.notYours);
    });

    it('leads to the menu when it is invalid, and leaves no spinner', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      await ownChannel(sandbox, olga.person);
      for (const data of [
        'order',
        'order:0',
        'order:-1',
        'order:9e9',
        'order:1;drop',
        'o.create:AAAAAAAA',
        'o.resume',
        'o.step:price',
        'o.next',
        'o.kind:person',
        'o.found',
        'o.held',
        'of:n',
        'of.done',
        'of.set:n:gender:male',
        'of.cat:n:nothing',
        'o.chat:5',
      ]) {
        const menu = await olga.person.forge(data);
        assert.ok(
          menu.buttons.flat().some((label) => label.includes(labels.orders)),
          `${data}: ${menu.text}`,
        );
        assert.equal(await olga.person.isWaiting(), false, data);
      }
      assert.ok(!service.logs().includes('management bot failed to handle an update'), 'none of it was a fault');
    });

    it('cannot store an invalid filter in a draft', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      await startOrder(olga, 'channel');
      for (const data of [
        'of.set:n:gender:robot',
        'of.set:n:os:Solaris',
        'of.set:n:rating:11',
        'of.set:n:account_age_years:1',
        'of.set:n:countries:XX',
        'of.set:n:age:40-20',
        'of.set:n:premium:maybe',
        'of.set:n:fresh_days:0',
        'of.set:n:nothing:1',
      ]) {
        await olga.person.forge(data);
      }
      const [dialogue] = await service.database.db.query<{ draft: { order: object } }>(
        "SELECT drafts->'order' AS draft FROM bot_dialogues WHERE telegram_user_id = $1",
        [olga.person.id],
      );
      assert.deepEqual(dialogue?.draft.order, { step: 'resource', kind: 'channel' });
    });
  });
}
