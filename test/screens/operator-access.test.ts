import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { dataBehind, ownerWith, read } from '../bot/balance-labels.ts';
import { LANGUAGES, logOf, noticeOf, OPERATOR_IDS, openPart, operatorAt } from '../bot/operator-labels.ts';
import { freshUser } from '../support/sandbox.ts';

const SEEN = {
  ru: {
    noBot: /Такого бота нет/,
    granted: /Бета-доступ выдан/,
    tokens: /Токены, новые сверху:\n[0-9a-f]{8} от .* · бета/,
    noTokens: /нет действующих токенов/,
    betaLog: /Бета-доступ забран: бот №\d+.*Бета-доступ выдан: бот №\d+/s,
    wrongId: /Нужен Telegram ID/,
    notBanned: /Не заблокирован/,
    banned: /⛔️ Заблокирован .*: накрутка/,
    userLog: /Пользователь разблокирован: пользователь №\d+.*Пользователь заблокирован: пользователь №\d+ · накрутка/s,
    figures: /7 дней\nПодписок: \d+, отмен: \d+\nОборот: .*30 дней.*Всё время/s,
    balanced: /Учёт сходится/,
    faults: /Учёт не сходится.*available:\d+/s,
    empty: /Пока ничего нет/,
  },
  en: {
    noBot: /There is no such bot/,
    granted: /Beta access is granted/,
    tokens: /Tokens, newest first:\n[0-9a-f]{8} of .* · beta/,
    noTokens: /no valid token/,
    betaLog: /Beta access revoked: bot \d+.*Beta access granted: bot \d+/s,
    wrongId: /must be a Telegram ID/,
    notBanned: /Not banned/,
    banned: /⛔️ Banned .*: накрутка/,
    userLog: /Ban of user lifted: user \d+.*User banned: user \d+ · накрутка/s,
    figures: /7 days\nSubscriptions: \d+, reversed: \d+\nTurnover: .*30 days.*All time/s,
    balanced: /books are balanced/,
    faults: /books are not balanced.*available:\d+/s,
    empty: /nothing/i,
  },
} as const;

describe('beta access, user bans, figures and the audit log', () => {
  const service = useService({ OPERATOR_IDS });

  for (const labels of LANGUAGES) {
    const seen = SEEN[labels.language as 'ru' | 'en'];

    it(`an operator grants and revokes beta access of a bot and sees its tokens (${labels.language})`, async () => {
      const { sandbox } = service;
      const username = `beta_${freshUser()}_bot`;
      const { token } = await sandbox.publisher({ username });
      const asks = async () => (await sandbox.call('GET', '/api/v1/payouts', undefined, { auth: token })).status;
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.beta);
      assert.match(read(await operator.say('@no_such_bot_here')), seen.noBot);
      assert.match(read(await operator.say('not a name')), seen.noBot);
      await operator.say(`@${username.toUpperCase()}`);
      assert.equal(await asks(), 401);
      assert.match(read(await operator.press(labels.grant)), seen.tokens);
      assert.match(await noticeOf(operator), seen.granted);
      assert.equal(await asks(), 200);
      await operator.press(labels.revoke);
      assert.equal(await asks(), 200, 'not before it was asked about');
      await operator.press(labels.yes);
      assert.equal(await asks(), 401);
      assert.match(await logOf(operator, labels), seen.betaLog);
    });

    it(`a user banned by id with a reason gets no tasks until the ban is lifted (${labels.language})`, async () => {
      const { sandbox } = service;
      const { token } = await sandbox.publisher();
      await sandbox.advertise();
      const user = freshUser();
      assert.equal((await sandbox.getSponsors(token, user)).length, 1);
      const operator = await operatorAt(sandbox, labels);
      await operator.press(labels.users);
      assert.match(read(await operator.say('@ivan')), seen.wrongId);
      assert.match(read(await operator.say(String(user))), seen.notBanned);
      await operator.press(labels.ban);
      const question = await operator.say('накрутка');
      assert.match(read(await operator.press(labels.yes)), seen.banned);
      assert.equal((await sandbox.getSponsors(token, user)).length, 0);
      await operator.forge(dataBehind(question, labels.yes));
      await operator.press(labels.unban);
      assert.match(read(await operator.press(labels.yes)), seen.notBanned);
      assert.equal((await sandbox.getSponsors(token, user)).length, 1);
      assert.match(await logOf(operator, labels), seen.userLog);
    });

    it(`an operator sees the platform's figures and whether the ledger is balanced (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const { accountId } = await ownerWith(sandbox, labels, 10);
      const operator = await operatorAt(sandbox, labels);
      assert.match(read(await operator.press(labels.figures)), seen.figures);
      assert.match(read(await operator.press(labels.books)), seen.balanced);
      const change = (by: number) =>
        database.db.query(
          `UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + $2 WHERE kind = 'available' AND owner_id = $1`,
          [accountId, by],
        );
      await change(1);
      assert.match(read(await openPart(operator, labels, labels.figures, labels.books)), seen.faults);
      await change(-1);
    });
  }

  it('a bot without tokens gets no beta access, and the attempt is not logged', async () => {
    const { sandbox, database } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    const username = `bare_${freshUser()}_bot`;
    const { botId } = await sandbox.publisher({ username });
    await database.db.query('DELETE FROM api_tokens WHERE bot_id = $1', [botId]);
    const operator = await operatorAt(sandbox, labels);
    await operator.press(labels.beta);
    await operator.say(username);
    await operator.press(labels.grant);
    assert.match(await noticeOf(operator), SEEN.en.noTokens);
    assert.ok(!(await logOf(operator, labels)).includes(`bot ${botId}`));
  });

  it('the audit log has pages, and its rows cannot be changed or deleted', async () => {
    const { sandbox, database } = service;
    const [, labels] = LANGUAGES;
    assert.ok(labels);
    await database.db.query(
      `INSERT INTO operator_actions (operator_id, action, subject, details, at)
       SELECT 1, 'user.banned', 'user:' || n, '{"reason": "<b>x</b>"}', now() FROM generate_series(1, 20) AS n`,
    );
    const operator = await operatorAt(sandbox, labels);
    const users = (text: string): number[] =>
      [...text.matchAll(/User banned: user (\d+)/g)].map(([, id]) => Number(id));
    assert.deepEqual(users(read(await operator.press(labels.log))), [20, 19, 18, 17, 16, 15, 14, 13]);
    assert.deepEqual(users(read(await operator.press('▶️'))), [12, 11, 10, 9, 8, 7, 6, 5]);
    await assert.rejects(database.db.query('DELETE FROM operator_actions'), /append-only/);
    await assert.rejects(database.db.query("UPDATE operator_actions SET action = 'x'"), /append-only/);
  });
});
