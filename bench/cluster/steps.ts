/** The steps of the cluster test. A step throws when its check fails. */
import assert from 'node:assert/strict';
import { assertBooks, kopecksIn, taskStates } from '../../test/support/books.ts';
import { eventually } from '../../test/support/eventually.ts';
import { answer, startReceiver } from '../../test/support/receiver.ts';
import { freshUser, type Sandbox } from '../../test/support/sandbox.ts';
import { newUsers } from '../../test/support/users.ts';
import { moveClock } from '../../test/support/workers.ts';
import { median } from '../random.ts';
import type { Fleet } from './fleet.ts';

const DAY_SECONDS = 24 * 3600;
const ADDRESS_LIMIT = { perSecond: 20, burst: 40 };

/** Sends wrong tokens to all API processes in turn. Together they must allow no more than one process alone. */
export async function shareLimits(fleet: Fleet): Promise<string> {
  const begin = performance.now();
  let allowed = 0;
  for (let turn = 0; turn < 400; turn++) {
    if ((await fleet.reach(turn).api('at_wrong', 'get-balance', {})).status === 401) allowed++;
  }
  const seconds = (performance.now() - begin) / 1000;
  const atMost = Math.floor(ADDRESS_LIMIT.burst + seconds * ADDRESS_LIMIT.perSecond);
  assert.ok(allowed <= atMost, `${allowed} guesses got through, and ${atMost} at most should`);
  return `${allowed} of 400 guesses through ${fleet.apis.length} processes, ${atMost} allowed to one`;
}

/** Measures how long one process needs to see a change made through another. */
export async function followChanges(fleet: Fleet): Promise<string> {
  const [near, far] = [fleet.reach(0), fleet.reach(1)];
  const delays: number[] = [];
  const seen = async (what: string, holds: () => Promise<boolean>) => {
    const begin = performance.now();
    await eventually(what, holds, { everyMs: 2 });
    delays.push(performance.now() - begin);
  };
  for (let trial = 0; trial < 8; trial++) {
    const { token } = await near.publisher();
    const { orderId } = await near.advertise();
    const isShown = async () => (await far.getSponsors(token, freshUser())).some(({ ads_id: id }) => id === orderId);
    await seen('a new order', isShown);
    await near.control('POST', `/orders/${orderId}/pause`);
    await seen('a paused order', async () => !(await isShown()));
    const rotated = await near.api(token, 'token/rotate', { grace_hours: 0 });
    assert.equal(rotated.status, 201);
    await seen('a token that has ended', async () => (await far.api(token, 'get-balance', {})).status === 401);
  }
  const slowest = Math.max(...delays);
  assert.ok(slowest <= 1_000, `a change was seen only after ${slowest.toFixed(0)} ms`);
  return `${delays.length} changes seen, median ${median(delays).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`;
}

/** Lets users do an order's task and confirm it, each through another process. */
async function subscribeCrowd(fleet: Fleet, token: string, count: number) {
  await fleet.reach(0).pauseAllOrders();
  // Large enough for the other users who are shown the order.
  const { orderId, chatId } = await fleet.reach(0).advertise({ price_per_sub: 10, quantity: 2 * count + 100 });
  const users = newUsers(count);
  await eventually('the order is shown', async () => {
    const shown = await Promise.all(fleet.apis.map(({ sandbox }) => sandbox.getSponsors(token, freshUser())));
    return shown.every((tasks) => tasks.some(({ ads_id: id }) => id === orderId));
  });
  await inTurns(users, async (user, turn) => {
    const sandbox: Sandbox = fleet.reach(turn);
    await sandbox.getSponsors(token, user);
    await sandbox.join(chatId, user, true);
    // Confirm twice at once through two processes: the task counts once.
    await Promise.all([sandbox.confirm(token, user, orderId), fleet.reach(turn + 1).confirm(token, user, orderId)]);
  });
  return { orderId, chatId, users };
}

/** Makes all tasks due at once for all workers. Each subscription must be settled once and reported once. */
export async function workOnce(fleet: Fleet, postgresUrl: string): Promise<string> {
  const receiver = await startReceiver(answer(204));
  const { token, accountId } = await fleet.reach(0).publisher({ beta: true, max_sponsors: 1 });
  const webhook = { url: `${receiver.url}/hook`, events: ['subscription.confirmed'] };
  assert.equal((await fleet.reach(0).api(token, 'webhooks', webhook)).status, 201);
  const { orderId, users } = await subscribeCrowd(fleet, token, 300);
  const counted = (await taskStates(postgresUrl, orderId)).held ?? 0;
  assert.equal(counted, users.length);

  await moveClock(postgresUrl, DAY_SECONDS);
  const begin = performance.now();
  const isSettled = async () => (await taskStates(postgresUrl, orderId)).settled === counted;
  await eventually('everything is settled', isSettled, { everyMs: 200 });
  const seconds = (performance.now() - begin) / 1000;
  await eventually('everybody is told', () => new Set(receiver.received.map(({ id }) => id)).size >= counted);
  await receiver.close();
  assert.equal(await kopecksIn(postgresUrl, 'available', accountId), counted * 700);
  await assertBooks(postgresUrl);
  const again = receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size;
  return `${counted} users confirmed through two processes at once, counted once, settled by ${fleet.workers.length} workers in ${seconds.toFixed(0)} s, ${counted} webhooks (${again} twice); books agree`;
}

/**
 * Kills one process of each kind under load. Callers go to the next process, and the other processes finish the work of
 * the killed ones.
 */
export async function killAndGoOn(fleet: Fleet, postgresUrl: string): Promise<string> {
  const { token } = await fleet.reach(0).publisher({ max_sponsors: 1 });
  const load = startCallers(fleet, token);
  try {
    const { orderId } = await subscribeCrowd(fleet, token, 100);
    await moveClock(postgresUrl, DAY_SECONDS);
    for (const kind of ['workers', 'apis', 'bots'] as const) await fleet.kill(kind);
    const begin = performance.now();
    await fleet.add('bots');
    const isSettled = async () => (await taskStates(postgresUrl, orderId)).held === undefined;
    await eventually('others settle what is due', isSettled, { everyMs: 200 });
    const seconds = (performance.now() - begin) / 1000;

    // The new bot process receives the leave and reverses the reward.
    const fresh = await subscribeCrowd(fleet, token, 5);
    await fleet.reach(0).leave(fresh.chatId, fresh.users[0] ?? 0);
    const isReversed = async () => (await taskStates(postgresUrl, fresh.orderId)).reversed === 1;
    await eventually('a leaving is taken back', isReversed, { everyMs: 100 });
    const { served, failed } = await load.stop();
    assert.ok(served > 0);
    await assertBooks(postgresUrl);
    return `one API, one worker and the bot killed: ${served} requests served, ${failed} cut off, all due work done ${seconds.toFixed(0)} s later, the new bot follows; books agree`;
  } finally {
    await load.stop();
  }
}

/** Starts users who call one process after the other. A killed process costs a user one request. */
function startCallers(fleet: Fleet, token: string) {
  const count = { served: 0, failed: 0 };
  let isOver = false;
  const callers = newUsers(8).map(async (user, caller) => {
    for (let turn = caller; !isOver; turn++) {
      const asked = await fleet
        .reach(turn)
        .api(token, 'get-sponsors', { user_id: user })
        .catch(() => undefined);
      if (asked?.status === 200) count.served++;
      else count.failed++;
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
      return count;
    },
  };
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item, turn: number) => Promise<void>) {
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let turn = next++; turn < items.length; turn = next++) await work(items[turn] as Item, turn);
    }),
  );
}
