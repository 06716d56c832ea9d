import assert from 'node:assert/strict';
import { freshUser, type Sandbox } from '../support/sandbox.ts';
import { attack } from './attack.ts';

const DAY = 24 * 3600;
const USERS = 10;

/** Returns the publisher's balance plus the hold. */
async function earned(sandbox: Sandbox, token: string): Promise<bigint> {
  const { balance, hold_balance } = await sandbox.money(token);
  return BigInt(Math.round((balance + hold_balance) * 100));
}

/** Returns users who joined the channel before our bot did, so that no update reported them. */
async function oldMembers(sandbox: Sandbox, chatId: number): Promise<number[]> {
  const users = Array.from({ length: USERS }, freshUser);
  for (const user of users) await sandbox.join(chatId, user, true);
  return users;
}

for (const hold_hours of [24, 0]) {
  attack(
    `a flood of invented ids uses up the checks, and members are sold as new (hold of ${hold_hours} h)`,
    async ({ sandbox }) => {
      const { token } = await sandbox.publisher();
      const order = await sandbox.advertise({ quantity: 100, hold_hours });
      const users = await oldMembers(sandbox, order.chatId);
      for (const user of users) {
        await Promise.all(Array.from({ length: 5 }, () => sandbox.getSponsors(token, freshUser())));
        const shown = await sandbox.getSponsors(token, user);
        if (shown.length > 0) {
          const { grant_access } = await sandbox.confirm(token, user, order.orderId);
          assert.equal(grant_access, true, 'a member is let in');
        }
      }
      assert.equal((await sandbox.money(token)).balance, 0, 'nothing leaves hold before its join is dated');
      await sandbox.advance(DAY);
      await sandbox.advance(DAY);
      return earned(sandbox, token);
    },
    { TELEGRAM_CHECKS_PER_SECOND: '1' },
  );
}

attack(
  'the attacker tells members to leave and to join again after the showing',
  async ({ sandbox }) => {
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ quantity: 100 });
    for (const user of await oldMembers(sandbox, order.chatId)) {
      await Promise.all(Array.from({ length: 5 }, () => sandbox.getSponsors(token, freshUser())));
      await sandbox.getSponsors(token, user);
      await sandbox.leave(order.chatId, user);
      await sandbox.join(order.chatId, user);
      await sandbox.confirm(token, user, order.orderId);
    }
    await sandbox.advance(DAY);
    return earned(sandbox, token);
  },
  { TELEGRAM_CHECKS_PER_SECOND: '1' },
);

attack(
  'new users are paid even when their confirm precedes the update or the service loses the update',
  async ({ sandbox, database }) => {
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ quantity: 100, hold_hours: 0 });
    const flood = () => Promise.all(Array.from({ length: 5 }, () => sandbox.getSponsors(token, freshUser())));
    const newUser = async (): Promise<number> => {
      const user = freshUser();
      await flood();
      await sandbox.getSponsors(token, user);
      return user;
    };
    // The confirm may precede the update. The reward is then held until the update arrives.
    const early = await newUser();
    await sandbox.join(order.chatId, early);
    assert.equal((await sandbox.confirm(token, early, order.orderId)).credit_status, 'paid');

    // The service loses the update.
    const lost = await newUser();
    await sandbox.join(order.chatId, lost, true);
    const held = await sandbox.confirm(token, lost, order.orderId);
    assert.equal(held.code, 'counted');
    await database.db.query(
      `INSERT INTO update_losses (started_at, ended_at)
       SELECT confirmed_at, confirmed_at + interval '1 s' FROM tasks WHERE user_id = $1`,
      [lost],
    );
    await sandbox.advance(DAY);
    return 1_400n - (await earned(sandbox, token));
  },
  { TELEGRAM_CHECKS_PER_SECOND: '1' },
);
