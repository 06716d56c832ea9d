import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, LANGUAGES, ownerWith, read } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';

const SEEN = {
  ru: {
    bots: 'Мои боты',
    webhooks: 'Вебхуки',
    add: 'Добавить вебхук',
    wrongUrl: /Нужен открытый адрес/,
    known: /уже есть/,
    secret: /Секрет вебхука .*whsec_\S+/s,
    saved: 'сохранён',
    page: /Включён/,
    test: 'проверочное событие',
    testSent: /отправляется/,
    newSecret: 'Новый секрет',
    remove: 'Удалить',
    none: /Пришлите адрес своей программы/,
  },
  en: {
    bots: 'My bots',
    webhooks: 'Webhooks',
    add: 'Add a webhook',
    wrongUrl: /public http or https address/,
    known: /have this webhook already/,
    secret: /The secret of the webhook .*whsec_\S+/s,
    saved: 'saved it',
    page: /On/,
    test: 'test event',
    testSent: /on its way/,
    newSecret: 'New secret',
    remove: 'Delete',
    none: /Send the address of your program/,
  },
} as const;

describe('webhooks in the management bot', () => {
  const service = useService();

  for (const labels of journeyLanguages(LANGUAGES)) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`are registered, tested, given a new secret and deleted by any publisher (${labels.language})`, async () => {
      const { sandbox } = service;
      const { person } = await ownerWith(sandbox, labels);
      const { person: stranger } = await ownerWith(sandbox, labels);
      assert.match(read(await person.go(seen.bots, seen.webhooks)), seen.none);
      await person.press(seen.add);
      for (const url of ['somewhere', 'ftp://example.com/', 'https://u:p@example.com/']) {
        assert.match(read(await person.say(url)), seen.wrongUrl, url);
      }
      const shown = read(await person.say('https://example.com/hook'));
      assert.match(shown, seen.secret);
      const page = await person.press(seen.saved);
      assert.match(read(page), seen.page);
      assert.doesNotMatch(read(page), /whsec_/, 'the secret is shown once');
      await person.press(seen.test);
      assert.match((await person.notice())?.text ?? '', seen.testSent);

      const renewed = read(await person.go(seen.newSecret, labels.yes));
      assert.match(renewed, seen.secret);
      assert.notEqual(/whsec_\S+/.exec(renewed)?.[0], /whsec_\S+/.exec(shown)?.[0]);

      await person.go(seen.saved, labels.language === 'ru' ? 'Назад' : 'Back', seen.add);
      assert.match(read(await person.say('https://example.com/hook')), seen.known);

      const list = await person.press(labels.cancel);
      const open = dataBehind(list, 'example.com');
      assert.match(read(await stranger.forge(open)), /Sponsorgate/, 'another account sees the first screen');
      await stranger.forge(open.replace('hook', 'hookGone'));
      assert.match(read(await person.go('example.com', seen.remove, labels.yes)), seen.none);
    });

    it(`get the messages of the network that the publisher chooses (${labels.language})`, async () => {
      const { person } = await ownerWith(service.sandbox, labels);
      await person.go(seen.bots, seen.webhooks, seen.add, 'SubGram');
      assert.match(read(await person.say('somewhere')), seen.wrongUrl, 'a refused address keeps the choice');
      const url = `https://example.com/${labels.language}-subgram`;
      assert.match(read(await person.say(url)), seen.secret);
      assert.match(read(await person.press(seen.saved)), /SubGram/);
      const rows = await service.database.db.query('SELECT format FROM webhook_endpoints WHERE url = $1', [url]);
      assert.deepEqual(rows, [{ format: 'subgram' }]);
    });
  }
});
