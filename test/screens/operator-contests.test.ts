import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, read, said } from '../bot/balance-labels.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';

const HOUR = 3600;

const SEEN = {
  ru: {
    wrongTime: /Не понимаю дату/,
    endBeforeStart: /Конец должен быть позже начала/,
    endInPast: /Конец должен быть в будущем/,
    wrongPrizes: /Нужны суммы через запятую/,
    nameLength: /название до 100 символов/,
    summary:
      /Создать конкурс\?.*Гонка <1>.*01\.12\.2030, 12:00 – 08\.12\.2030, 00:00.*5 000,00 ₽, 3 000,00 ₽, 1 000,00 ₽.*9 000,00 ₽/s,
    created: /Конкурс создан/,
    page: /Конкурс №\d+: Гонка <1> · скоро/,
    cancelled: /отменён/,
    log: /Конкурс отменён: конкурс №\d+.*Конкурс создан: конкурс №\d+ · Гонка <1>/s,
    mine: 'Конкурсы',
    running: /Срок · идёт.*Осталось: (6 дн\. 23|7 дн\. 0) ч/s,
    rank: /Ваше место: 1, подписок: 2 на 14,00 ₽/,
    prizes: /1 место: 5 000,00 ₽\n2 место: 3 000,00 ₽/,
    leaders: /1\. аккаунт №\d+ \(вы\): 14,00 ₽\n2\. аккаунт №\d+: 7,00 ₽/,
    none: /У вас пока нет засчитанных подписок/,
    finished: /завершён.*Ваш приз: 5 000,00 ₽/s,
    told: /Конкурс «Быстрый» завершён\. Ваше место: 1/,
    toApprove: /итоги на проверке.*1\. аккаунт №\d+: 7,00 ₽ \(подписок: 1\) → 100,00 ₽.*Проверьте итоги/s,
    approved: /Призы одобрены/,
    approvedLog: /Призы конкурса одобрены: конкурс №\d+/,
    standings: /1\. аккаунт №\d+: 14,00 ₽ \(подписок: 2\) → 5 000,00 ₽/,
  },
  en: {
    wrongTime: /not a date I understand/,
    endBeforeStart: /end must come after the beginning/,
    endInPast: /end must lie in the future/,
    wrongPrizes: /Amounts with commas between/,
    nameLength: /name of at most 100/,
    summary:
      /Create this contest\?.*Гонка <1>.*01\/12\/2030, 12:00 – 08\/12\/2030, 00:00.*₽5,000\.00, ₽3,000\.00, ₽1,000\.00.*₽9,000\.00/s,
    created: /contest is created/,
    page: /Contest \d+: Гонка <1> · soon/,
    cancelled: /cancelled/,
    log: /Contest cancelled: contest \d+.*Contest created: contest \d+ · Гонка <1>/s,
    mine: 'Contests',
    running: /Срок · running.*Time left: (6 d 23|7 d 0) h/s,
    rank: /Your place: 1, subscriptions: 2, worth ₽14\.00/,
    prizes: /Place 1: ₽5,000\.00\nPlace 2: ₽3,000\.00/,
    leaders: /1\. account \d+ \(you\): ₽14\.00\n2\. account \d+: ₽7\.00/,
    none: /You have no counted subscriptions yet/,
    finished: /finished.*Your prize: ₽5,000\.00/s,
    told: /“Быстрый”.*1/,
    toApprove: /results being checked.*1\. account \d+: ₽7\.00 \(subscriptions: 1\) → ₽100\.00.*Check the results/s,
    approved: /prizes are approved/,
    approvedLog: /Prizes of a contest approved: contest \d+/,
    standings: /1\. account \d+: ₽14\.00 \(subscriptions: 2\) → ₽5,000\.00/,
  },
} as const;

describe('contests', () => {
  const service = useService({ OPERATOR_IDS });

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`are created once after a summary, explain wrong input, and can be cancelled (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      await operator.go(labels.contests, labels.newContest);
      assert.match(read(await operator.say('x'.repeat(101))), seen.nameLength);
      await operator.say('Гонка <1>');
      for (const [typed, answer] of [
        ['next week', seen.wrongTime],
        ['2030-02-30', seen.wrongTime],
        ['2030-12-01 12:00', /./],
        ['soon', seen.wrongTime],
        ['01.12.2030 11:00', seen.endBeforeStart],
        ['8.12.2030', /./],
        ['lots', seen.wrongPrizes],
        ['5000, 0', seen.wrongPrizes],
        ['5000, 3000, 1000', seen.summary],
      ] as const) {
        assert.match(read(await operator.say(typed)), answer, typed);
      }
      const yes = dataBehind(await operator.menu(), labels.yes);
      const page = read(await operator.press(labels.yes));
      assert.match(page, seen.page);
      assert.match(await noticeOf(operator), seen.created);
      await Promise.all([operator.forge(yes), operator.forge(yes)]);
      assert.equal(read(await operator.menu()), page, 'the same contest');

      const sure = await operator.press(labels.cancelContest);
      assert.match(read(await operator.press(labels.yes)), seen.cancelled);
      await operator.forge(dataBehind(sure, labels.yes));
      assert.match(await noticeOf(operator), labels.alreadyDone);
      assert.match(await logOf(operator, labels), seen.log);
    });

    it(`show a participant the rank, the prizes and the leaders, and pay the winner (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      const [winner, second, nobody] = [
        await ownerWith(sandbox, labels),
        await ownerWith(sandbox, labels),
        await ownerWith(sandbox, labels),
      ];
      const order = await sandbox.advertise({ hold_hours: 1, price_per_sub: 10, quantity: 10 });
      for (const { token } of [winner, winner, second]) await sandbox.subscribe(token, order, freshUser());

      await operator.go(labels.contests, labels.newContest);
      await operator.say('Быстрый');
      await operator.press(labels.now);
      await operator.press(labels.week);
      await operator.say('5000, 3000');
      await operator.press(labels.yes);
      await sandbox.advance(25 * HOUR);
      for (const { person } of [winner, nobody]) {
        await person.say('/start');
        await person.go(seen.mine, 'Быстрый');
      }
      const mine = read(await winner.person.menu());
      for (const part of [seen.rank, seen.prizes, seen.leaders]) assert.match(mine, part);
      assert.match(read(await nobody.person.menu()), seen.none);
      assert.match(read(await openPart(operator, labels, labels.contests, 'Быстрый')), seen.standings);

      await sandbox.advance(7 * 24 * HOUR);
      await winner.person.say('/start');
      assert.match(read(await winner.person.go(seen.mine, 'Быстрый')), seen.finished);
      assert.equal(await sandbox.kopecks('available', winner.accountId), 500_000 + 1_400);
      await eventually('the winner is told', async () => (await said(winner.person, seen.told)).length === 1);
      assert.equal(await winner.person.isWaiting(), false);
    });

    it(`that need approval pay their prizes once, after an operator approves (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const operator = await operatorAt(sandbox, labels);
      const winner = await ownerWith(sandbox, labels);
      const order = await sandbox.advertise({ price_per_sub: 10, quantity: 1 });
      await sandbox.subscribe(winner.token, order, freshUser());
      await operator.go(labels.contests, labels.newContest);
      await operator.say('Проверка');
      await operator.press(labels.now);
      await operator.press(labels.week);
      await operator.say('100');
      await operator.press(labels.yes);
      await database.db.query("UPDATE contests SET approved_at = NULL WHERE name = 'Проверка' AND finished_at IS NULL");
      await sandbox.advance(8 * 24 * HOUR);
      assert.equal(await sandbox.kopecks('available', winner.accountId), 700);
      assert.match(read(await openPart(operator, labels, labels.contests, 'Проверка')), seen.toApprove);
      const sure = await operator.press(labels.approve);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.approved);
      await operator.forge(dataBehind(sure, labels.yes));
      assert.match(await noticeOf(operator), labels.alreadyDone);
      await sandbox.advance(60);
      assert.equal(await sandbox.kopecks('available', winner.accountId), 10_700);
      assert.match(await logOf(operator, labels), seen.approvedLog);
    });

    it(`must end in the future, and show the time left in days and hours (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      await operator.go(labels.contests, labels.newContest);
      await operator.say('Срок');
      await operator.say('2020-01-01');
      assert.match(read(await operator.say('2020-01-08')), seen.endInPast);
      await operator.go(labels.cancel, labels.newContest);
      await operator.say('Срок');
      await operator.press(labels.now);
      await operator.press(labels.week);
      await operator.say('1');
      await operator.press(labels.yes);
      const { person } = await ownerWith(sandbox, labels);
      assert.match(read(await person.go(seen.mine, 'Срок')), seen.running);
      await operator.go(labels.cancelContest, labels.yes);
    });
  }
});
