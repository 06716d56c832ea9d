import assert from 'node:assert/strict';
import { freshUser } from '../support/sandbox.ts';
import { attack } from './attack.ts';

const HOUR = 3600;
/** An advertiser's side that never replies gets at most this many users. */
const JUDGED_FROM = 10;
const REWARD_KOPECKS = 700n;

attack('an advertiser who never sends a postback repeatedly gets users for free', async ({ sandbox }) => {
  const owner = await sandbox.publisher({ beta: true, deposit: 10_000 });
  const { token } = await sandbox.publisher();
  const link = `https://t.me/silent_${freshUser()}_bot`;
  const { body: order } = await sandbox.orderExternal(owner.token, { link, quantity: 100 });
  let sent = 0;
  for (let day = 0; day < 4; day++) {
    for (let i = 0; i < 5; i++) {
      const user = freshUser();
      const shown = await sandbox.getSponsors(token, user);
      if (!shown.some(({ ads_id }) => ads_id === order.order_id)) continue;
      assert.equal((await sandbox.confirm(token, user, order.order_id)).code, 'pending');
      sent += 1;
    }
    await sandbox.advance(72 * HOUR);
  }
  assert.equal((await sandbox.order(order.order_id)).status, 'paused');
  return BigInt(Math.max(0, sent - JUDGED_FROM)) * REWARD_KOPECKS;
});
