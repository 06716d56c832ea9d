import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, payoutsOf, read, said } from '../bot/balance-labels.ts';
import { deliverAgain, keepUpdates } from '../bot/deliver-again.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, OPERATORS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { startOn } from '../support/service.ts';

const SEEN = {
  ru: {
    page: /Аккаунт №\d+.*Owner <b>, Telegram ID \d+.*Доступно: 70,00 ₽, в холде: 0,00 ₽.*Боты: @\w+.*Заказы: показывается 1/s,
    notFound: /Ничего не нашлось/,
    wrongAmount: /не похоже на сумму/,
    range: /от 0,01 ₽ до 10 000 000,00 ₽/,
    summary: /Зачислить\?.*Аккаунт №\d+ \(Owner <b>\).*1 000,50 ₽.*чек <7>/s,
    credited: /Зачислено 1 000,50 ₽/,
    ownerCredited: /Баланс пополнен на 1 000,50 ₽/,
    creditLog: /Деньги зачислены: аккаунт №\d+ · 1 000,50 ₽ · чек <7>/,
    banned: /Аккаунт заблокирован\. Остановлено заказов: 1/,
    bannedPage: /⛔️ Заблокирован .*: фрод/,
    door: /Ваш аккаунт заблокирован/,
    unbanned: /Аккаунт разблокирован/,
    banLog: /Аккаунт разблокирован: аккаунт №\d+.*Аккаунт заблокирован: аккаунт №\d+ · фрод/s,
    isOperator: /аккаунт оператора/,
  },
  en: {
    page: /Account \d+.*Owner <b>, Telegram ID \d+.*Available: ₽70\.00, in hold: ₽0\.00.*Bots: @\w+.*Orders: .+ 1/s,
    notFound: /Nothing was found/,
    wrongAmount: /does not look like an amount/,
    range: /From ₽0\.01 to ₽10,000,000\.00/,
    summary: /Credit this\?.*Account \d+ \(Owner <b>\).*₽1,000\.50.*чек <7>/s,
    credited: /₽1,000\.50 credited/,
    ownerCredited: /₽1,000\.50/,
    creditLog: /Money credited: account \d+ · ₽1,000\.50 · чек <7>/,
    banned: /The account is banned\. Orders paused: 1/,
    bannedPage: /⛔️ Banned .*: фрод/,
    door: /account is banned|banned by an operator|blocked/i,
    unbanned: /The ban is lifted/,
    banLog: /Ban of account lifted: account \d+.*Account banned: account \d+ · фрод/s,
    isOperator: /account of an operator/,
  },
} as const;

describe('accounts', () => {
  const service = useService({ OPERATOR_IDS });

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`are found by number, Telegram id and username of a bot (${labels.language})`, async () => {
      const { sandbox } = service;
      const owner = await ownerWith(sandbox, labels, 100);
      await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 3 });
      const { bots } = await sandbox.control('GET', '/state');
      const bot = bots.find(({ bot_id: id }: { bot_id: number }) => id === owner.botId);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      assert.match(read(await operator.say('@nobody_here_bot')), seen.notFound);
      assert.match(read(await operator.say("'; DROP TABLE accounts")), seen.notFound);
      for (const query of [String(owner.accountId), String(owner.person.id), `@${bot.bot_username}`]) {
        await openPart(operator, labels, labels.accounts);
        assert.match(read(await operator.say(query)), seen.page, query);
      }
    });

    it(`are credited once after a confirmation, and the note is logged (${labels.language})`, async () => {
      const { sandbox } = service;
      const owner = await ownerWith(sandbox, labels);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(owner.accountId));
      await operator.press(labels.creditMoney);
      assert.match(read(await operator.say('lots')), seen.wrongAmount);
      assert.match(read(await operator.say('99 000 000')), seen.range);
      await operator.say('1 000,50');
      assert.match(read(await operator.say('x'.repeat(301))), labels.text300);
      const summary = await operator.say('чек <7>');
      assert.match(read(summary), seen.summary);
      assert.equal(await sandbox.kopecks('available', owner.accountId), 0);
      const yes = dataBehind(summary, labels.yes);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.credited);
      await Promise.all([operator.forge(yes), operator.forge(yes)]);
      assert.equal(await sandbox.kopecks('available', owner.accountId), 100_050);
      assert.match(await logOf(operator, labels), seen.creditLog);
      await sandbox.advance(1);
      await eventually('the owner is told', async () => (await said(owner.person, seen.ownerCredited)).length === 1);
      await sandbox.assertBalanced();
    });

    it(`lose all access when banned and regain it when unbanned (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const owner = await ownerWith(sandbox, labels, 1_000);
      const order = await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 3 });
      const asks = () => sandbox.api(owner.token, 'get-sponsors', { user_id: freshUser() });
      assert.equal((await asks()).status, 200);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(owner.accountId));
      await operator.press(labels.ban);
      await operator.say('фрод');
      assert.equal((await asks()).status, 200, 'not before it was asked about');
      const page = await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.banned);
      assert.match(read(page), seen.bannedPage);

      assert.equal((await asks()).status, 401, 'its tokens are refused from this moment');
      assert.equal((await sandbox.statistic(owner.token)).status, 401);
      assert.equal((await sandbox.order(order.orderId)).status, 'paused');
      const publisher = await sandbox.publisher();
      assert.equal((await sandbox.getSponsors(publisher.token, freshUser())).length, 0, 'and its order is not shown');
      const request = { accountId: owner.accountId, key: 'k', amountKopecks: 10_000n, method: 'manual' } as const;
      const outcome = await payoutsOf(database.db).request({ ...request, destination: 'card' });
      assert.deepEqual(outcome, { kind: 'account_banned' });
      await owner.person.press(labels.language === 'ru' ? 'Баланс' : 'Balance');
      assert.match(await noticeOf(owner.person), seen.door);

      await operator.press(labels.unban);
      assert.equal((await asks()).status, 401);
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.unbanned);
      assert.equal((await asks()).status, 200, 'its tokens work again');
      assert.equal((await sandbox.order(order.orderId)).status, 'paused', 'its orders wait for their owner');
      assert.match(await logOf(operator, labels), seen.banLog);
    });

    it(`of operators cannot be banned (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(OPERATORS[labels.language]));
      await operator.press(labels.ban);
      await operator.say('a slip');
      await operator.press(labels.yes);
      assert.match(await noticeOf(operator), seen.isOperator);
      await operator.say('/start');
      assert.ok((await operator.menu()).buttons.flat().some((label) => label.includes(labels.operator)));
    });
  }

  it('are credited once when Telegram delivers the confirmation twice', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    await keepUpdates(service);
    const owner = await ownerWith(sandbox, labels);
    const operator = await operatorAt(sandbox, labels);
    await operator.press(labels.accounts);
    await operator.say(String(owner.accountId));
    await operator.press(labels.creditMoney);
    await operator.say('50');
    const yes = dataBehind(await operator.say('a transfer'), labels.yes);
    await operator.press(labels.yes);
    await operator.say('/start');
    await deliverAgain(service, operator, yes);
    assert.match(read(await operator.menu()), /Account \d+.*Available: ₽50\.00/s, 'it was delivered again');
    assert.equal(await sandbox.kopecks('available', owner.accountId), 5_000);
  });

  it('lose and regain access in every process', async () => {
    const { sandbox, database } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const other = await startOn(database.url, { OPERATOR_IDS, ROLES: 'api' });
    try {
      const owner = await ownerWith(sandbox, labels);
      const asks = async () => (await other.sandbox.api(owner.token, 'get-sponsors', { user_id: freshUser() })).status;
      assert.equal(await asks(), 200);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.accounts);
      await operator.say(String(owner.accountId));
      await operator.press(labels.ban);
      await operator.say('fraud');
      await operator.press(labels.yes);
      await eventually('the other process refuses its tokens', async () => (await asks()) === 401);
      await operator.go(labels.unban, labels.yes);
      await eventually('the other process takes its tokens', async () => (await asks()) === 200);
    } finally {
      await other.stop();
    }
  });

  it('are listed newest first, in pages', async () => {
    const { sandbox } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const operator = await operatorAt(sandbox, labels);
    const made: number[] = [];
    for (let i = 0; i < 9; i++)
      made.push((await sandbox.control('POST', '/accounts', { name: `Name ${i}` })).account_id);
    const numbers = ({ buttons }: { buttons: readonly (readonly string[])[] }): number[] =>
      buttons.flat().flatMap((label) => Number(/^No\. (\d+)/.exec(label)?.[1]) || []);
    const newest = made.toReversed();
    assert.deepEqual(numbers(await operator.press(labels.accounts)), newest.slice(0, 8));
    assert.equal(numbers(await operator.press('▶️'))[0], newest[8]);
    assert.deepEqual(numbers(await operator.press('◀️')), newest.slice(0, 8));
  });
});
