import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

describe('a confirm beyond the limit of Telegram calls', () => {
  const service = useService({ TELEGRAM_CHECKS_PER_SECOND: '1', TELEGRAM_CANDIDATE_CHECK_MS: '1' });

  it('counts a user whose join an update reported without a check', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ quantity: 50 });
    const users = Array.from({ length: 12 }, freshUser);
    for (const user of users) {
      await sandbox.getSponsors(token, user);
      await sandbox.join(order.chatId, user);
    }
    // Every check fails from now on, so a confirmed user was not checked.
    await sandbox.fault({ mode: 'down', method: 'getChatMember' });
    const answers = await Promise.all(users.map((user) => sandbox.confirmOnce(token, user, order.orderId)));
    const confirmed = answers.filter((answer) => answer.subscribed).length;
    assert.ok(confirmed >= 6, `${confirmed} of ${users.length} confirmed`);
    for (const answer of answers) {
      if (!answer.subscribed) assert.equal(answer.code, 'check_unavailable');
    }
  });

  it('never counts a user without a reported join unchecked', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ quantity: 50 });
    const users = Array.from({ length: 6 }, freshUser);
    for (const user of users) await sandbox.getSponsors(token, user);
    const answers = await Promise.all(users.map((user) => sandbox.confirm(token, user, order.orderId)));
    assert.deepEqual(new Set(answers.map((answer) => answer.subscribed)), new Set([false]));
  });

  it('is reversed at the end of the window when the user left without an update', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ quantity: 50, price_per_sub: 10 });
    const users = Array.from({ length: 8 }, freshUser);
    for (const user of users) {
      await sandbox.getSponsors(token, user);
      await sandbox.join(order.chatId, user);
      await sandbox.leave(order.chatId, user, true);
    }
    const answers = await Promise.all(users.map((user) => sandbox.confirm(token, user, order.orderId)));
    const counted = answers.filter((answer) => answer.subscribed).length;
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: counted * 7 });
    await sandbox.advance(25 * 3600);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
  });
});
