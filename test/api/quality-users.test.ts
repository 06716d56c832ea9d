import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const HOUR = 3600;

describe('limits of one user', () => {
  const service = useService({ USER_SUBSCRIPTIONS_PER_HOUR: '2', USER_SUBSCRIPTIONS_PER_DAY: '3' });

  test('more subscriptions in an hour or a day, over all bots, are not counted', async () => {
    const { sandbox } = service;
    const [first, second] = [await sandbox.publisher(), await sandbox.publisher()];
    const user = freshUser();
    const orders = [];
    for (let n = 0; n < 5; n++) orders.push(await sandbox.advertise());
    const [a, b, c, d, e] = orders as [never, never, never, never, never];
    const code = async (token: string, order: never): Promise<string> =>
      (await sandbox.subscribe(token, order, user)).code;
    assert.equal(await code(first.token, a), 'counted');
    assert.equal(await code(second.token, b), 'counted');
    const beyond = await sandbox.subscribe(first.token, c, user);
    assert.deepEqual([beyond.code, beyond.credited, beyond.grant_access], ['already_counted', 0, true]);
    assert.deepEqual(
      await sandbox.confirm(first.token, user, (c as { orderId: number }).orderId),
      beyond,
      'and stays so',
    );

    await sandbox.advance(HOUR + 1);
    assert.equal(await code(first.token, d), 'counted');
    await sandbox.advance(HOUR + 1);
    assert.equal(await code(first.token, e), 'already_counted', 'three a day');
    assert.deepEqual(await sandbox.money(first.token), { balance: 0, hold_balance: 14 });
    assert.equal((await sandbox.subscribe(second.token, await sandbox.advertise(), freshUser())).code, 'counted');
  });

  test('many tasks of one request are limited too', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const user = freshUser();
    const orders = [await sandbox.advertise(), await sandbox.advertise(), await sandbox.advertise()];
    await sandbox.getSponsors(token, user);
    for (const { chatId } of orders) await sandbox.join(chatId, user);
    const { results } = await sandbox.confirmMany(
      token,
      user,
      orders.map(({ orderId }) => orderId),
    );
    const codes = results.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes.toSorted(), ['already_counted', 'counted', 'counted']);
    await sandbox.assertBalanced();
  });
});

describe('users over a limit', () => {
  const service = useService({ USER_SUBSCRIPTIONS_PER_HOUR: '1', OVER_LIMIT_TASKS: 'hidden' });

  test('see no new tasks when the operator hides them', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const user = freshUser();
    await sandbox.subscribe(token, await sandbox.advertise(), user);
    await sandbox.advertise();
    assert.deepEqual(await sandbox.getSponsors(token, user, { action: 'newtask' }), []);
    assert.equal((await sandbox.getSponsors(token, freshUser())).length > 0, true);
    const isOver = async (id: number): Promise<boolean> =>
      (await sandbox.api(token, 'explain', { user_id: id })).body.user_is_over_limit;
    assert.deepEqual([await isOver(user), await isOver(freshUser())], [true, false], 'explain names the limit');
    await sandbox.advance(HOUR + 1);
    assert.equal((await sandbox.getSponsors(token, user, { action: 'newtask' })).length, 1);
  });
});

describe('users of one device', () => {
  const service = useService({ DEVICE_USERS: '2' });

  test('beyond the limit are not counted, in the order in which the service met them', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    const users = [freshUser(), freshUser(), freshUser()];
    for (const user of users) {
      await sandbox.getSponsors(token, user);
      await sandbox.advance(1);
    }
    const mark = (userIds: readonly number[], kind: string, text: string) =>
      database.db.query(
        `INSERT INTO device_marks (mark, user_id, kind, source, seen_at)
         SELECT decode(md5($3), 'hex'), unnest($1::bigint[]), $2, 'smart_link', now()`,
        [userIds, kind, text],
      );
    await mark(users.toReversed(), 'device', 'phone');
    const alone = [freshUser(), freshUser(), freshUser()];
    await mark(alone, 'address', 'network');
    const codes = [];
    for (const user of [...users.toReversed(), ...alone])
      codes.push((await sandbox.subscribe(token, order, user)).code);
    assert.deepEqual(codes, ['already_counted', 'counted', 'counted', 'counted', 'counted', 'counted']);
  });
});
