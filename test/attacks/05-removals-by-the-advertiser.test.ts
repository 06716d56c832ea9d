import assert from 'node:assert/strict';
import { freshUser } from '../support/sandbox.ts';
import { attack } from './attack.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const SERVICE_BOT = 700_000_001;
const OPERATOR = 900_000_005;
const REWARD_KOPECKS = 700;

/** Returns the unpaid part of the rewards for `users` joined users. */
const missing = (paidKopecks: number, users: number): bigint => BigInt(users * REWARD_KOPECKS - paidKopecks);

for (const [how, query] of [
  ['bans', 'status=kicked'],
  ['removes', 'status=left&by=900000001'],
] as const) {
  attack(`the advertiser ${how} all users ten minutes before the window ends`, async ({ sandbox }) => {
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise();
    const users = Array.from({ length: 5 }, freshUser);
    for (const user of users) await sandbox.subscribe(publisher.token, order, user);
    await sandbox.advance(DAY - 600);
    for (const user of users) await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?${query}`);
    assert.equal((await sandbox.order(order.orderId)).status, 'paused', 'repeated removals pause the order');
    await sandbox.advance(600);
    return missing(await sandbox.kopecks('available', publisher.accountId), users.length);
  });
}

attack('the advertiser bans a user on day 29 of a 30-day hold, and no update reports it', async ({ sandbox }) => {
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise({ hold_hours: 720 });
  const user = freshUser();
  await sandbox.subscribe(publisher.token, order, user);
  await sandbox.advance(29 * DAY);
  await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=kicked&silent=true`);
  await sandbox.advance(DAY);
  return missing(await sandbox.kopecks('available', publisher.accountId), 1);
});

attack('the advertiser revokes our rights, removes a user and restores the rights', async ({ sandbox }) => {
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(publisher.token, order, user);
  await sandbox.advance(DAY - 600);
  await sandbox.control('DELETE', `/chats/${order.chatId}/members/${SERVICE_BOT}?status=kicked`);
  await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=left&by=900000001&silent=true`);
  await sandbox.control('PUT', `/chats/${order.chatId}/members/${SERVICE_BOT}?status=administrator`);
  await sandbox.advance(600);
  return missing(await sandbox.kopecks('available', publisher.accountId), 1);
});

attack('the advertiser deletes the channel before the window ends', async ({ sandbox }) => {
  const publisher = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  await sandbox.subscribe(publisher.token, order, user);
  await sandbox.fault({ mode: 'not_admin', chat_id: order.chatId });
  await sandbox.leave(order.chatId, user, true);
  await sandbox.advance(DAY);
  await sandbox.advance(61);
  return missing(await sandbox.kopecks('available', publisher.accountId), 1);
});

attack(
  'operators are notified of an advertiser who removes users, and a voluntary leave is still reversed',
  async ({ sandbox }) => {
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    await sandbox.control('POST', `/persons/${OPERATOR}/messages`, { bot, text: '/start' });
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise();
    const users = Array.from({ length: 4 }, freshUser);
    for (const user of users) await sandbox.subscribe(publisher.token, order, user);
    await sandbox.advance(HOUR);
    const [first, ...others] = users;
    await sandbox.leave(order.chatId, first ?? 0);
    for (const user of others) {
      await sandbox.control('DELETE', `/chats/${order.chatId}/members/${user}?status=kicked`);
    }
    await sandbox.advance(DAY);
    const { messages } = await sandbox.control('GET', `/persons/${OPERATOR}/messages?bot=${bot}`);
    const texts: string[] = messages.map((message: { text: string }) => message.text);
    assert.ok(
      texts.some((text) => text.includes(`Order ${order.orderId} “`)),
      texts.join('\n'),
    );
    return missing(await sandbox.kopecks('available', publisher.accountId), others.length);
  },
  { OPERATOR_IDS: String(OPERATOR) },
);
