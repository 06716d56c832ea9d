import assert from 'node:assert/strict';
import { freshUser } from '../support/sandbox.ts';
import { attack } from './attack.ts';

const HOUR = 3600;
const REWARD_KOPECKS = 700n;

attack(
  'a stranger buys an order for an external bot of another owner and never sends a postback',
  async ({ sandbox }) => {
    const owner = await sandbox.publisher({ beta: true, deposit: 1_000 });
    const stranger = await sandbox.publisher({ beta: true, deposit: 1_000 });
    const publisher = await sandbox.publisher();
    const link = `https://t.me/wanted_${freshUser()}_bot`;
    const users = [freshUser(), freshUser(), freshUser()];

    const hijacked = await sandbox.call(
      'POST',
      '/api/v1/orders',
      { resource_type: 'bot', link, title: 'Mine', price_per_sub: 10, quantity: 5 },
      { auth: stranger.token },
    );
    assert.equal(hijacked.status, 422, JSON.stringify(hijacked.body));

    // When the advertiser's side never replies, its users can still be counted for the next order.
    const silent = await sandbox.orderExternal(owner.token, { link });
    assert.equal(silent.status, 201, JSON.stringify(silent.body));
    for (const user of users) {
      assert.equal((await sandbox.getSponsors(publisher.token, user)).length, 1);
      assert.equal((await sandbox.confirm(publisher.token, user, silent.body.order_id)).code, 'pending');
    }
    await sandbox.advance(72 * HOUR);
    await sandbox.control('POST', `/orders/${silent.body.order_id}/pause`);
    const honest = await sandbox.orderExternal(owner.token, { link });
    let counted = 0;
    for (const user of users) {
      await sandbox.getSponsors(publisher.token, user);
      if ((await sandbox.confirm(publisher.token, user, honest.body.order_id)).code === 'pending') counted += 1;
    }
    return BigInt(users.length - counted) * REWARD_KOPECKS;
  },
);
