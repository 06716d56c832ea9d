import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertBooks, kopecksIn, taskStates } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceGroup, startServiceGroup } from '../support/service-group.ts';
import { newUsers, range } from '../support/users.ts';

const CROWD = 200;
const SLOTS = 10;
const TRIALS = 12;

for (const processCount of [1, 2]) {
  describe(`${processCount === 1 ? 'one API process' : 'two API processes on one database'}`, () => {
    let database: ServiceGroup['database'];
    let reach: ServiceGroup['reach'];
    let stop: ServiceGroup['stop'];

    before(async () => {
      ({ database, reach, stop } = await startServiceGroup(...range(processCount).map(() => ({}))));
    });
    after(() => stop());

    test('when 200 users confirm for the last 10 slots, the 10 users with a task are paid once each', async () => {
      const { token, accountId } = await reach(0).publisher();
      const order = await reach(0).advertise({ price_per_sub: 10, quantity: SLOTS + 2 });
      for (const early of newUsers(2)) {
        await reach(0).getSponsors(token, early);
        await reach(0).join(order.chatId, early, true);
        assert.equal((await reach(0).confirm(token, early, order.orderId)).credited, 7);
      }
      const users = newUsers(CROWD);
      const shown = users.slice(0, SLOTS);
      for (const user of shown) {
        assert.deepEqual(
          (await reach(0).getSponsors(token, user)).map((task) => task.ads_id),
          [order.orderId],
        );
      }
      await Promise.all(users.map((user, i) => reach(i).join(order.chatId, user, true)));

      const confirms = users.flatMap((user) => (shown.includes(user) ? Array<number>(5).fill(user) : [user]));
      const answers = await Promise.all(
        confirms.map(async (user, i) => ({ user, body: await reach(i).confirm(token, user, order.orderId) })),
      );

      for (const { user, body } of answers) {
        if (shown.includes(user)) {
          assert.deepEqual([body.status, body.subscribed, body.credited, body.code], ['ok', true, 7, 'counted']);
        } else {
          assert.deepEqual([body.status, body.subscribed, body.code], ['warning', false, 'not_shown']);
        }
      }
      assert.deepEqual(await taskStates(database.url, order.orderId), { held: SLOTS + 2 });
      assert.equal(await kopecksIn(database.url, 'hold', accountId), (SLOTS + 2) * 700);
      assert.equal(await kopecksIn(database.url, 'escrow', order.orderId), 0);
      await assertBooks(database.url);
    });

    test('when 200 users request an order with 10 slots at once, 10 get a task and each task is payable', async () => {
      const { token, accountId } = await reach(0).publisher();
      const order = await reach(0).advertise({ price_per_sub: 10, quantity: SLOTS });
      const users = newUsers(CROWD);

      const shown = await Promise.all(
        users.map(async (user, i) => ({ user, tasks: await reach(i).getSponsors(token, user) })),
      );
      const winners = shown.filter(({ tasks }) => tasks.length > 0).map(({ user }) => user);
      assert.equal(winners.length, SLOTS);
      assert.deepEqual(await taskStates(database.url, order.orderId), { shown: SLOTS });
      await assertBooks(database.url);

      await Promise.all(users.map((user, i) => reach(i).join(order.chatId, user, true)));
      const bodies = await Promise.all(
        users.map(async (user, i) => ({ user, body: await reach(i).confirm(token, user, order.orderId) })),
      );
      const paid = bodies.filter(({ body }) => body.code === 'counted').map(({ user }) => user);
      assert.deepEqual(paid, winners);
      assert.equal(await kopecksIn(database.url, 'hold', accountId), SLOTS * 700);
      assert.equal(await kopecksIn(database.url, 'escrow', order.orderId), 0);
      await assertBooks(database.url);
    });

    test('when four users request one slot at once, exactly one gets it in every trial', async () => {
      const { token } = await reach(0).publisher({ max_sponsors: 1 });
      for (const trial of range(TRIALS)) {
        // Each trial raises the price, so that the new order ranks first. Every process must know the order before the
        // race starts, so each process first shows it to one user. One slot is left for the race.
        const { orderId } = await reach(0).advertise({ price_per_sub: 100 + trial, quantity: processCount + 1 });
        const isShown = async (n: number) => {
          const [user = 0] = newUsers(1);
          return (await reach(n).getSponsors(token, user))[0]?.ads_id === orderId;
        };
        for (const n of range(processCount)) await eventually('the order is shown', () => isShown(n));

        const shown = await Promise.all(newUsers(4).map((user, n) => reach(n).getSponsors(token, user)));
        assert.equal(shown.filter(([task]) => task?.ads_id === orderId).length, 1);
        assert.deepEqual(await taskStates(database.url, orderId), { shown: processCount + 1 });
      }
      await assertBooks(database.url);
    });
  });
}
