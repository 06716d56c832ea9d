import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { readFigures } from '../support/figures.ts';
import { isCheckLink, openCheck, suspect } from '../support/human-check.ts';
import { freshUser } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const DAY = 24 * 3600;
const CHECK = 'https://t.me/sponsorgate_bot?startapp=check';

describe('the human check', () => {
  // The hourly scoring would delete the signals that these tests make up.
  const service = useService({ QUALITY_SCORING: 'off' });
  const stateOf = async (userId: number, orderId: number): Promise<string | undefined> =>
    (
      await query<{ state: string }>(
        service.database.url,
        'SELECT state FROM tasks WHERE user_id = $1 AND order_id = $2',
        [userId, orderId],
      )
    )[0]?.state;

  test('one task of a suspicious user leads through the Mini App to the same resource; other users go straight on', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    await sandbox.advertise({ price_per_sub: 20 });
    await sandbox.advertise();
    const [user, other, weak] = [freshUser(), freshUser(), freshUser()];
    const direct = await sandbox.getSponsors(token, other);
    await suspect(database.url, user);
    await suspect(database.url, weak, 59);
    const [first, second] = await sandbox.getSponsors(token, user);
    assert.ok(isCheckLink(first?.link), first?.link);
    assert.equal(second?.link, direct[1]?.link, 'only one task');
    assert.equal(first?.ads_id, direct[0]?.ads_id);
    assert.ok(
      (await sandbox.getSponsors(token, weak)).every(({ link }) => !isCheckLink(link)),
      'below the limit',
    );

    const opened = await openCheck(sandbox, user, first?.link ?? '');
    assert.deepEqual(opened, { redirect: direct[0]?.link, isAsked: true, isPassed: true });
    const after = await sandbox.getSponsors(token, user);
    assert.deepEqual(
      after.map(({ link }) => link),
      direct.map(({ link }) => link),
      'a user who has passed goes straight on',
    );
    const again = await openCheck(sandbox, user, first?.link ?? '');
    assert.deepEqual([again.isAsked, again.redirect], [false, direct[0]?.link]);
  });

  test('a repeated get-sponsors leads to the check as soon as the user is suspicious and the tasks change', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const first = await sandbox.advertise();
    await sandbox.advertise();
    const user = freshUser();
    for (let i = 0; i < 3; i++) await sandbox.getSponsors(token, user);
    await suspect(database.url, user);
    await sandbox.join(first.chatId, user);
    await sandbox.confirm(token, user, first.orderId);
    await sandbox.getSponsors(token, user, { action: 'newtask' });
    const shown = await sandbox.getSponsors(token, user);
    assert.ok(shown.some(({ link }) => isCheckLink(link)));
  });

  test('without the check the user has access, and the publisher earns nothing', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: 0 });
    const user = freshUser();
    await suspect(database.url, user);
    const confirmed = await sandbox.subscribe(token, order, user);
    assert.deepEqual(
      [confirmed.status, confirmed.subscribed, confirmed.grant_access, confirmed.credit_status],
      ['ok', true, true, 'hold'],
    );
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
    assert.deepEqual((await sandbox.confirm(token, user, order.orderId)).credited, 7, 'a repeat returns the same');
    await sandbox.advance(DAY);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 0 });
    assert.equal(await stateOf(user, order.orderId), 'notgetted');
    assert.equal((await sandbox.order(order.orderId)).subscribed ?? 0, 0, 'the slot is free again');
    const repeat = await sandbox.confirm(token, user, order.orderId);
    assert.equal(repeat.grant_access, true, 'the user keeps the access');
    await sandbox.assertBalanced();
  });

  test('passing the check releases the rewards that waited for it', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: 0 });
    const user = freshUser();
    await suspect(database.url, user);
    const [task] = await sandbox.getSponsors(token, user);
    await sandbox.subscribe(token, order, user);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
    assert.equal((await openCheck(sandbox, user, task?.link ?? '')).isPassed, true);
    await sandbox.advance(60);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
    await sandbox.advance(DAY);
    assert.equal(await stateOf(user, order.orderId), 'settled');
    await sandbox.assertBalanced();
  });

  test('a late update of the join does not release a reward that waits for the check', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: 0 });
    const user = freshUser();
    await suspect(database.url, user);
    await sandbox.getSponsors(token, user);
    await sandbox.join(order.chatId, user, true);
    await sandbox.confirm(token, user, order.orderId);
    await sandbox.leave(order.chatId, user, true);
    await sandbox.join(order.chatId, user);
    assert.deepEqual(await sandbox.money(token), { balance: 0, hold_balance: 7 });
  });

  test('a reward with a hold is paid on time when the user passes before its end', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    const user = freshUser();
    await suspect(database.url, user);
    const [task] = await sandbox.getSponsors(token, user);
    await sandbox.subscribe(token, order, user);
    await sandbox.advance(DAY - 60);
    await openCheck(sandbox, user, task?.link ?? '');
    await sandbox.advance(60);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
  });

  test('a reward confirmed before the user was led to the check is paid', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    const user = freshUser();
    await sandbox.subscribe(token, order, user);
    await suspect(database.url, user);
    await sandbox.advertise();
    await sandbox.getSponsors(token, user, { action: 'newtask' });
    await sandbox.advance(DAY);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
    assert.equal(await stateOf(user, order.orderId), 'settled');
  });

  test('a request of one bot does not make the tasks wait that another bot had shown before', async () => {
    const { sandbox, database } = service;
    const [first, second] = [await sandbox.publisher(), await sandbox.publisher()];
    const order = await sandbox.advertise({ hold_hours: 0 });
    const user = freshUser();
    await sandbox.getSponsors(first.token, user);
    await sandbox.advance(1);
    await suspect(database.url, user);
    assert.ok(isCheckLink((await sandbox.getSponsors(second.token, user))[0]?.link));
    await sandbox.join(order.chatId, user);
    const held = await sandbox.advertise();
    assert.equal((await sandbox.confirm(first.token, user, order.orderId)).credit_status, 'paid');
    assert.deepEqual(await sandbox.money(first.token), { balance: 7, hold_balance: 0 });
    // Shown after the request, by any bot, a reward waits.
    await sandbox.getSponsors(first.token, user, { action: 'newtask' });
    await sandbox.join(held.chatId, user);
    await sandbox.confirm(first.token, user, held.orderId);
    await sandbox.advance(DAY);
    assert.deepEqual(await sandbox.money(first.token), { balance: 7, hold_balance: 0 });
    assert.deepEqual([await stateOf(user, order.orderId), await stateOf(user, held.orderId)], ['settled', 'notgetted']);
  });

  test('a reward with a hold that was shown before the request is paid at the end of the hold', async () => {
    const { sandbox, database } = service;
    const [first, second] = [await sandbox.publisher(), await sandbox.publisher()];
    const order = await sandbox.advertise();
    const user = freshUser();
    await sandbox.getSponsors(first.token, user);
    await sandbox.advance(1);
    await suspect(database.url, user);
    await sandbox.getSponsors(second.token, user);
    await sandbox.join(order.chatId, user);
    await sandbox.confirm(first.token, user, order.orderId);
    await sandbox.advance(DAY);
    assert.deepEqual(await sandbox.money(first.token), { balance: 7, hold_balance: 0 });
  });

  test('a reward is paid when the signals against the user disappear', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    const user = freshUser();
    await suspect(database.url, user);
    await sandbox.subscribe(token, order, user);
    await query(database.url, 'DELETE FROM user_signals WHERE user_id = $1', [user]);
    await sandbox.advance(DAY);
    assert.equal(await stateOf(user, order.orderId), 'settled');
  });

  test('a user can go on without pressing, and may pass the check without being suspicious', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    await sandbox.advertise();
    const [user, volunteer] = [freshUser(), freshUser()];
    await suspect(database.url, user);
    const [task] = await sandbox.getSponsors(token, user);
    const skipped = await openCheck(sandbox, user, task?.link ?? '', { presses: false });
    assert.match(String(skipped.redirect), /^https:\/\/t\.me\//);
    assert.deepEqual(await openCheck(sandbox, volunteer, CHECK), {
      redirect: undefined,
      isAsked: true,
      isPassed: true,
    });
  });

  test('human_checked shows an order only to users who passed the check', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { orderId } = await sandbox.advertise({ filters: { human_checked: true } });
    const [checked, unchecked] = [freshUser(), freshUser()];
    await openCheck(sandbox, checked, CHECK);
    assert.deepEqual(await sandbox.getSponsors(token, unchecked), []);
    assert.deepEqual(
      (await sandbox.getSponsors(token, checked)).map(({ ads_id: id }) => id),
      [orderId],
    );
    const explained = await sandbox.api(token, 'explain', { user_id: unchecked });
    assert.equal(explained.body.removed_by_filter?.human_checked, 1, JSON.stringify(explained.body));
  });

  test('user-subscriptions finds the task behind a link to the check', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    const user = freshUser();
    await suspect(database.url, user);
    const [task] = await sandbox.getSponsors(token, user);
    const answer = await sandbox.api(token, 'user-subscriptions', { user_id: user, links: [task?.link] });
    assert.deepEqual(
      answer.body.subscriptions.map(({ ads_id: id, status }: { ads_id: number; status: string }) => [id, status]),
      [[order.orderId, 'unsubscribed']],
    );
  });

  test('a PiarFlow client that checks the link of the human check learns the state of its task', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    const user = freshUser();
    await suspect(database.url, user);
    const auth = { authorization: `Bearer ${token}` };
    const asked = await sandbox.call('POST', '/compat/piarflow/v1/sponsors', { user_id: user }, auth);
    const link: string = asked.body.sponsors[0].link;
    assert.ok(isCheckLink(link), link);
    const check = async (): Promise<string> => {
      const body = { user_id: user, links: [link] };
      const { body: answer } = await sandbox.call('POST', '/compat/piarflow/v1/sponsors/check', body, auth);
      return `${answer.status} ${answer.sponsors[0].status}`;
    };
    assert.equal(await check(), 'warning unsubscribed');
    await sandbox.join(order.chatId, user);
    await sandbox.call('POST', '/compat/piarflow/v1/sponsors', { user_id: user }, auth);
    assert.equal(await check(), 'ok subscribed');
  });

  test('a tester can make a person of the sandbox suspicious, and take it back', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    await sandbox.advertise();
    const user = freshUser();
    await sandbox.control('POST', `/signals/${user}`, { strength: 80 });
    assert.ok(isCheckLink((await sandbox.getSponsors(token, user))[0]?.link));
    await sandbox.control('POST', `/signals/${user}`, { strength: 0 });
    assert.equal(isCheckLink((await sandbox.getSponsors(token, user))[0]?.link), false);
  });

  test('a forged check is counted in the metrics', async () => {
    const { sandbox } = service;
    const ignored = async (): Promise<number> =>
      (await readFigures(service.url)).value('device_data_ignored_total', { reason: 'forged_device' }) ?? 0;
    const before = await ignored();
    const opened = await openCheck(sandbox, freshUser(), CHECK, { device: { id: 'forged' } });
    assert.equal(opened.isPassed, false);
    assert.equal(await ignored(), before + 1);
  });

  test('refused confirms are counted per user', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const { orderId } = await sandbox.advertise();
    const user = freshUser();
    await sandbox.getSponsors(token, user);
    for (let i = 0; i < 3; i++) await sandbox.confirm(token, user, orderId);
    await eventually('the refusals are stored', async () => {
      const [row] = await query<{ refused: number }>(
        database.url,
        'SELECT refused FROM confirm_refusals WHERE user_id = $1',
        [user],
      );
      return row?.refused === 3;
    });
  });
});

describe('with HUMAN_CHECK=off', () => {
  const service = useService({ HUMAN_CHECK: 'off', QUALITY_SCORING: 'off' });

  test('a suspicious user goes straight on, and the reward does not wait', async () => {
    const { sandbox, database } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise({ hold_hours: 0 });
    const user = freshUser();
    await suspect(database.url, user);
    assert.ok((await sandbox.getSponsors(token, user)).every(({ link }) => !isCheckLink(link)));
    await sandbox.subscribe(token, order, user);
    assert.deepEqual(await sandbox.money(token), { balance: 7, hold_balance: 0 });
    assert.equal((await openCheck(sandbox, user, CHECK)).isAsked, false);
  });
});
