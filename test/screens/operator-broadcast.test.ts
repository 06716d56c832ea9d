import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, read, said } from '../bot/balance-labels.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/person.ts';

const MANAGEMENT_BOT_ID = 700_000_001;

const SEEN = {
  ru: {
    tooLong: /не больше 1 800 символов/,
    preview: /Отправить всем\?.*RU.*Работы <ночью>.*EN.*Works at <night>/s,
    sending: /Рассылка №\d+ · идёт.* 0 из \d+/s,
    finished: /Рассылка №\d+ · завершена/,
    delivered: /Доставлено: (\d+), не доставлено: (\d+)/,
    stopped: /остановлена/,
    notSending: /уже не идёт/,
    log: /Рассылка остановлена: рассылка №\d+.*Рассылка начата: рассылка №\d+/s,
  },
  en: {
    tooLong: /1,800 characters/,
    preview: /Send this to everybody\?.*RU.*Работы <ночью>.*EN.*Works at <night>/s,
    sending: /Broadcast \d+ · being sent.* 0 of \d+/s,
    finished: /Broadcast \d+ · finished/,
    delivered: /Delivered: (\d+), not delivered: (\d+)/,
    stopped: /stopped/,
    notSending: /no longer going out/,
    log: /Broadcast stopped: broadcast \d+.*Broadcast started: broadcast \d+/s,
  },
} as const;

// No worker runs, so messages are sent only when a test moves the clock. This lets the test check every step.
describe('a broadcast', () => {
  const service = useService({ OPERATOR_IDS, ROLES: 'api,bot' });

  const compose = async (operator: Person, labels: (typeof LANGUAGES)[number], ru: string, en: string) => {
    await openPart(operator, labels, labels.broadcasts, labels.newBroadcast);
    await operator.say(ru);
    return operator.say(en);
  };

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`reaches every person once, in their language, and counts failed deliveries (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      const [russian, english, blocking] = [
        await ownerWith(sandbox, { language: 'ru' }),
        await ownerWith(sandbox, { language: 'en' }),
        await ownerWith(sandbox, { language: 'en' }),
      ];
      await sandbox.leave(MANAGEMENT_BOT_ID, blocking.person.id);

      await operator.go(labels.broadcasts, labels.newBroadcast);
      assert.match(read(await operator.say('x'.repeat(1_801))), seen.tooLong);
      await operator.say(`Работы <ночью> ${labels.language}`);
      assert.match(read(await operator.say('y'.repeat(1_801))), seen.tooLong);
      const preview = await operator.say(`Works at <night> ${labels.language}`);
      assert.match(read(preview), seen.preview);
      assert.match(read(await operator.press(labels.yes)), seen.sending);
      await operator.forge(dataBehind(preview, labels.yes));
      await sandbox.advance(1);

      await operator.press(labels.refresh);
      // The operator also received the broadcast, so the menu is not the newest message.
      const [message] = await said(operator, seen.finished);
      const page = message === undefined ? '' : read(message);
      const [, sent, failed] = seen.delivered.exec(page) ?? [];
      assert.ok(Number(sent) >= 3, page);
      assert.ok(Number(failed) >= 1, page);
      const ru = new RegExp(`^Работы <ночью> ${labels.language}$`);
      const en = new RegExp(`^Works at <night> ${labels.language}$`);
      assert.equal((await said(russian.person, ru)).length, 1);
      assert.equal((await said(russian.person, en)).length, 0);
      assert.equal((await said(english.person, en)).length, 1);
      assert.equal((await said(blocking.person, en)).length, 0);
      const late = await ownerWith(sandbox, { language: 'ru' });
      await sandbox.advance(60);
      assert.equal((await said(late.person, ru)).length, 0, 'a person who comes later is not told');
    });

    it(`can have one text for both languages, and sends nothing when stopped first (${labels.language})`, async () => {
      const { sandbox } = service;
      const { person } = await ownerWith(sandbox, { language: 'en' });
      const operator = await operatorAt(sandbox, labels);
      await operator.go(labels.broadcasts, labels.newBroadcast);
      await operator.say('Одно на всех');
      await operator.press(labels.same);
      await operator.press(labels.yes);
      const sure = await operator.press(labels.stop);
      assert.match(read(await operator.press(labels.yes)), seen.stopped);
      await operator.forge(dataBehind(sure, labels.yes));
      assert.match(await noticeOf(operator), seen.notSending);
      await sandbox.advance(60);
      assert.equal((await said(person, /Одно на всех/)).length, 0);
      assert.match(await logOf(operator, labels), seen.log);
    });
  }

  it('waits as long as Telegram demands, then continues with the same person', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const operator = await operatorAt(sandbox, labels);
    const people = [
      await ownerWith(sandbox, labels),
      await ownerWith(sandbox, labels),
      await ownerWith(sandbox, labels),
    ];
    await compose(operator, labels, 'Поток', 'Flood');
    await operator.press(labels.yes);
    const second = people[1]?.person.id ?? 0;
    await sandbox.fault({
      mode: 'too_many_requests',
      method: 'sendMessage',
      chat_id: second,
      retry_after: 300,
      count: 1,
    });
    const got = async () => Promise.all(people.map(async ({ person }) => (await said(person, /^Flood$/)).length));
    await sandbox.advance(1);
    assert.deepEqual(await got(), [1, 0, 0]);
    await sandbox.advance(200);
    assert.deepEqual(await got(), [1, 0, 0], 'not before the time is over');
    await sandbox.advance(200);
    assert.deepEqual(await got(), [1, 1, 1]);
  });

  it('continues after an outage of Telegram and skips no person', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const operator = await operatorAt(sandbox, labels);
    const people = [await ownerWith(sandbox, labels), await ownerWith(sandbox, labels)];
    await compose(operator, labels, 'Сбой', 'Outage');
    await operator.press(labels.yes);
    const first = people[0]?.person.id ?? 0;
    await sandbox.fault({ mode: 'down', method: 'sendMessage', chat_id: first, count: 2 });
    for (let i = 0; i < 3; i++) await sandbox.advance(60);
    await eventually('both have it', async () => {
      const got = await Promise.all(people.map(({ person }) => said(person, /^Outage$/)));
      return got.every(({ length }) => length === 1);
    });
  });

  it('skips a person after repeated failures and reaches the next one', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const operator = await operatorAt(sandbox, labels);
    const [stuck, next] = [await ownerWith(sandbox, labels), await ownerWith(sandbox, labels)];
    await compose(operator, labels, 'Тишина', 'Silence');
    await operator.press(labels.yes);
    await sandbox.fault({ mode: 'down', method: 'sendMessage', chat_id: stuck.person.id });
    for (let i = 0; i < 6; i++) await sandbox.advance(60);
    assert.equal((await said(next.person, /^Silence$/)).length, 1);
    await sandbox.fault({ mode: 'none' });
    assert.equal((await said(stuck.person, /^Silence$/)).length, 0);
  });
});
