import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { assertBooks, taskStates } from '../support/books.ts';
import { newUsers } from '../support/users.ts';

const service = useService();

/** Regression: the service took the response `{"ok":true,"result":{}}` to sendChatAction for "reachable". */
for (const type of ['channel', 'bot'] as const) {
  test(`a malformed Telegram response neither counts nor reverses a subscription to a ${type}`, async () => {
    const { sandbox, database } = service;
    const publisher = await sandbox.publisher({ max_sponsors: 1 });
    const order = await sandbox.advertise({ type, quantity: 20 });
    const [member = 0, ...liars] = newUsers(6);
    await sandbox.subscribe(publisher.token, order, member);
    await Promise.all(liars.map((user) => sandbox.getSponsors(publisher.token, user)));

    await sandbox.fault({ mode: 'garbage' });
    for (const user of liars) {
      const answer = await sandbox.confirmOnce(publisher.token, user, order.orderId);
      assert.equal(answer.code, 'check_unavailable', JSON.stringify(answer));
    }
    await sandbox.advance(25 * 3600);
    assert.equal((await taskStates(database.url, order.orderId)).held, 1, 'the settlement waits');

    await sandbox.fault({ mode: 'none' });
    await sandbox.advance(60);
    assert.deepEqual(await taskStates(database.url, order.orderId), { expired: liars.length, settled: 1 });
    await assertBooks(database.url);
  });
}
