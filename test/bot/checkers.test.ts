import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import {
  addSpareChecker,
  checkerOf,
  createSpareBot,
  revokeToken,
  type SpareBot,
  setAdministrator,
  untilListening,
} from '../support/checkers.ts';
import { eventually } from '../support/eventually.ts';
import { Person } from '../support/person.ts';
import { freshUser } from '../support/sandbox.ts';
import { LABELS } from './advertiser-labels.ts';
import { answerTheRest, arrive, orderIdIn, ownChannel, SERVICE_BOT, says, startOrder } from './advertiser-setup.ts';
import { read } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';
import { LANGUAGES, logOf, OPERATOR_IDS, OPERATORS, openPart, operatorAt } from './operator-labels.ts';

const DAY = 24 * 3600;

const SEEN = {
  ru: {
    menu: 'Проверяющие боты',
    add: 'Добавить бота',
    none: /Пока таких нет: все каналы проверяет этот бот/,
    works: / · работает/,
    refused: /токен не принят/,
    remove: 'Удалить',
    notAToken: /не похоже на токен/,
    managementBot: /@sponsorgate_bot – бот управления, он и так проверяет/,
    customerBot: /бот издателя или рекламодателя/,
    webhook: /принадлежит другой программе: его обновления идут на other\.example/,
    polled: /принадлежит другой программе, она забирает его обновления/,
    log: /Проверяющий бот удалён.*Проверяющий бот добавлен/s,
    greeting: /Я только проверяю, кто подписался\..*@sponsorgate_bot/,
    stopped: /Telegram не принимает токен проверяющего бота @/,
    paused: /Наш бот @\w+ больше не видит, кто подписался/,
  },
  en: {
    menu: 'Checker bots',
    add: 'Add a bot',
    none: /There is none yet: this bot checks all channels/,
    works: / · works/,
    refused: /token refused/,
    remove: 'Remove',
    notAToken: /does not look like a token/,
    managementBot: /@sponsorgate_bot is the management bot and checks already/,
    customerBot: /is a bot of a publisher or an advertiser here/,
    webhook: /belongs to another program: its updates go to other\.example/,
    polled: /belongs to another program, which fetches its updates/,
    log: /Checker bot removed.*Checker bot added/s,
    greeting: /I only check who subscribed\..*@sponsorgate_bot/,
    stopped: /Telegram refuses the token of checker bot @/,
    paused: /Our bot @\w+ can no longer see who subscribed/,
  },
} as const;

const service = useService({ OPERATOR_IDS, TELEGRAM_CHECKS_PER_SECOND: '1000' });
const OPERATOR_ID = OPERATORS.en ?? 0;

async function addChecker(): Promise<SpareBot> {
  const { sandbox, database } = service;
  await sandbox.call('POST', '/sandbox/users', { user_id: OPERATOR_ID, first_name: 'Op', language_code: 'en' });
  return addSpareChecker(sandbox, database.db, OPERATOR_ID);
}

async function removeAllCheckers(): Promise<void> {
  await service.database.db.query("UPDATE checkers SET stop_reason = 'removed', stopped_at = now()");
  await service.sandbox.advance(1);
  await eventually(
    'no checker bot is left',
    async () => (await service.database.db.query('SELECT 1 FROM checkers')).length === 0,
  );
}

/** Calls the emulated Bot API with a token, as another program does. */
const callAs = (token: string, method: string, body: object) =>
  service.sandbox.call('POST', `/sandbox/telegram/bot${token}/${method}`, body);

for (const labels of journeyLanguages(LANGUAGES)) {
  const seen = SEEN[labels.language as 'ru' | 'en'];

  describe(`checker bots of an operator, in ${labels.language}`, () => {
    it('are added with a token that is stored encrypted, and removed again', async () => {
      const { sandbox, database } = service;
      const operator = await operatorAt(sandbox, labels);
      const bot = await createSpareBot(sandbox, operator.id);
      assert.match(read(await openPart(operator, labels, seen.menu)), seen.none);
      await operator.press(seen.add);
      assert.match(read(await operator.say('hello')), seen.notAToken);
      const page = read(await operator.say(`Use this token: ${bot.token}`));
      assert.match(page, new RegExp(`@${bot.username}`));
      assert.match(page, seen.works);
      const texts = (await operator.messages()).map(({ text }) => text);
      assert.ok(!texts.some((text) => text.includes(bot.token)), 'the message with the token is deleted');
      const [stored] = await database.db.query<{ text: string }>('SELECT checkers::text AS text FROM checkers');
      assert.ok(!stored?.text.includes(bot.token) && !stored?.text.includes(Buffer.from(bot.token).toString('hex')));

      const visitor = new Person(sandbox, freshUser(), bot.username);
      await sandbox.control('POST', '/users', {
        user_id: visitor.id,
        first_name: 'Ann',
        language_code: labels.language,
      });
      await untilListening(database.db, bot);
      assert.match((await visitor.say('/start')).text, seen.greeting);

      await openPart(operator, labels, seen.menu, `@${bot.username}`, seen.remove, labels.yes);
      await sandbox.advance(1);
      assert.match(read(await openPart(operator, labels, seen.menu)), seen.none);
      assert.match(await logOf(operator, labels), seen.log);
    });

    it('are not taken from another program, a customer or the service itself', async () => {
      const { sandbox, database } = service;
      const operator = await operatorAt(sandbox, labels);
      const refused = async (token: string, reason: RegExp): Promise<void> => {
        await openPart(operator, labels, seen.menu, seen.add);
        assert.match(read(await operator.say(token)), reason);
        assert.deepEqual(await database.db.query('SELECT 1 FROM checkers'), []);
      };
      const [management] = await database.db.query<{ token: string }>(
        'SELECT token FROM sandbox.tg_bots WHERE bot_id = $1',
        [SERVICE_BOT],
      );
      await refused(management?.token ?? '', seen.managementBot);

      const hooked = await createSpareBot(sandbox, operator.id);
      await callAs(hooked.token, 'setWebhook', { url: 'https://other.example/hook' });
      await refused(hooked.token, seen.webhook);
      assert.equal((await callAs(hooked.token, 'getWebhookInfo', {})).body.result.url, 'https://other.example/hook');

      const customer = await createSpareBot(sandbox, operator.id);
      await sandbox.publisher({ username: customer.username });
      await refused(customer.token, seen.customerBot);

      const polled = await createSpareBot(sandbox, operator.id);
      let isRunning = true;
      const otherProgram = (async () => {
        while (isRunning) await callAs(polled.token, 'getUpdates', { timeout: 2 });
      })();
      await refused(polled.token, seen.polled);
      isRunning = false;
      await otherProgram;
    });
  });

  it(`a wizard names the checker bot with the least work and goes on when it is added, in ${labels.language}`, async () => {
    const { sandbox, database } = service;
    const language = labels.language as 'ru' | 'en';
    const advertiser = await arrive(sandbox, language);
    const { person } = advertiser;
    const [busy, free] = [await addChecker(), await addChecker()];
    const first = await ownChannel(sandbox, person, { title: 'First' });
    await setAdministrator(sandbox, { chatId: first.chatId, botId: busy.botId, by: person.id });
    await startOrder(advertiser, 'channel');
    const { says: said } = LABELS[language];
    says(await person.say(`@${first.username}`), said.title);
    await answerTheRest(advertiser);
    await person.press(LABELS[language].create);
    assert.equal(await checkerOf(database.db, first.chatId), busy.botId, 'the bot that is in the channel serves it');

    // The loads are cached for a moment. Each look is of another person, whose wizard begins anew.
    const isNamed = async (): Promise<boolean> =>
      (await startOrder(await arrive(sandbox, language), 'channel')).text.includes(`@${free.username}`);
    await eventually('the other bot is named', isNamed, { everyMs: 1_500 });
    await startOrder(advertiser, 'channel');
    const second = await ownChannel(sandbox, person, { title: 'Second' });
    says(await person.say(`@${second.username}`), new RegExp(`@${free.username}`));
    await setAdministrator(sandbox, { chatId: second.chatId, botId: free.botId, by: person.id });
    says(await person.menu(), said.title);
    await answerTheRest(advertiser);
    orderIdIn(await person.press(LABELS[language].create));
    assert.equal(await checkerOf(database.db, second.chatId), free.botId);
    await removeAllCheckers();
  });
}

/** Creates an order for a new channel of a person in which only this checker bot is an administrator. */
async function orderServedBy(bot: SpareBot) {
  const { sandbox, database } = service;
  const advertiser = await arrive(sandbox, 'en');
  const { person } = advertiser;
  const channel = await ownChannel(sandbox, person, { title: 'Served' });
  await startOrder(advertiser, 'channel');
  await setAdministrator(sandbox, { chatId: channel.chatId, botId: bot.botId, by: person.id });
  await answerTheRest(advertiser);
  const orderId = orderIdIn(await person.press(LABELS.en.create));
  assert.equal(await checkerOf(database.db, channel.chatId), bot.botId);
  return {
    advertiser,
    person,
    chatId: channel.chatId,
    orderId,
    order: { accountId: 0, orderId, chatId: channel.chatId },
  };
}

/** Waits until the management bot has sent the person this text. */
const isTold = (person: Person, pattern: RegExp) =>
  eventually(`a message ${pattern}`, async () => (await person.messages()).some(({ text }) => pattern.test(text)));

describe('an order that a checker bot serves', () => {
  it('counts, settles and reverses subscriptions by the updates and checks of that bot', async () => {
    const { sandbox, database } = service;
    const bot = await addChecker();
    const { token } = await sandbox.publisher();
    const { order, chatId } = await orderServedBy(bot);
    const [stays, leaves] = [freshUser(), freshUser()];
    assert.equal((await sandbox.subscribe(token, order, stays)).code, 'counted');
    assert.equal((await sandbox.subscribe(token, order, leaves)).code, 'counted');
    const joins = await database.db.query('SELECT 1 FROM memberships WHERE chat_id = $1 AND joined_at IS NOT NULL', [
      chatId,
    ]);
    assert.equal(joins.length, 2, 'the joins have their dates from the updates of the checker bot');
    await sandbox.leave(chatId, leaves);
    await sandbox.advance(DAY + 60);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
    await sandbox.assertBalanced();
    await removeAllCheckers();
  });

  it('pauses with a notice when the bot is removed from the channel, and resumes with another bot', async () => {
    const { sandbox, database } = service;
    const [lost, next] = [await addChecker(), await addChecker()];
    const { person, chatId, orderId } = await orderServedBy(lost);
    await setAdministrator(sandbox, { chatId, botId: lost.botId, by: person.id, isAdmin: false });
    assert.equal((await sandbox.order(orderId)).status, 'paused');
    await isTold(person, SEEN.en.paused);
    await setAdministrator(sandbox, { chatId, botId: next.botId, by: person.id });
    await person.say('/start');
    await person.forge(`o.go:${orderId}`);
    assert.equal((await sandbox.order(orderId)).status, 'active');
    assert.equal(await checkerOf(database.db, chatId), next.botId);
    await removeAllCheckers();
  });

  it('goes on with another bot that is an administrator already', async () => {
    const { sandbox, database } = service;
    const [lost, next] = [await addChecker(), await addChecker()];
    const { person, chatId, orderId, order } = await orderServedBy(lost);
    await setAdministrator(sandbox, { chatId, botId: next.botId, by: person.id });
    assert.equal(await checkerOf(database.db, chatId), lost.botId, 'a second bot changes nothing');
    await setAdministrator(sandbox, { chatId, botId: lost.botId, by: person.id, isAdmin: false });
    assert.equal((await sandbox.order(orderId)).status, 'active');
    assert.equal(await checkerOf(database.db, chatId), next.botId);
    const { token } = await sandbox.publisher();
    assert.equal((await sandbox.subscribe(token, order, freshUser())).code, 'counted');
    await removeAllCheckers();
  });

  it('is handed over when the token of its bot is revoked while checks run; the new token brings the bot back', async () => {
    const { sandbox, database } = service;
    const labels = LANGUAGES.find(({ language }) => language === 'en');
    assert.ok(labels);
    const operator = await operatorAt(sandbox, labels);
    const [lost, next] = [await addChecker(), await addChecker()];
    const alone = await orderServedBy(lost);
    const shared = await orderServedBy(lost);
    await setAdministrator(sandbox, { chatId: shared.chatId, botId: next.botId, by: shared.person.id });
    const { token } = await sandbox.publisher();
    const user = freshUser();
    await sandbox.getSponsors(token, user);
    await sandbox.join(alone.chatId, user);
    const newToken = await revokeToken(sandbox, OPERATOR_ID, lost);
    const refused = await sandbox.confirmOnce(token, user, alone.orderId);
    assert.ok(['check_unavailable', 'counted'].includes(refused.code), refused.code);

    await eventually('the bot is stopped', async () => {
      await sandbox.confirmOnce(token, freshUser(), alone.orderId);
      const rows = await database.db.query("SELECT 1 FROM checkers WHERE stop_reason = 'revoked'");
      return rows.length === 1;
    });
    await sandbox.advance(10);
    assert.equal((await sandbox.order(alone.orderId)).status, 'paused');
    assert.equal((await sandbox.order(shared.orderId)).status, 'active');
    assert.equal(await checkerOf(database.db, shared.chatId), next.botId);
    await isTold(alone.person, SEEN.en.paused);
    await isTold(operator, SEEN.en.stopped);

    assert.match(read(await openPart(operator, labels, SEEN.en.menu, `@${lost.username}`)), SEEN.en.refused);
    await openPart(operator, labels, SEEN.en.menu, SEEN.en.add);
    assert.match(read(await operator.say(newToken)), SEEN.en.works);
    await alone.person.say('/start');
    await alone.person.forge(`o.go:${alone.orderId}`);
    assert.equal((await sandbox.order(alone.orderId)).status, 'active');
    assert.equal(await checkerOf(database.db, alone.chatId), lost.botId);
    await sandbox.assertBalanced();
    await removeAllCheckers();
  });

  it('moves from the management bot to a checker bot that its owner adds', async () => {
    const { sandbox, database } = service;
    const { chatId, orderId } = await sandbox.advertise();
    assert.equal(await checkerOf(database.db, chatId), null);
    const bot = await addChecker();
    await setAdministrator(sandbox, { chatId, botId: bot.botId, by: OPERATOR_ID });
    assert.equal(await checkerOf(database.db, chatId), bot.botId);
    await setAdministrator(sandbox, { chatId, botId: SERVICE_BOT, by: OPERATOR_ID, isAdmin: false });
    assert.equal((await sandbox.order(orderId)).status, 'active', 'the management bot is no longer needed there');
    await removeAllCheckers();
    assert.equal((await sandbox.order(orderId)).status, 'paused');
  });
});
