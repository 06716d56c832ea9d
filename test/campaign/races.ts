import { randomUUID } from 'node:crypto';
import { query } from '../support/books.ts';
import { ask } from './outside.ts';
import { createDraw, type Race } from './plan.ts';
import type { Draw, StagedBot, StagedOrder } from './stage.ts';
import { confirm, join, leave, type Scene, showTasks, someApi, type Task } from './visitors.ts';

/** Sends concurrent requests for the same object. The checker judges the result. */
export async function runRace(scene: Scene, what: Race, seed: number): Promise<void> {
  const draw = createDraw(seed);
  switch (what) {
    case 'confirms':
      return raceConfirms(scene, draw);
    case 'leaves':
      return raceLeaves(scene, draw);
    case 'cancels':
      return raceCancels(scene, draw);
    case 'top-ups':
      return raceTopUps(scene, draw);
    case 'payouts':
      return racePayouts(scene, draw);
    case 'rotations':
      return raceRotations(scene, draw);
  }
}

const RACERS = 4;

interface Ready {
  readonly userId: number;
  readonly bot: StagedBot;
  readonly task: Task;
}

/** Returns users who got tasks from these bots and joined, but have not confirmed yet. */
async function makeReady(scene: Scene, draw: Draw, bots: readonly StagedBot[]): Promise<Ready[]> {
  const users = Array.from({ length: RACERS }, () => scene.stage.freshUser());
  const shown = await Promise.all(
    users.flatMap((userId) =>
      bots.map(async (bot) =>
        (await showTasks(scene, someApi(scene, draw), bot, userId)).map((task) => ({ userId, bot, task })),
      ),
    ),
  );
  const ready = shown.flat();
  await Promise.all(ready.map(({ userId, task }) => join(someApi(scene, draw), userId, task, true)));
  return ready;
}

/** Confirms the same tasks through two bots and both processes, each twice. One credit per user and resource is allowed. */
async function raceConfirms(scene: Scene, draw: Draw): Promise<void> {
  const ready = await makeReady(scene, draw, scene.stage.publishers.slice(0, 2));
  await Promise.all(
    ready.flatMap(({ userId, bot, task }) => scene.cluster.apis.map((api) => confirm(scene, api, bot, userId, task))),
  );
}

async function raceLeaves(scene: Scene, draw: Draw): Promise<void> {
  const ready = await makeReady(scene, draw, [draw.of(scene.stage.publishers)]);
  await Promise.all(
    ready.flatMap(({ userId, bot, task }) => [
      confirm(scene, someApi(scene, draw), bot, userId, task),
      leave(scene, someApi(scene, draw), userId, task, draw.chance(0.5)),
    ]),
  );
}

/** The owner cancels, pauses and resumes an order while users with open tasks confirm. */
async function raceCancels(scene: Scene, draw: Draw): Promise<void> {
  const ready = await makeReady(scene, draw, [draw.of(scene.stage.publishers)]);
  const order = draw.of(newestOrders(scene));
  const { token } = order.owner;
  await Promise.all([
    ...ready.map(({ userId, bot, task }) => confirm(scene, someApi(scene, draw), bot, userId, task)),
    ...['pause', 'cancel', 'resume', 'cancel'].map((verb) =>
      ask(someApi(scene, draw), 'POST', `/api/v1/orders/${order.orderId}/${verb}`, { token }),
    ),
  ]);
}

/** Sends one top-up three times, which must buy once, and one with another key, which must buy too. */
async function raceTopUps(scene: Scene, draw: Draw): Promise<void> {
  const { orderId, owner } = draw.of(newestOrders(scene));
  const [repeated, single] = [randomUUID(), randomUUID()];
  const quantity = draw.whole(1, 20);
  await Promise.all(
    [repeated, repeated, repeated, single].map(async (key) => {
      scene.witness.toppedUp(key, orderId, quantity, false);
      const reply = await ask(someApi(scene, draw), 'POST', `/api/v1/orders/${orderId}/top-up`, {
        token: owner.token,
        body: { quantity },
        headers: { 'idempotency-key': key },
      });
      if (reply?.status === 200) scene.witness.toppedUp(key, orderId, quantity, true);
    }),
  );
}

const newestOrders = ({ stage }: Scene): readonly StagedOrder[] => stage.orders.slice(-6);

/** Requests all settled money of a publisher several times at once, while several operators decide. */
async function racePayouts(scene: Scene, draw: Draw): Promise<void> {
  const { stage, cluster } = scene;
  const { accountId, telegramUserId } = draw.of(stage.publishers);
  const rows = await query<{ kopecks: string }>(
    cluster.postgres.url(),
    `SELECT (balance_kopecks - (SELECT coalesce(sum(reward_kopecks), 0) FROM tasks
                                WHERE account_id = $1 AND state = 'paid'))::text AS kopecks
     FROM ledger_accounts WHERE kind = 'available' AND owner_id = $1`,
    [accountId],
  ).catch(() => []);
  const all = BigInt(rows[0]?.kopecks ?? 0);
  if (all < 400n) return;
  const method = draw.of(['manual', 'crypto-pay'] as const);
  const destination = method === 'manual' ? 'a card' : String(telegramUserId);
  const key = randomUUID();
  const asked = await Promise.all(
    [
      { key, amountKopecks: all / 2n },
      { key, amountKopecks: all / 2n },
      { key: randomUUID(), amountKopecks: all },
      { key: randomUUID(), amountKopecks: all / 4n },
    ].map((request) => quietly(stage.payouts.request({ ...request, accountId, method, destination }))),
  );
  const ids = new Set(asked.flatMap((outcome) => (outcome?.kind === 'requested' ? outcome.payout.id : [])));
  await Promise.all(
    [...ids].flatMap((payoutId) => {
      const decisions: Promise<unknown>[] = [1, 2].map((operatorId) =>
        quietly(stage.payouts.approve({ payoutId, operatorId })),
      );
      if (draw.chance(0.4)) decisions.push(quietly(stage.payouts.reject({ payoutId, reason: 'a race' })));
      return decisions;
    }),
  );
  if (method === 'crypto-pay') return;
  await Promise.all(
    [...ids].flatMap((payoutId) =>
      ['receipt 1', 'receipt 2'].map((reference) => quietly(stage.payouts.markSent({ payoutId, reference }))),
    ),
  );
}

/** Ignores errors, because faults are expected here; the checker reads the result from the database. */
async function quietly<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    return undefined;
  }
}

/** Rotates one token three times at once. One rotation may succeed, and its new token must work everywhere. */
async function raceRotations(scene: Scene, draw: Draw): Promise<void> {
  const { witness, cluster, stage } = scene;
  const bot = draw.of(stage.publishers);
  const { token: old } = bot;
  const replies = await Promise.all(
    [0, 1, 2].map(() => ask(someApi(scene, draw), 'POST', '/api/v1/token/rotate', { token: old, body: {} })),
  );
  const given = replies.flatMap((reply) => (reply?.status === 201 ? String(reply.body.api_token) : []));
  if (given.length > 1) witness.outrages.push(`one token of bot ${bot.botId} was exchanged for ${given.length}`);
  const [token] = given;
  if (token === undefined) {
    // The reply with the new token may be lost. The owner then issues another one as soon as possible.
    for (let attempt = 0; attempt < 100; attempt++) {
      if ((await quietly(stage.renewToken(bot).then(() => true))) === true) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`bot ${bot.botId} got no new token`);
  }
  bot.token = token;
  for (const api of cluster.apis) {
    const reply = await ask(api, 'GET', '/api/v1/token', { token });
    if (reply?.status === 401 && bot.token === token) {
      witness.outrages.push(`${api.name} does not know the token that bot ${bot.botId} was just given`);
    }
  }
}
