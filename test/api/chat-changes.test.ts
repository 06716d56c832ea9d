import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { keepNotices } from '../support/kept-notices.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const SERVICE_BOT = 700_000_001;
const service = useService({});

const rows = (sql: string, params: readonly unknown[] = []) =>
  query<Record<string, unknown>>(service.database.url, sql, params);

const notices = keepNotices(service);
/** Returns the kinds of all notices to an owner. */
const noticesOf = async (accountId: number): Promise<string[]> => (await notices(accountId)).map(({ kind }) => kind);

describe('a group that becomes a supergroup', () => {
  async function orderInGroup(): Promise<{ publisher: Publisher; order: Advertised; member: number }> {
    const { sandbox } = service;
    const { chat_id } = await sandbox.control('POST', '/chats', { type: 'group', title: 'Cats' });
    const publisher = await sandbox.publisher();
    const order = await sandbox.advertise({ chat_id });
    const member = freshUser();
    assert.equal((await sandbox.subscribe(publisher.token, order, member)).credited, 7);
    return { publisher, order, member };
  }
  const migrate = async (chatId: number, silent = false): Promise<number> =>
    (await service.sandbox.control('POST', `/chats/${chatId}/migration?silent=${silent}`)).chat_id;

  it('keeps its order, members and rights, which the updates move to the new id', async () => {
    const { sandbox } = service;
    const { publisher, order, member } = await orderInGroup();
    const joins = (id: number) => rows('SELECT user_id, joined_at FROM memberships WHERE chat_id = $1', [id]);
    const joinsBefore = await joins(order.chatId);
    const chatId = await migrate(order.chatId);
    assert.deepEqual(await joins(chatId), joinsBefore, 'a join keeps its date, without which no reward settles');
    const { status, chat_id } = await sandbox.order(order.orderId);
    assert.deepEqual([status, chat_id], ['active', chatId]);
    assert.deepEqual(await rows('SELECT FROM memberships WHERE chat_id = $1', [order.chatId]), []);
    assert.equal((await rows('SELECT FROM memberships WHERE chat_id = $1', [chatId])).length, 1);
    assert.deepEqual(await rows('SELECT type FROM bot_chats WHERE chat_id IN ($1, $2)', [order.chatId, chatId]), [
      { type: 'supergroup' },
    ]);
    assert.deepEqual(await noticesOf(order.accountId), ['chat_migrated']);
    assert.match(service.logs(), /group became a supergroup/);

    const next = freshUser();
    assert.equal((await sandbox.subscribe(publisher.token, { ...order, chatId }, next)).credited, 7);
    await sandbox.leave(chatId, next);
    assert.equal((await sandbox.money(publisher.token)).hold_balance, 7, 'a leaving is noticed');
    await sandbox.advance(25 * 3600);
    assert.equal((await sandbox.money(publisher.token)).balance, 7, 'and a hold settles');
    const shown = await sandbox.getSponsors(publisher.token, member);
    assert.deepEqual(shown, [], 'who was counted in the group is counted in the supergroup');
  });

  it('is detected by the error of a membership check when no update reports it', async () => {
    const { sandbox } = service;
    const { publisher, order } = await orderInGroup();
    const user = freshUser();
    await sandbox.getSponsors(publisher.token, user);
    const chatId = await migrate(order.chatId, true);
    await sandbox.join(chatId, user, true);
    assert.equal((await sandbox.confirm(publisher.token, user, order.orderId)).credited, 7);
    await eventually('the order has the new id', async () => (await sandbox.order(order.orderId)).chat_id === chatId);
    assert.deepEqual(await noticesOf(order.accountId), ['chat_migrated']);
    await sandbox.assertBalanced();
  });

  it('is merged with the resource of the new id when that was advertised before the change was known', async () => {
    const { sandbox } = service;
    const { publisher, order, member } = await orderInGroup();
    const chatId = await migrate(order.chatId, true);
    await sandbox.advertise({ chat_id: chatId });
    const user = freshUser();
    const [task] = await sandbox.getSponsors(publisher.token, user);
    await sandbox.join(chatId, user, true);
    assert.equal((await sandbox.confirm(publisher.token, user, task?.ads_id ?? 0)).credited, 7);
    await eventually('the order has the new id', async () => (await sandbox.order(order.orderId)).chat_id === chatId);
    const other = await sandbox.publisher();
    assert.deepEqual(await sandbox.getSponsors(other.token, member), [], 'nobody is counted twice');
    assert.equal((await sandbox.getSponsors(other.token, freshUser())).length, 1, 'one resource, one task');
  });
});

describe('a channel that changes its public name', () => {
  const DAY = 24 * 3600;
  const rename = (chatId: number, username: string | null) =>
    service.sandbox.control('PUT', `/chats/${chatId}/username`, { username });
  const linkShown = async (token: string, orderId: number): Promise<string | undefined> =>
    (await service.sandbox.getSponsors(token, freshUser())).find(({ ads_id }) => ads_id === orderId)?.link;

  it('is shown with its new name after an update reports it, and its owner is notified', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const order = await sandbox.advertise();
    await rename(order.chatId, 'renamed_by_update');
    await sandbox.join(order.chatId, freshUser());
    await eventually(
      'the new link is shown',
      async () => (await linkShown(token, order.orderId)) === 'https://t.me/renamed_by_update',
    );
    assert.deepEqual(await noticesOf(order.accountId), ['order_link_changed']);
    assert.match(service.logs(), /no longer lead into their chat/);
  });

  it('is checked daily, and a name taken by another channel is no longer shown', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { chat_id, link } = await sandbox.control('POST', '/chats', { type: 'channel', title: 'Was here first' });
    const order = await sandbox.advertise({ chat_id });
    await rename(chat_id, null);
    await sandbox.control('POST', '/chats', { type: 'channel', title: 'Squatter', username: link.replace(/.*\//, '') });
    assert.equal(await linkShown(token, order.orderId), link);
    await sandbox.advance(DAY + 60);
    const made = (await linkShown(token, order.orderId)) ?? '';
    assert.match(made, /^https:\/\/t\.me\/\+/);
    assert.deepEqual(await rows('SELECT chat_id FROM sandbox.tg_invite_links WHERE invite_link = $1', [made]), [
      { chat_id: String(chat_id) },
    ]);
    assert.deepEqual(
      await rows('SELECT title, username FROM resource_chats JOIN resources ON id = resource_id WHERE chat_id = $1', [
        chat_id,
      ]),
      [{ title: 'Was here first', username: null }],
    );

    await sandbox.advance(DAY + 60);
    assert.equal(await linkShown(token, order.orderId), made, 'a link that works stays');
    await sandbox.control('DELETE', `/chats/${chat_id}/invite-links`);
    await sandbox.advance(DAY + 60);
    const anew = await linkShown(token, order.orderId);
    assert.ok(anew?.startsWith('https://t.me/+') && anew !== made, 'a revoked link is made anew');
  });

  it('is checked even when the check of an earlier group fails because our bot was removed', async () => {
    const { sandbox } = service;
    const { token } = await sandbox.publisher();
    const { chat_id } = await sandbox.control('POST', '/chats', { type: 'group', title: 'Without us' });
    await sandbox.advertise({ chat_id });
    const order = await sandbox.advertise();
    await sandbox.control('DELETE', `/chats/${chat_id}/members/${SERVICE_BOT}`);
    await rename(order.chatId, 'renamed_unnoticed');
    await sandbox.advance(DAY + 60);
    assert.equal(await linkShown(token, order.orderId), 'https://t.me/renamed_unnoticed');
  });

  it('has its order paused when no invite link can be created', async () => {
    const { sandbox } = service;
    const order = await sandbox.advertise();
    await rename(order.chatId, null);
    await sandbox.fault({ mode: 'not_admin', method: 'createChatInviteLink' });
    await sandbox.advance(DAY + 60);
    assert.equal((await sandbox.order(order.orderId)).status, 'paused');
    assert.deepEqual(await noticesOf(order.accountId), ['order_paused']);
  });
});
