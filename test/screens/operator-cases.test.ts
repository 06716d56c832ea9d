import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, payoutsOf, read, said } from '../bot/balance-labels.ts';
import { LANGUAGES, type Labels, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { caseOf, lowQualityCase, runCasesJob, subscribeMany } from '../support/cases.ts';
import { eventually } from '../support/eventually.ts';
import { plain } from '../support/person.ts';

const SEEN = {
  ru: {
    cases: 'Проверки',
    page: /Проверка №\d+ · ждёт решения.*Низкое качество источника: бот № \d+.*Owner <b>.*Под риском: 21,00 ₽.*Засчитано подписок: 3.*8 из 10 подписчиков.*Примеры:.*Отмена затронет подписок: 3 на 21,00 ₽/s,
    hold: 'Заморозить вывод',
    clear: 'Закрыть',
    reverse: 'Отменить подписки',
    held: /Вывод заморожен/,
    reversed: /Отменено подписок: 3 на 21,00 ₽/,
    already: /Уже решено: подписки отменены/,
    heldPage: /вывод заморожен, проверка идёт/,
    empty: /Нерешённых проверок нет/,
    opened: /Открыта проверка №\d+: Низкое качество/,
    decided: /Проверка №\d+ .*: вывод заморожен.*Причина: <i>уходят<\/i>/s,
    openCase: 'Открыть проверку',
    ownPage: /Проверка №\d+.*Подписчики вашего бота похожи/s,
    answer: 'Ответить',
    sure: /Отправить этот ответ\?.*<b>честно<\/b>/s,
    answered: /Ответ передан/,
    answerSeen: /Ответ владельца: <b>честно<\/b>/,
    log: /Подписки отменены по проверке: проверка №\d+ · farm.*Вывод заморожен по проверке: проверка №\d+ · <i>уходят<\/i>/s,
    seenButton: 'Одобрить, проверки видел',
    payout: /Нерешённые проверки.*№\d+: Низкое качество источника, под риском 21,00 ₽.*Качество ботов.*@\w+: низкое/s,
    seenQuestion: /хотя нерешённых проверок: 1\?/,
    approved: /Выплата одобрена/,
    good: 'Хороший',
    restore: 'Вернуть рассчитанный',
    level: /Уровень качества изменён/,
    restored: /рассчитанный уровень/,
    toBot: '🤖 Бот',
    ban: 'Заблокировать',
    isBanned: /заблокирован/i,
    banned: /Проверка №\d+ .*: аккаунт заблокирован/s,
    toCases: 'К проверкам',
    graph: 'Схема связей',
    graphPage: /Проверка №\d+: Покупка у самого себя/,
    toCase: 'К проверке',
    selfPage: /Проверка №\d+/,
  },
  en: {
    cases: 'Cases',
    page: /Case \d+ · waits for a decision.*Low quality of a source: bot no\. \d+.*Owner <b>.*At risk: ₽21\.00.*Subscriptions: 3.*8 of 10 subscribers.*Examples:.*A reversal would take back 3 subscriptions worth ₽21\.00/s,
    hold: 'Hold withdrawals',
    clear: 'Clear',
    reverse: 'Reverse the subscriptions',
    held: /Withdrawals are frozen/,
    reversed: /Subscriptions reversed: 3, worth ₽21\.00/,
    already: /Decided already: subscriptions reversed/,
    heldPage: /withdrawals frozen, not decided yet/,
    empty: /No case is undecided/,
    opened: /Case \d+ was opened: Low quality/,
    decided: /Case \d+ .*: withdrawals frozen.*Reason: <i>уходят<\/i>/s,
    openCase: 'Open the case',
    ownPage: /Case \d+.*The subscribers of your bot look invented/s,
    answer: 'Answer',
    sure: /Send this answer\?.*<b>честно<\/b>/s,
    answered: /operators have your answer/,
    answerSeen: /Answer of the owner: <b>честно<\/b>/,
    log: /Subscriptions of a case reversed: case \d+ · farm.*Withdrawals frozen for a case: case \d+ · <i>уходят<\/i>/s,
    seenButton: 'Approve, cases seen',
    payout: /Undecided cases.*No\. \d+: Low quality of a source, ₽21\.00 at risk.*Quality of the bots.*@\w+: low/s,
    seenQuestion: /although 1 cases are undecided\?/,
    approved: /The payout is approved/,
    good: 'Good',
    restore: 'Restore the computed level',
    level: /quality level is changed/,
    restored: /computed level applies again/,
    toBot: '🤖 Bot',
    ban: 'Ban',
    isBanned: /blocked/i,
    banned: /Case \d+ .*: account banned/s,
    toCases: 'To the cases',
    graph: 'Picture of the links',
    graphPage: /Case \d+: /,
    toCase: 'To the case',
    selfPage: /Case \d+/,
  },
} as const;

describe('cases for operators', () => {
  const service = useService({ OPERATOR_IDS });

  async function ownerWithCase(labels: Labels, deposit = 0) {
    const owner = await ownerWith(service.sandbox, labels, deposit);
    return { ...owner, ...(await lowQualityCase(service, owner)) };
  }

  /** Types a reason for a decision and confirms it. Returns the toast. */
  async function decide(
    operator: Awaited<ReturnType<typeof operatorAt>>,
    labels: Labels,
    button: string,
    reason: string,
  ) {
    await operator.press(button);
    await operator.say(reason);
    await operator.press(labels.yes);
    return noticeOf(operator);
  }

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`a case shows its evidence, is held and reversed once, and its owner is told why (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const owner = await ownerWithCase(labels);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(seen.cases);
      assert.match(read(await operator.press(`${owner.caseId} ·`)), seen.page);

      assert.match(await decide(operator, labels, seen.hold, '<i>уходят</i>'), seen.held);
      assert.match(read(await operator.menu()), seen.heldPage);
      assert.equal((await caseOf(database.db, owner.accountId)).status, 'held');

      await operator.press(seen.reverse);
      const question = await operator.say('farm');
      const yes = dataBehind(question, labels.yes);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.reversed);
      await operator.forge(yes);
      assert.match(await noticeOf(operator), seen.already);
      assert.deepEqual(await sandbox.money(owner.token), { balance: 0, hold_balance: 0 });
      await sandbox.assertBalanced();
      assert.match(await logOf(operator, labels), seen.log);

      await sandbox.advance(1);
      await eventually('the owner is told', async () => (await said(owner.person, seen.decided)).length === 1);
      assert.equal((await said(owner.person, seen.opened)).length, 1);
      assert.match(read(await openPart(operator, labels, seen.cases)), seen.empty);
    });

    it(`the owner opens the case from the notice and answers once (${labels.language})`, async () => {
      const { sandbox } = service;
      const owner = await ownerWithCase(labels);
      await sandbox.advance(1);
      await eventually('the notice arrives', async () => (await said(owner.person, seen.opened)).length === 1);
      assert.match(read(await owner.person.press(seen.openCase)), seen.ownPage);
      await owner.person.press(seen.answer);
      const question = await owner.person.say('<b>честно</b>');
      assert.match(read(question), seen.sure);
      const yes = dataBehind(question, labels.yes);
      await owner.person.press(labels.yes);
      assert.match(plain((await owner.person.notice())?.text ?? ''), seen.answered);
      assert.ok(!JSON.stringify((await owner.person.menu()).buttons).includes(seen.answer), 'the button is gone');
      await owner.person.forge(yes);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(seen.cases);
      assert.match(read(await operator.press(`${owner.caseId} ·`)), seen.answerSeen);
      assert.match(await decide(operator, labels, seen.clear, 'fine'), /./);

      const stranger = await ownerWith(sandbox, labels);
      const page = read(await stranger.person.forge(`case:${owner.caseId}`));
      assert.doesNotMatch(page, seen.ownPage, 'a case of another account');
    });

    it(`an operator opens what accounts share as a picture (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const owner = await ownerWith(sandbox, labels, 100);
      const order = await sandbox.advertise({ quantity: 10, title: 'Shared <u>' });
      await subscribeMany(sandbox, owner, order, 5);
      await sandbox.advertise({ account_id: owner.accountId, chat_id: order.chatId, quantity: 1, price_per_sub: 1 });
      await runCasesJob(service);
      const { id } = await caseOf(database.db, owner.accountId);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(seen.cases);
      await operator.press(`${id} ·`);
      const picture = await operator.press(seen.graph);
      assert.equal(picture.photo, true);
      assert.match(read(picture), seen.graphPage);
      const back = await operator.press(seen.toCase);
      assert.notEqual(back.photo, true);
      assert.match(read(back), seen.selfPage);
      await decide(operator, labels, seen.clear, 'brothers');
    });

    it(`a case without shared things has no picture (${labels.language})`, async () => {
      const owner = await ownerWithCase(labels);
      const operator = await operatorAt(service.sandbox, labels);
      await operator.press(seen.cases);
      const page = await operator.press(`${owner.caseId} ·`);
      assert.ok(!JSON.stringify(page.buttons).includes(seen.graph));
      await decide(operator, labels, seen.clear, 'done');
    });

    it(`the owner of a banned account may still answer, and nothing else (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const owner = await ownerWithCase(labels);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(seen.cases);
      await operator.press(`${owner.caseId} ·`);
      assert.match(await decide(operator, labels, seen.ban, 'farm'), /./);
      assert.equal((await caseOf(database.db, owner.accountId)).status, 'banned');
      await sandbox.advance(1);
      await eventually('the owner is told', async () => (await said(owner.person, seen.banned)).length === 1);

      await owner.person.forge('balance');
      assert.match(plain((await owner.person.notice())?.text ?? ''), seen.isBanned);
      assert.match(read(await owner.person.say('/start')), seen.isBanned);
      await owner.person.press(seen.toCases);
      assert.match(read(await owner.person.press(`${owner.caseId} ·`)), seen.ownPage);
      await owner.person.press(seen.answer);
      await owner.person.say('<b>честно</b>');
      await owner.person.press(labels.yes);
      assert.match(plain((await owner.person.notice())?.text ?? ''), seen.answered);
      assert.equal((await caseOf(database.db, owner.accountId)).answer, '<b>честно</b>');
      assert.ok(
        JSON.stringify(await owner.person.say('/console')).includes('/console/enter'),
        'a way into the console',
      );
    });

    it(`a payout of an account with a case is approved only after the cases were seen (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const owner = await ownerWithCase(labels, 300);
      const payouts = payoutsOf(database.db);
      const request = { accountId: owner.accountId, key: 'a', amountKopecks: 30_000n, method: 'manual' } as const;
      const outcome = await payouts.request({ ...request, destination: 'card' });
      assert.ok(outcome.kind === 'requested');
      const { id: payoutId } = outcome.payout;
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.payouts);
      assert.match(read(await operator.press(`${payoutId} ·`)), seen.payout);
      await operator.forge(`op.yes:approve:${payoutId}`);
      assert.equal((await payouts.find(payoutId))?.status, 'requested', 'the plain approval is refused');
      assert.match(read(await operator.press(seen.seenButton)), seen.seenQuestion);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.approved);
      assert.equal((await payouts.find(payoutId))?.status, 'approved');
      await operator.forge(`op.case:${owner.caseId}`);
      await decide(operator, labels, seen.clear, 'done');
    });

    it(`an operator sets the quality of a bot with a reason and restores it (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const owner = await ownerWithCase(labels);
      const levelOf = async (): Promise<string | null | undefined> =>
        (
          await database.db.query<{ override_level: string | null }>(
            'SELECT override_level FROM bot_quality WHERE bot_id = $1',
            [owner.botId],
          )
        )[0]?.override_level;
      const operator = await operatorAt(sandbox, labels);
      await operator.press(seen.cases);
      await operator.press(`${owner.caseId} ·`);
      await operator.press(seen.toBot);
      assert.match(await decide(operator, labels, seen.good, 'checked'), seen.level);
      assert.equal(await levelOf(), 'good');
      await operator.press(seen.restore);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.restored);
      assert.equal(await levelOf(), null);
      await operator.forge(`op.case:${owner.caseId}`);
      await decide(operator, labels, seen.clear, 'done');
    });
  }

  it('other people cannot open cases with forged buttons', async () => {
    const [labels] = LANGUAGES;
    assert.ok(labels !== undefined);
    const owner = await ownerWithCase(labels);
    for (const data of [`op.case:${owner.caseId}`, 'op.cases', `op.do:cclear:${owner.caseId}`]) {
      assert.doesNotMatch(read(await owner.person.forge(data)), SEEN.ru.page);
    }
    assert.equal((await caseOf(service.database.db, owner.accountId)).status, 'open');
  });
});
