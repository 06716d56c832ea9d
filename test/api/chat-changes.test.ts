import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { type Advertised, freshUser, type Publisher } from '../support/sandbox.ts';
import { useService } from './use-service.ts';

const service = useService();

const rows = (sql: string, params: readonly unknown[] = []) =>
  query<Record<string, unknown>>(service.database.url, sql, params);

const noticesOf = async (accountId: number): Promise<string[]> =>
  (await rows('SELECT kind FROM notices WHERE account_id = $1', [accountId])).map(({ kind }) => String(kind));

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

  it('keeps its order: the updates move it, its members and its rights to the new id', async () => {
    const { sandbox } = service;
    const { publisher, order, member } = await orderInGroup();
    const chatId = await migrate(order.chatId);
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

  it('is followed by the error of a check when no update tells of it', async () => {
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

  it('takes the order of the new id along when that was advertised before we heard of it', async () => {
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
