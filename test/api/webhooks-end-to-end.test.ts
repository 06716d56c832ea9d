import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

interface Caught {
  readonly headers: Record<string, string>;
  readonly body: string;
}

test('publisher and advertiser get signed events in order for a subscription, its reversal and the end of an order', async () => {
  const { sandbox } = service;
  const publisher = await sandbox.publisher({ beta: true });
  const owner = await sandbox.publisher({ beta: true, deposit: 100 });
  const hook = async (token: string, name: string): Promise<string> => {
    const events = ['subscription.confirmed', 'subscription.reversed', 'order.completed'];
    const url = `${sandbox.url}/sandbox/inbox/${name}`;
    return (await sandbox.api(token, 'webhooks', { url, events })).body.secret;
  };
  const secrets = { publisher: await hook(publisher.token, 'publisher'), owner: await hook(owner.token, 'owner') };
  const { orderId, chatId } = await sandbox.advertise({ account_id: owner.accountId, price_per_sub: 10, quantity: 1 });

  const [leaves, stays] = [freshUser(), freshUser()];
  for (const user of [leaves, stays]) {
    await sandbox.getSponsors(publisher.token, user);
    await sandbox.join(chatId, user);
    assert.equal((await sandbox.confirm(publisher.token, user, orderId)).code, 'counted');
    if (user === leaves) await sandbox.leave(chatId, user);
  }
  await sandbox.advance(24 * 3600);

  const read = async (name: keyof typeof secrets): Promise<[string, number, number][]> => {
    const { deliveries } = await sandbox.control('GET', `/inbox?name=${name}`);
    const verifier = new Webhook(secrets[name]);
    const bodies = deliveries.map(({ body, headers }: Caught) => verifier.verify(body, headers));
    return bodies
      .map((event: { type: string; sequence: number; data: { amount?: number; spent?: number } }) => [
        event.type,
        event.sequence,
        event.data.amount ?? event.data.spent,
      ])
      .sort((a: [string, number], b: [string, number]) => a[1] - b[1]);
  };
  await eventually('everything has arrived', async () => (await read('owner')).length >= 4);
  assert.deepEqual(await read('owner'), [
    ['subscription.confirmed', 1, 10],
    ['subscription.reversed', 2, 10],
    ['subscription.confirmed', 3, 10],
    ['order.completed', 4, 10],
  ]);
  assert.deepEqual(await read('publisher'), [
    ['subscription.confirmed', 1, 7],
    ['subscription.reversed', 2, 7],
    ['subscription.confirmed', 3, 7],
  ]);
});
