import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { LABELS, LANGUAGES } from '../bot/advertiser-labels.ts';
import { arrive, letIn, orderChannel, says, throwOut } from '../bot/advertiser-setup.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const DAY = 24 * 3600;

for (const language of LANGUAGES) {
  describe(`the page of an order, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];

    it('shows the progress and the cost of the order', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { orderId, channel } = await orderChannel(sandbox, olga, { quantity: '4' });
      const { token } = await sandbox.publisher();
      const order = { orderId, chatId: channel.chatId, accountId: olga.accountId };
      await sandbox.subscribe(token, order, freshUser());
      await sandbox.getSponsors(token, freshUser());
      await olga.person.say('/start');
      const list = await olga.person.press(labels.orders);
      assert.ok(list.buttons.flat().some((label) => label.startsWith('🟢') && label.endsWith('1/4')));
      const page = await olga.person.press('Evening news');
      says(page, /▓▓▓░░░░░░░░░ 25 ?%/);
      says(page, /1[^\n]* 4\n.*: 1 .*50 ?%.*10[.,]00.*30[.,]00/s);
    });

    it('pauses and resumes the order', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { orderId } = await orderChannel(sandbox, olga);
      const { token } = await sandbox.publisher();
      const isServed = async (): Promise<boolean> =>
        (await sandbox.getSponsors(token, freshUser())).some(({ ads_id }) => ads_id === orderId);
      says(await olga.person.press(labels.pause), said.paused);
      assert.equal(await isServed(), false);
      says(await olga.person.press(labels.resume), said.active);
      assert.equal(await isServed(), true);
    });

    it('tops up once, at the price shown', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language, 1_100);
      const { person } = olga;
      const { orderId } = await orderChannel(sandbox, olga, { quantity: '100' });
      await person.press(labels.topUp);
      says(await person.say('none'), said.wrongCount);
      says(await person.say('60'), said.missing);
      await person.press(labels.back);
      const shown = await person.say('10');
      const [button] = shown.keyboard.flat() as { callback_data?: string }[];
      says(await person.press(labels.buy), /110/);
      await person.forge(button?.callback_data ?? '');
      assert.equal(await sandbox.kopecks('escrow', orderId), 110_000);
      assert.equal(await sandbox.kopecks('available', olga.accountId), 0);
    });

    it('cancels after a confirmation and refunds the remainder', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language, 1_000);
      const { orderId, channel } = await orderChannel(sandbox, olga, { quantity: '100' });
      const { token } = await sandbox.publisher();
      await sandbox.subscribe(token, { orderId, chatId: channel.chatId, accountId: olga.accountId }, freshUser());
      says(await olga.person.press(labels.cancelOrder), /990[.,]00/);
      says(await olga.person.press(labels.back), said.active);
      await olga.person.press(labels.cancelOrder);
      says(await olga.person.press(labels.cancelYes), said.cancelled);
      assert.equal(await sandbox.kopecks('available', olga.accountId), 99_000);
      await sandbox.assertBalanced();
      await olga.person.forge(`o.more:${orderId}`);
      assert.ok(((await olga.person.notice())?.text ?? '') !== '', 'a closed order cannot be topped up');
    });

    it('changes daily limit, pacing and hours', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const { orderId } = await orderChannel(sandbox, olga, { quantity: '100' });
      const stored = async () =>
        (
          await service.database.db.query<object>(
            'SELECT daily_limit, pace_evenly, active_hours FROM orders WHERE id = $1',
            [orderId],
          )
        )[0];
      await person.go(labels.timetable, labels.limit);
      says(await person.say('101'), said.wrongCount);
      await person.say('25');
      await person.press(labels.spread);
      await person.press(labels.hours);
      says(await person.say('soon'), said.wrongHours);
      await person.say('20-22');
      assert.deepEqual(await stored(), { daily_limit: 25, pace_evenly: true, active_hours: [20, 21] });
      await person.go(labels.limit, labels.noLimit);
      await person.go(labels.hours, labels.allDay);
      assert.deepEqual(await stored(), { daily_limit: null, pace_evenly: false, active_hours: null });
    });

    it('shows that removing the service bot paused the order, and resumes it when the bot is back', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const { orderId, channel } = await orderChannel(sandbox, olga);
      const { token } = await sandbox.publisher();
      await throwOut(sandbox, person, channel);
      assert.equal((await sandbox.order(orderId)).status, 'paused');
      await eventually('the owner is told', async () => {
        await sandbox.advance(1);
        return (await person.messages()).some(({ text }) => text.includes(String(orderId)) && text.includes('⏸'));
      });
      const shown = (await sandbox.getSponsors(token, freshUser())).map(({ ads_id }) => ads_id);
      assert.ok(!shown.includes(orderId), 'nothing of it is shown');
      await person.say('/start');
      says(await person.go(labels.orders, 'Evening news'), said.accessLost);
      says(await person.press(labels.recheck), said.accessLost);
      assert.equal((await person.notice())?.show_alert, true, 'the rights are still missing');
      await letIn(sandbox, person, channel);
      await person.say('/start');
      await person.go(labels.orders, 'Evening news');
      says(await person.press(labels.recheck), said.active);
    });

    it('shows subscribers and retention of each source, and excludes a source', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const { orderId, channel } = await orderChannel(sandbox, olga);
      const username = `source_${language}_bot`;
      const { token } = await sandbox.publisher({ username });
      const order = { orderId, chatId: channel.chatId, accountId: olga.accountId };
      const [stays, leaves] = [freshUser(), freshUser()];
      await sandbox.subscribe(token, order, stays);
      await sandbox.subscribe(token, order, leaves);
      await sandbox.leave(channel.chatId, leaves);
      await sandbox.advance(2 * DAY);
      says(await person.press(labels.sources), new RegExp(`@${username}: 2 .*50 ?%`, 's'));
      await person.press(labels.exclude);
      const isServed = async (): Promise<boolean> =>
        (await sandbox.getSponsors(token, freshUser())).some(({ ads_id }) => ads_id === orderId);
      assert.equal(await isServed(), false);
      await person.press(labels.include);
      assert.equal(await isServed(), true);
    });

    it('shows a chart of 7 or 30 days in the same message', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      await orderChannel(sandbox, olga);
      const week = await olga.person.press(labels.statistics);
      assert.equal(week.photo, true);
      const month = await olga.person.press(labels.thirtyDays);
      assert.equal(month.photo, true);
      assert.equal(month.message_id, week.message_id, 'the picture is replaced, not sent anew');
      says(await olga.person.press(labels.back), said.active);
    });
  });
}
