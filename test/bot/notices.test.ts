import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordNotices } from '../../src/modules/notices/index.ts';
import { useService } from '../api/use-service.ts';
import { eventually } from '../support/eventually.ts';
import { Person, plain, type SeenMessage } from '../support/person.ts';
import { sandboxTime } from '../support/platform-ledger.ts';
import { freshUser } from '../support/sandbox.ts';

const HOUR = 3600;

describe('notices', () => {
  const service = useService({});

  /** Creates a publisher who has started the bot in this language. */
  async function publisherWho(language: string): Promise<{ person: Person; token: string; accountId: number }> {
    const { sandbox } = service;
    const person = await Person.arrive(sandbox, { language_code: language });
    await person.say('/start');
    const { account_id: accountId } = await sandbox.control('POST', '/accounts', { user_id: person.id });
    const { token } = await sandbox.publisher({ account_id: accountId });
    return { person, token, accountId };
  }

  async function told(person: Person, pattern: RegExp): Promise<SeenMessage[]> {
    return (await person.messages()).filter(({ from, text }) => from === 'bot' && pattern.test(plain(text)));
  }

  /** Moves the clock by an hour, so that the hourly digests are sent. */
  async function untilNextHour(): Promise<void> {
    await service.sandbox.control('POST', '/clock', { advance_seconds: HOUR });
  }

  /** Makes this many users subscribe and leave again. */
  async function loseUsers(token: string, count: number): Promise<void> {
    const { sandbox } = service;
    const order = await sandbox.advertise({ price_per_sub: 10, quantity: 20 });
    for (let i = 0; i < count; i++) {
      const user = freshUser();
      await sandbox.subscribe(token, order, user);
      await sandbox.leave(order.chatId, user);
    }
  }

  it('the reversals of an hour are one message with their count and sum, in the owner’s language', async () => {
    const [russian, english] = [await publisherWho('ru'), await publisherWho('en')];
    await loseUsers(russian.token, 3);
    await loseUsers(english.token, 1);
    await untilNextHour();
    assert.deepEqual(
      (await told(russian.person, /↩️/)).map(({ text }) => plain(text)),
      ['↩️ За последний час отменены 3 подписки: пользователи вышли раньше суток. Снято 21,00 ₽.'],
    );
    assert.deepEqual(
      (await told(english.person, /↩️/)).map(({ text }) => text),
      ['↩️ 1 subscription was taken back in the last hour: the users left within a day. ₽7.00 deducted.'],
    );
    await untilNextHour();
    assert.equal((await told(russian.person, /↩️/)).length, 1, 'told once');
  });

  it('a kind muted below a notice is not sent until it is switched on in the menu', async () => {
    const { person, token } = await publisherWho('en');
    await loseUsers(token, 1);
    await untilNextHour();
    await person.press('Do not tell me about this');
    assert.match((await person.notice())?.text ?? '', /not tell you/);
    assert.equal((await told(person, /↩️/)).length, 1, 'the notice itself stays');
    await loseUsers(token, 1);
    await untilNextHour();
    assert.equal((await told(person, /↩️/)).length, 1);

    await person.say('/start');
    await person.go('Notices', 'Subscriptions taken back');
    await loseUsers(token, 1);
    await untilNextHour();
    assert.equal((await told(person, /↩️/)).length, 2, 'switched on again');
  });

  it('the owner of an order paused for lost rights gets a notice with a button to the order', async () => {
    const { sandbox } = service;
    const { person, accountId } = await publisherWho('ru');
    await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 1000 });
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ account_id: accountId, title: 'Мой <канал>' });
    const user = freshUser();
    await sandbox.getSponsors(token, user);
    await sandbox.join(order.chatId, user);
    await sandbox.fault({ mode: 'not_admin', chat_id: order.chatId });
    await sandbox.confirm(token, user, order.orderId);
    await sandbox.advance(61); // a second membership check confirms the loss before the order is paused
    await eventually('the owner is told', async () => (await told(person, /приостановлен/)).length > 0);
    const [notice] = await told(person, /приостановлен/);
    assert.match(notice?.text ?? '', new RegExp(`Заказ №${order.orderId} «Мой <канал>» приостановлен`));
    assert.ok(notice?.buttons.flat().includes('Открыть заказ'));
  });

  it('the owner of a completed order gets a notice', async () => {
    const { sandbox } = service;
    const { person, accountId } = await publisherWho('en');
    await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 1000 });
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ account_id: accountId, quantity: 1, price_per_sub: 10, name: 'Mine' });
    await sandbox.subscribe(token, order, freshUser());
    await sandbox.control('POST', '/clock', { advance_seconds: 25 * HOUR });
    const [notice] = await told(person, /is completed/);
    assert.match(notice?.text ?? '', /“Mine” is completed\. Subscribers: 1, spent ₽10\.00/);
  });

  it('a bot that is new again is announced in the owner’s language, without a hint to its empty page', async () => {
    const owners = [await publisherWho('ru'), await publisherWho('en')];
    const at = await sandboxTime(service.sandbox);
    await service.database.db.transaction((tx) =>
      recordNotices(
        tx,
        owners.map(({ accountId }) => ({
          accountId,
          kind: 'source_level' as const,
          data: { bot_id: 1, username: 'games_bot', level: 'new' as const },
        })),
        at,
      ),
    );
    await untilNextHour();
    const texts = await Promise.all(
      owners.map(async ({ person }) => (await told(person, /⭐️/)).map(({ text }) => plain(text))),
    );
    assert.deepEqual(texts, [
      ['⭐️ У @games_bot сейчас нет оценки качества: недавних подписок мало. Действуют правила для новых ботов.'],
      ['⭐️ @games_bot has no quality score now: it has too few recent subscriptions. The rules for new bots apply.'],
    ]);
  });

  it('a notice is sent after an outage of Telegram, and dropped when the owner blocked the bot', async () => {
    const { sandbox } = service;
    const { person, token } = await publisherWho('en');
    const blocked = await publisherWho('en');
    await loseUsers(token, 1);
    await loseUsers(blocked.token, 1);
    await sandbox.control('DELETE', `/chats/700000001/members/${blocked.person.id}`);
    await sandbox.fault({ mode: 'down', method: 'sendMessage' });
    await untilNextHour();
    assert.equal((await told(person, /↩️/)).length, 0);
    await sandbox.fault({ mode: 'none' });
    await sandbox.control('POST', '/clock', { advance_seconds: 120 });
    assert.equal((await told(person, /↩️/)).length, 1);
    assert.equal((await told(blocked.person, /↩️/)).length, 0);
    const rows = await service.database.db.query('SELECT 1 FROM notices');
    assert.equal(rows.length, 0, 'nothing is left to be told');
  });
});
