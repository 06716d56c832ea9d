import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FILTERS } from '../../src/modules/targeting/index.ts';
import { useService } from '../api/use-service.ts';
import { LABELS, LANGUAGES } from '../bot/advertiser-labels.ts';
import { arrive, letIn, orderChannel, orderIdIn, ownChannel, says, startOrder } from '../bot/advertiser-setup.ts';
import { CATEGORIES, NAMES } from '../bot/filter-labels.ts';
import { plain } from '../support/person.ts';
import { freshUser } from '../support/sandbox.ts';

for (const language of LANGUAGES) {
  describe(`the audience, in ${language}`, () => {
    const service = useService();
    const { says: said, ...labels } = LABELS[language];
    const names = NAMES[language];
    const categories = CATEGORIES[language];

    async function atUsers() {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const channel = await ownChannel(sandbox, olga.person);
      await startOrder(olga, 'channel');
      await letIn(sandbox, olga.person, channel);
      await olga.person.press(labels.keepTitle);
      await olga.person.say('10');
      await olga.person.say('10');
      says(await olga.person.go(labels.noLimit, labels.allDay, labels.next), said.users);
      return { ...olga, channel };
    }

    it('list all 24 filters in six categories, each with its coefficient', async () => {
      const { person } = await atUsers();
      const shown: string[] = [];
      for (const category of Object.values(categories)) {
        const { buttons } = await person.press(category);
        shown.push(...buttons.flat().filter((label) => label.startsWith('▫️')));
        await person.press(labels.back);
      }
      assert.equal(shown.length, 24);
      for (const filter of FILTERS) {
        const percent = 'coefficientPercent' in filter ? filter.coefficientPercent : undefined;
        const factor = percent === undefined ? '' : ` ×${String(percent / 100)}`;
        const label = `▫️ ${names[filter.key]}${language === 'ru' ? factor.replace('.', ',') : factor}`;
        assert.ok(shown.includes(label), `${label} in ${JSON.stringify(shown)}`);
      }
    });

    it('show price and audience after each choice, and reset one filter or all', async () => {
      const { sandbox } = service;
      const { token } = await sandbox.publisher();
      const [here, there, somewhere] = [freshUser(), freshUser(), freshUser()];
      for (const user of [here, there, somewhere]) await sandbox.getSponsors(token, user);
      await sandbox.control('POST', `/profiles/${here}`, { country: 'KZ' });
      await sandbox.control('POST', `/profiles/${there}`, { country: 'DE' });
      const { person } = await atUsers();
      const audience = async (): Promise<number[]> =>
        (/👁.*?(\d+)\D+(\d+)/.exec(plain((await person.menu()).text)) ?? []).slice(1).map(Number);
      const [all = 0, known] = await audience();
      assert.equal(all, known, 'without a filter everybody fits');

      await person.go(categories.geography, names.countries);
      says(await person.say('KZ'), /12[.,]00.*120[.,]00/s);
      assert.deepEqual(await audience(), [all - 1, known], 'the one in another country does not');
      const SHARES = /(?:Страна: известно о|Country: known for) ([\d.,]+) ?%, (?:неизвестно о|unknown for) [\d.,]+ ?%/;
      const shown = plain((await person.menu()).text);
      const share = Number(SHARES.exec(shown)?.[1]?.replace(',', '.'));
      assert.ok(Number.isFinite(share), shown);
      const warns = /У большинства из них это неизвестно: Страна|Most of them have no known value: Country/.test(shown);
      assert.equal(warns, share < 50, shown);
      says(await person.menu(), /(?:столько же: 12,00 ₽|same price: ₽12\.00)/);
      await person.go(labels.back, labels.back, categories.device, names.os, 'Android');
      says(await person.menu(), /13[.,]20/);
      says(await person.press(labels.resetFilter), /12[.,]00/);
      await person.go(labels.back, labels.back);
      const cleared = await person.press(labels.resetAll);
      says(cleared, /10[.,]00/);
      assert.ok(!cleared.text.includes('✅'));
    });

    it('with five filters show the order to users who fit or are unknown, and not to others', async () => {
      const { sandbox } = service;
      const { person } = await atUsers();
      await person.go(categories.geography, names.languages, language === 'ru' ? 'русский' : 'Russian');
      await person.go(labels.back, names.countries, language === 'ru' ? 'Россия' : 'Russia');
      await person.go(labels.back, labels.back, categories.profile, names.age);
      await person.say('18-35');
      await person.go(labels.back, labels.back, categories.device, names.os, 'iOS');
      await person.go(labels.back, labels.back, categories.quality, names.rating);
      await person.say('3');
      const summary = await person.go(labels.back, labels.back, labels.next);
      says(summary, /22[.,]31/); // 10 × 1.2 × 1.3 × 1.1 × 1.3, rounded up
      const orderId = orderIdIn(await person.press(labels.create));

      const { token } = await sandbox.publisher();
      const fitting = { country: 'RU', age: 30, os: 'iOS', rating: 5 };
      const isServed = async (learned: object, sent: Record<string, unknown> = {}): Promise<boolean> => {
        const user = freshUser();
        await sandbox.control('POST', `/profiles/${user}`, learned);
        const tasks = await sandbox.getSponsors(token, user, { language_code: 'ru', ...sent });
        return tasks.some(({ ads_id }) => ads_id === orderId);
      };
      assert.equal(await isServed(fitting), true);
      assert.equal(await isServed({}), true, 'what is unknown passes');
      assert.equal(await isServed(fitting, { language_code: 'en' }), false);
      for (const other of [{ country: 'DE' }, { age: 17 }, { age: 36 }, { os: 'Android' }, { rating: 2 }]) {
        assert.equal(await isServed({ ...fitting, ...other }), false, JSON.stringify(other));
      }
    });

    it('of an active order show the new price and change nothing before they are applied', async () => {
      const { sandbox } = service;
      const olga = await arrive(sandbox, language);
      const { person } = olga;
      const { orderId } = await orderChannel(sandbox, olga, { quantity: '15' });
      const filters = async () =>
        (
          await service.database.db.query<{ filters: object; charge_kopecks: bigint }>(
            'SELECT filters, charge_kopecks FROM orders WHERE id = $1',
            [orderId],
          )
        )[0];
      await person.go(labels.users, categories.quality, names.gifts);
      says(await person.say('101'), /⚠️/);
      says(await person.say('5'), /10[.,]00.*15[.,]00.*10\D+15/s);
      await person.go(labels.back, labels.back, labels.back);
      assert.deepEqual(await filters(), { filters: {}, charge_kopecks: 1_000n }, 'left without applying');

      await person.go(labels.users, categories.quality, names.gifts);
      await person.say('5');
      const confirm = await person.go(labels.back, labels.back, labels.apply);
      says(confirm, /10[.,]00.*15[.,]00.*⚠️\D+10\D+15/s);
      says(await person.press(labels.yes), /15[.,]00/);
      assert.deepEqual(await filters(), { filters: { gifts: { min: 5 } }, charge_kopecks: 1_500n });
      const { token } = await sandbox.publisher();
      const stranger = freshUser();
      await sandbox.control('POST', `/profiles/${stranger}`, { gifts: 1 });
      assert.deepEqual(await sandbox.getSponsors(token, stranger), []);
    });
  });
}
