import assert from 'node:assert/strict';
import { freshUser } from '../support/sandbox.ts';
import { type AttackedService, attack } from './attack.ts';

const HOUR = 3600;
const REWARD_KOPECKS = 700n;
const HONEST_BOTS = 5;
const USERS_EACH = 16;

/** Requests tasks for many users, 20 at a time. Returns how many users got a task. */
async function ask({ sandbox }: AttackedService, token: string, users: readonly number[]): Promise<number> {
  let shown = 0;
  for (let from = 0; from < users.length; from += 20) {
    const answers = await Promise.all(users.slice(from, from + 20).map((user) => sandbox.getSponsors(token, user)));
    shown += answers.filter((tasks) => tasks.length > 0).length;
  }
  return shown;
}

/** The default settings. */
const NEW_BOTS = { NEW_BOT_RESERVATIONS: '20' };

const newUsers = (count: number): number[] => Array.from({ length: count }, freshUser);

/** Returns what honest publishers lose on an order of 100 that a hostile bot has flooded. */
async function missed(service: AttackedService, orderId: number, chatId: number): Promise<bigint> {
  const { sandbox } = service;
  let counted = 0;
  for (let i = 0; i < HONEST_BOTS; i++) {
    const { token } = await sandbox.publisher();
    const users = newUsers(USERS_EACH);
    assert.equal(await ask(service, token, users), USERS_EACH, `honest bot ${i + 1} sees the order`);
    for (const user of users) {
      await sandbox.join(chatId, user);
      const { code } = await sandbox.confirm(token, user, orderId);
      if (code === 'counted') counted += 1;
    }
  }
  return BigInt(HONEST_BOTS * USERS_EACH - counted) * REWARD_KOPECKS;
}

attack(
  'one bot reserves an order for 130 invented users and renews the reservations for hours',
  async (service) => {
    const { sandbox } = service;
    const { orderId, chatId } = await sandbox.advertise({ quantity: 100 });
    const hostile = await sandbox.publisher();
    const invented = newUsers(130);
    await ask(service, hostile.token, invented);
    for (let i = 0; i < 3; i++) {
      await sandbox.advance(HOUR / 2);
      await ask(service, hostile.token, invented);
    }
    assert.ok((await sandbox.order(orderId)).reserved <= 20, 'a new bot reserves 20 slots at most');
    return missed(service, orderId, chatId);
  },
  NEW_BOTS,
);

attack(
  'a bot with proven subscriptions floods an order with invented users',
  async (service) => {
    const { sandbox } = service;
    const hostile = await sandbox.publisher();
    const earlier = await sandbox.advertise({ quantity: 10 });
    for (const user of newUsers(10)) {
      assert.equal((await sandbox.subscribe(hostile.token, earlier, user)).code, 'counted');
    }
    const { orderId, chatId } = await sandbox.advertise({ quantity: 170 });
    await ask(service, hostile.token, newUsers(170));
    const { reserved } = await sandbox.order(orderId);
    assert.ok(reserved > 20 && reserved <= 90, `${reserved} of 170 slots`);
    return missed(service, orderId, chatId);
  },
  NEW_BOTS,
);
