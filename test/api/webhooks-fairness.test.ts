import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { hang } from '../support/receiver.ts';
import { confirmed, countSending, inWorld } from '../support/webhooks.ts';

const EVENTS = 1_000;

test('1,000 events reach a fast endpoint while an endpoint of the same account and one of another account hang', () =>
  inWorld(async (world) => {
    const [owner, other] = [await world.owner(), await world.owner()];
    const [fast, hanging, stranger] = [await world.receiver(), await world.receiver(hang), await world.receiver(hang)];
    await world.endpoint(owner, hanging.url);
    await world.endpoint(other, stranger.url);
    const endpoint = await world.endpoint(owner, fast.url);
    for (let first = 0; first < EVENTS; first += 50) {
      const users = Array.from({ length: 50 }, (_, index) => first + index + 1);
      await world.record(
        ...users.flatMap((user) => [confirmed(owner.accountId, user), confirmed(other.accountId, user)]),
      );
    }
    const counted = countSending(world.sender());
    const deliverer = world.deliverer({}, { send: counted.send });
    deliverer.start();
    // An attempt at a hanging endpoint takes 10 s. If the fast endpoint had to wait for them, this would take most
    // of an hour.
    await eventually('the fast receiver has them all', () => fast.received.length >= EVENTS);
    const isLogged = async (): Promise<boolean> => {
      const [row] = await world.db.query<{ count: bigint }>(
        `SELECT count(*) AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'delivered'`,
        [endpoint.endpointId],
      );
      return row?.count === BigInt(EVENTS);
    };
    await eventually('the log says so too', isLogged);
    await deliverer.stop();

    const users = new Set(fast.received.map(({ body }) => JSON.parse(body).data.user_id));
    assert.deepEqual([users.size, fast.received.length], [EVENTS, EVENTS], 'each once');
    for (const receiver of [fast, hanging, stranger]) {
      assert.ok(receiver.received.length > 0, 'all of them were tried');
      assert.ok(counted.mostTo(receiver.url) <= 4, `${counted.mostTo(receiver.url)} at once to one receiver`);
    }
  }));

test('hanging endpoints with more deliveries than there are senders do not block a fast endpoint', () =>
  inWorld(async (world) => {
    const hanging = await world.receiver(hang);
    for (let account = 0; account < 4; account++) {
      const owner = await world.owner();
      for (let n = 0; n < 10; n++) await world.endpoint(owner, `${hanging.url}/${account}-${n}`);
      await world.record(...Array.from({ length: 20 }, (_, user) => confirmed(owner.accountId, user + 1)));
    }
    const owner = await world.owner();
    const fast = await world.receiver();
    await world.endpoint(owner, fast.url);
    const counted = countSending(world.sender({ timeoutMs: 1_000 }));
    const deliverer = world.deliverer({}, { send: counted.send });
    deliverer.start();
    // Forty endpoints with 20 deliveries each use all 64 senders. When they count as failing, half of the senders are
    // free for others.
    await eventually('the hanging ones have all senders', () => counted.most() === 64);
    await world.record(...Array.from({ length: 100 }, (_, user) => confirmed(owner.accountId, user + 1)));
    await eventually('the fast receiver has them all', () => fast.received.length >= 100);
    await deliverer.stop();
    assert.equal(counted.most(), 64);
  }));

test('several deliverers send each delivery once and share the limit of simultaneous requests per endpoint', () =>
  inWorld(async (world) => {
    const owner = await world.owner();
    const slow = await world.receiver((response) => void setTimeout(() => response.writeHead(200).end(), 5));
    await world.endpoint(owner, slow.url);
    await world.record(...Array.from({ length: 300 }, (_, user) => confirmed(owner.accountId, user + 1)));
    const counted = countSending(world.sender());
    const deliverers = Array.from({ length: 3 }, () => world.deliverer({}, { send: counted.send }));
    for (const deliverer of deliverers) deliverer.start();
    await eventually('all have arrived', () => slow.received.length >= 300);
    await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
    assert.equal(slow.received.length, 300);
    assert.equal(new Set(slow.received.map(({ id }) => id)).size, 300);
    assert.ok(counted.most() <= 4, `${counted.most()} at once`);
  }));

test('a stopped deliverer releases its current delivery, and the next one sends it at once', () =>
  inWorld(async (world) => {
    const owner = await world.owner();
    let isHanging = true;
    const receiver = await world.receiver((response) => {
      if (!isHanging) response.writeHead(200).end();
    });
    const endpoint = await world.endpoint(owner, receiver.url);
    await world.record(confirmed(owner.accountId));
    const first = world.deliverer();
    first.start();
    await eventually('it is under way', () => receiver.received.length === 1);
    await first.stop(); // a stop that waited for the endpoint would record a failed attempt
    isHanging = false;
    await world.deliverer().deliverDue();
    const [delivery] = await world.deliveries(owner, endpoint);
    assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 1], 'a stop is nobody’s failure');
    assert.deepEqual([receiver.received.length, new Set(receiver.received.map(({ id }) => id)).size], [2, 1]);
  }));
