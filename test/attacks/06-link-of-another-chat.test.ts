import assert from 'node:assert/strict';
import { freshUser } from '../support/sandbox.ts';
import { attack } from './attack.ts';

/**
 * The advertiser orders with the link of one channel and the id of another. Users join the channel of the link and are
 * never counted, so the advertiser gets them for free. The loss is the reward that an honest order would have paid.
 */
attack('an order combines the link of one chat with the id of another', async ({ sandbox }) => {
  const advertiser = await sandbox.publisher({ deposit: 1_000, beta: true });
  const publisher = await sandbox.publisher();
  const open = (title: string, isPrivate = false) =>
    sandbox.control('POST', '/chats', { type: 'channel', title, private: isPrivate });
  const [shown, paid, hidden] = [await open('Shown'), await open('Paid for'), await open('Hidden', true)];
  let lossKopecks = 0n;
  for (const { link, chat_id } of [
    { link: shown.link, chat_id: paid.chat_id },
    // A bot cannot see where an invite link leads, unless it made the link itself.
    { link: hidden.link, chat_id: paid.chat_id },
    { link: 'https://t.me/+SomebodyElses1', chat_id: paid.chat_id },
    { link: 'https://example.org/join', chat_id: paid.chat_id },
  ]) {
    const terms = { name: 'A', title: 'A', resource_type: 'channel', price_per_sub: 10, quantity: 1 };
    const answer = await sandbox.api(advertiser.token, 'orders', { ...terms, link, chat_id });
    if (answer.status !== 201) {
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      continue;
    }
    const user = freshUser();
    const task = (await sandbox.getSponsors(publisher.token, user)).find(
      ({ ads_id }) => ads_id === answer.body.order_id,
    );
    if (task === undefined) continue;
    // The user joins the chat of the link.
    const target = chatBehind(task.link, { shown, paid, hidden });
    if (target !== undefined) await sandbox.join(target, user);
    const { credited } = await sandbox.confirm(publisher.token, user, answer.body.order_id);
    if (credited !== 7) lossKopecks += 700n;
  }
  return lossKopecks;
});

interface Chat {
  readonly chat_id: number;
  readonly link: string;
}

/** Returns the chat that a link opens. Links that our bot created open the chat of the order. */
function chatBehind(
  link: string,
  { shown, paid, hidden }: { shown: Chat; paid: Chat; hidden: Chat },
): number | undefined {
  const known = [shown, paid, hidden].find((chat) => chat.link === link);
  if (known !== undefined) return known.chat_id;
  return /SomebodyElses|example/.test(link) ? undefined : paid.chat_id;
}
