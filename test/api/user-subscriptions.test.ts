import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService({ TELEGRAM_CHECKS_PER_SECOND: '1000' });

const read = async (token: string, body: Record<string, unknown>) => {
  const answer = await service.sandbox.api(token, 'user-subscriptions', body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.status, 'ok');
  return answer.body.subscriptions as {
    ads_id: number | null;
    link: string | null;
    is_shown: boolean;
    status: string;
    credit_status: string;
  }[];
};

test('user-subscriptions returns the stored status of each task by id, in the order of the request', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const other = await sandbox.publisher();
  const [counted, open, left] = [await sandbox.advertise(), await sandbox.advertise(), await sandbox.advertise()];
  const user = freshUser();
  await sandbox.subscribe(token, counted, user);
  await sandbox.subscribe(token, left, user);
  await sandbox.leave(left.chatId, user);
  const ads_ids = [open.orderId, left.orderId, counted.orderId, 987_654_321];
  // Telegram is away, and nothing needs it.
  await sandbox.fault({ mode: 'down' });
  const found = await read(token, { user_id: user, ads_ids });
  assert.deepEqual(
    found.map(({ ads_id, is_shown, status, credit_status }) => [ads_id, is_shown, status, credit_status]),
    [
      [open.orderId, true, 'unsubscribed', 'none'],
      [left.orderId, true, 'unsubscribed', 'none'],
      [counted.orderId, true, 'subscribed', 'hold'],
      [987_654_321, false, 'unsubscribed', 'none'],
    ],
  );
  const elsewhere = await read(other.token, { user_id: user, ads_ids: [counted.orderId] });
  assert.deepEqual(
    elsewhere.map(({ is_shown, status }) => [is_shown, status]),
    [[false, 'unsubscribed']],
  );
});

test('user-subscriptions finds tasks by link in any spelling, and lists all tasks without ids and links', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const order = await sandbox.advertise();
  const user = freshUser();
  const [task] = await sandbox.getSponsors(token, user);
  assert.ok(task !== undefined);
  const spellings = [task.link, `${task.link}/`, task.link.replace('https://', ''), `${task.link}?start=1`];
  const found = await read(token, { user_id: user, links: [...spellings, 'https://t.me/somewhere_else', 'no link'] });
  assert.deepEqual(
    found.map(({ ads_id, is_shown }) => [ads_id, is_shown]),
    [...spellings.map(() => [order.orderId, true]), [null, false], [null, false]],
  );
  assert.deepEqual(found.map(({ link }) => link).slice(0, 2), spellings.slice(0, 2));
  const all = await read(token, { user_id: user, ads_ids: null, links: null });
  assert.deepEqual(all, [
    { ads_id: order.orderId, link: task.link, is_shown: true, status: 'unsubscribed', credit_status: 'none' },
  ]);
  assert.deepEqual(await read(token, { user_id: freshUser() }), []);
});

test('user-subscriptions takes ids or links, at most 50', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  for (const body of [
    { user_id: 1, ads_ids: [1], links: ['https://t.me/a'] },
    { user_id: 1, ads_ids: [] },
    { user_id: 1, links: Array.from({ length: 51 }, () => 'https://t.me/a') },
    { ads_ids: [1] },
  ])
    assert.equal((await sandbox.api(token, 'user-subscriptions', body)).status, 422, JSON.stringify(body));
  assert.equal((await sandbox.api('at_wrong', 'user-subscriptions', { user_id: 1 })).status, 401);
});
