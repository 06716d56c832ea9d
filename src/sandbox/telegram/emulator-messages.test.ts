import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Api, InlineKeyboard, InputFile, Keyboard } from 'grammy';
import { createTestDatabase } from '../../../test/support/database.ts';
import { ALL_UPDATES, MANAGER, refusal, startTestSandbox, type TestSandbox, USER } from './emulator.fixture.ts';
import type { Conversation } from './index.ts';

let sandbox: TestSandbox;
let manager: Api;

before(async () => {
  sandbox = await startTestSandbox(await createTestDatabase());
  manager = sandbox.manager;
});

beforeEach(async () => {
  await sandbox.emulator.reset();
  await manager.getUpdates({ allowed_updates: ALL_UPDATES });
  await sandbox.emulator.personSends(USER, 'manager_bot', '/start');
  await sandbox.takeUpdates();
});

after(() => sandbox?.drop());

async function seen(): Promise<Conversation> {
  const { status, json } = await sandbox.control<Conversation>('GET', `/persons/${USER}/messages?bot=manager_bot`);
  assert.equal(status, 200);
  return json;
}

describe('a conversation', () => {
  it('shows the person the messages of both sides, with edits and without deleted messages', async () => {
    const menu = new InlineKeyboard()
      .text('Orders', 'orders')
      .url('Site', 'https://example.com')
      .row()
      .text('Help', 'h');
    const first = await manager.sendMessage(USER, '<b>Hi</b> &amp; <a href="https://t.me">welcome</a>', {
      parse_mode: 'HTML',
      reply_markup: menu,
    });
    const second = await manager.sendMessage(USER, 'soon gone');
    await manager.deleteMessage(USER, second.message_id);
    let { messages } = await seen();
    assert.deepEqual(
      messages.map(({ from, text }) => [from, text]),
      [
        ['person', '/start'],
        ['bot', 'Hi & welcome'],
      ],
    );
    assert.deepEqual(messages[1]?.buttons, [['Orders', 'Site'], ['Help']]);
    assert.deepEqual(
      messages[1]?.entities.map((entity) => entity.type),
      ['bold', 'text_link'],
    );
    await manager.editMessageText(USER, first.message_id, 'Bye');
    ({ messages } = await seen());
    assert.deepEqual([messages[1]?.text, messages[1]?.buttons], ['Bye', []]);
  });

  it('rejects invalid calls with the texts of Telegram', async () => {
    const text = async (call: Promise<unknown>) => (await refusal(call)).text;
    const { message_id } = await manager.sendMessage(USER, 'same');
    const wrongTag = { parse_mode: 'HTML' } as const;
    assert.equal(await text(manager.sendMessage(USER, '  ')), 'Bad Request: message text is empty');
    assert.equal(await text(manager.sendMessage(USER, 'x'.repeat(4097))), 'Bad Request: message is too long');
    assert.equal(
      await text(manager.editMessageText(USER, message_id, 'same')),
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
    const tooLong = new InlineKeyboard().text('x', 'ж'.repeat(33));
    assert.equal(
      await text(manager.sendMessage(USER, 'x', { reply_markup: tooLong })),
      'Bad Request: BUTTON_DATA_INVALID',
    );
    for (const html of ['<b>open', 'a</b>', '<h1>x</h1>', '<b><i>x</b></i>', '1 < 2']) {
      assert.match(await text(manager.sendMessage(USER, html, wrongTag)), /^Bad Request: can't parse entities: /);
    }
    assert.equal(await text(manager.editMessageText(USER, 999, 'x')), 'Bad Request: message to edit not found');
    assert.equal(await text(manager.deleteMessage(USER, 999)), 'Bad Request: message to delete not found');
    assert.equal(await text(manager.sendMessage(123_456, 'x')), 'Bad Request: chat not found');
  });

  it('marks commands and links with entities', async () => {
    await sandbox.emulator.personSends(USER, 'manager_bot', '/start abc and https://t.me/news');
    const [update] = await sandbox.takeUpdates();
    assert.deepEqual(update?.message?.entities, [
      { type: 'bot_command', offset: 0, length: 6 },
      { type: 'url', offset: 15, length: 17 },
    ]);
  });

  it('accepts pictures as uploads and as addresses, and edits them', async () => {
    const file = new InputFile(Buffer.from('\x89PNG\r\n--not a boundary'), 'chart.png');
    const sent = await manager.sendPhoto(USER, file, { caption: '<b>Chart</b>', parse_mode: 'HTML' });
    assert.equal(sent.caption, 'Chart');
    assert.ok(sent.photo.length > 0);
    await manager.editMessageMedia(USER, sent.message_id, { type: 'photo', media: file, caption: 'Week' });
    const { messages } = await seen();
    assert.deepEqual([messages.at(-1)?.text, messages.at(-1)?.photo], ['Week', true]);
    await manager.editMessageCaption(USER, sent.message_id, { caption: 'Month' });
    assert.equal((await seen()).messages.at(-1)?.text, 'Month');
    assert.match((await refusal(manager.editMessageText(USER, sent.message_id, 'x'))).text, /no text in the message/);
    const form = new FormData();
    form.set('chat_id', String(USER));
    form.set('photo', new Blob(['bytes']), 'a.png');
    const plain = await fetch(`${sandbox.origin}/sandbox/telegram/bot7000000001:manager/sendPhoto`, {
      method: 'POST',
      body: form,
    });
    assert.equal(plain.status, 200);
  });

  it('presses the newest callback button with the label, and never a link', async () => {
    const buttons = (data: string) => new InlineKeyboard().text('Open', data).url('Channel', 'https://t.me/x');
    await manager.sendMessage(USER, 'old', { reply_markup: buttons('old') });
    await manager.sendMessage(USER, 'new', { reply_markup: buttons('new') });
    const press = (button: string) =>
      sandbox.control<{ code: string }>('POST', `/persons/${USER}/presses`, { bot: '@manager_bot', button });
    assert.equal((await press('Ope')).status, 204);
    const [update] = await sandbox.takeUpdates();
    const query = update?.callback_query;
    assert.deepEqual([query?.data, query?.from.id, query?.message?.chat.id], ['new', USER, USER]);
    await manager.answerCallbackQuery(query?.id ?? '', { text: 'Done', show_alert: true });
    assert.deepEqual((await seen()).notice, { text: 'Done', show_alert: true });
    assert.match((await refusal(manager.answerCallbackQuery('1'))).text, /query is too old/);
    const link = await press('Channel');
    assert.deepEqual([link.status, link.json.code], [404, 'button_not_found']);
    const unknown = await sandbox.control('POST', `/persons/${USER}/messages`, { bot: 'nobody_bot', text: 'x' });
    assert.equal(unknown.status, 404);
  });

  it('stores the commands and the menu button of a bot', async () => {
    await manager.setMyCommands([{ command: 'start', description: 'Begin' }]);
    assert.deepEqual(await manager.getMyCommands(), [{ command: 'start', description: 'Begin' }]);
    await manager.setChatMenuButton({ menu_button: { type: 'commands' } });
    assert.deepEqual(await manager.getChatMenuButton(), { type: 'commands' });
  });
});

describe('the webhook catcher', () => {
  it('stores headers and the raw body, and fails on request', async () => {
    const post = (query: string, body: string) =>
      fetch(`${sandbox.origin}/sandbox/inbox/shop${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-id': 'w1' },
        body,
      });
    assert.equal((await post('', '{"a": 1}')).status, 204);
    assert.equal((await post('?status=500&delay_ms=5', 'not json')).status, 500);
    await fetch(`${sandbox.origin}/sandbox/inbox/other`, { method: 'POST' });
    type Caught = {
      deliveries: { name: string; body: string; headers: Record<string, string>; received_at: string }[];
    };
    const { json } = await sandbox.control<Caught>('GET', '/inbox?name=shop');
    assert.deepEqual(
      json.deliveries.map(({ body, headers }) => [body, headers['webhook-id']]),
      [
        ['{"a": 1}', 'w1'],
        ['not json', 'w1'],
      ],
    );
    assert.equal((await sandbox.control<Caught>('GET', '/inbox')).json.deliveries.length, 3);
  });
});

describe('limits of a bot', () => {
  it('a bot cannot delete a message that is 48 hours old', async () => {
    const { message_id: old } = await manager.sendMessage(USER, 'old');
    await sandbox.db.query("UPDATE sandbox.tg_messages SET sent_at = sent_at - interval '48 hours'");
    assert.equal(
      (await refusal(manager.deleteMessage(USER, old))).text,
      "Bad Request: message can't be deleted for everyone",
    );
    const { message_id: fresh } = await manager.sendMessage(USER, 'fresh');
    assert.equal(await manager.deleteMessage(USER, fresh), true);
  });

  it('a bot cannot write twice a second in one chat when flood limits are on', async () => {
    for (let count = 0; count < 5; count++) await manager.sendMessage(USER, `freely ${count}`);
    await sandbox.emulator.setFault({ mode: 'flood_limits' });
    const together = ['first', 'second', 'third', 'fourth'].map((text) => manager.sendMessage(USER, text));
    const refused = (await Promise.allSettled(together)).flatMap((sent) =>
      sent.status === 'rejected' ? [String(sent.reason)] : [],
    );
    assert.match(refused[0] ?? '', /429: Too Many Requests: retry after 1/);
    await sandbox.emulator.setFault({ mode: 'none' });
    await manager.sendMessage(USER, 'third');
  });
});

describe('a keyboard below the input field', () => {
  const rights = {
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: false,
    can_manage_video_chats: false,
    can_restrict_members: false,
    can_promote_members: false,
    can_change_info: false,
    can_invite_users: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_send_welcome_messages: false,
  };
  const keyboard = new Keyboard().text('Back').requestChat('Choose', 7, {
    chat_is_channel: false,
    user_administrator_rights: rights,
    bot_administrator_rights: rights,
    request_title: true,
  });

  async function makeGroup(anonymous: boolean): Promise<number> {
    const { json } = await sandbox.control<{ chat_id: number }>('POST', '/chats', {
      type: 'supergroup',
      title: 'Club',
      private: true,
    });
    const member = `/chats/${json.chat_id}/members`;
    await sandbox.control('DELETE', `${member}/${MANAGER.id}?silent=true`);
    await sandbox.control('PUT', `${member}/${USER}?status=creator&anonymous=${anonymous}&silent=true`);
    await sandbox.takeUpdates();
    return json.chat_id;
  }
  const press = (button: string, chat_id?: number) =>
    sandbox.emulator.personPresses(USER, 'manager_bot', { button, ...(chat_id === undefined ? {} : { chat_id }) });

  it('sends a label as a message, and cannot be added or removed by an edit', async () => {
    const { message_id } = await manager.sendMessage(USER, 'Choose', { reply_markup: keyboard });
    assert.deepEqual((await seen()).reply_keyboard, [[{ text: 'Back' }, { text: 'Choose', chats: [] }]]);
    assert.equal(await press('Back'), 'pressed');
    assert.deepEqual(
      (await sandbox.takeUpdates()).map(({ message }) => message?.text),
      ['Back'],
    );
    assert.match((await refusal(manager.editMessageText(USER, message_id, 'Other'))).text, /can't be edited/);
    await manager.sendMessage(USER, 'Done', { reply_markup: { remove_keyboard: true } });
    assert.deepEqual((await seen()).reply_keyboard, []);
    assert.equal(await press('Back'), 'button_not_found');
  });

  it('shares a chat of the person, makes the bot an administrator, and hides anonymous administrators', async () => {
    for (const { anonymous, actor } of [
      { anonymous: false, actor: USER },
      { anonymous: true, actor: 1_087_968_824 },
    ]) {
      const chatId = await makeGroup(anonymous);
      await manager.sendMessage(USER, 'Choose', { reply_markup: keyboard });
      assert.equal(await press('Choose', chatId), 'pressed');
      const [made, shared] = await sandbox.takeUpdates();
      assert.equal(made?.my_chat_member?.new_chat_member.status, 'administrator');
      assert.equal(made?.my_chat_member?.from.id, actor);
      assert.equal(shared?.message?.from?.id, USER);
      assert.deepEqual(shared?.message?.chat_shared, { request_id: 7, chat_id: chatId, title: 'Club' });
      assert.equal(shared?.message?.text, undefined);
      const owner = (await manager.getChatAdministrators(chatId)).find(({ status }) => status === 'creator');
      assert.deepEqual([owner?.user.id, owner && 'is_anonymous' in owner && owner.is_anonymous], [USER, anonymous]);
    }
  });

  it('shares no chat of another kind, and no chat in which the person has no rights', async () => {
    const chatId = await makeGroup(false);
    const { chat_id: channel } = await sandbox.makeChat('channel');
    await sandbox.control('PUT', `/chats/${channel}/members/${USER}?status=creator&silent=true`);
    await manager.sendMessage(USER, 'Choose', { reply_markup: keyboard });
    assert.equal(await press('Choose', channel), 'chat_not_suitable');
    assert.equal(await press('Choose'), 'chat_not_suitable');
    await sandbox.control('PUT', `/chats/${chatId}/members/${USER}?status=member&silent=true`);
    assert.equal(await press('Choose', chatId), 'chat_not_suitable');
  });
});

describe('an anonymous administrator', () => {
  it('writes in a group as the group', async () => {
    const { json } = await sandbox.control<{ chat_id: number }>('POST', '/chats', {
      type: 'supergroup',
      title: 'Club',
    });
    const chatId = json.chat_id;
    for (const [anonymous, author] of [
      [true, 1_087_968_824],
      [false, USER],
    ] as const) {
      await sandbox.control(
        'PUT',
        `/chats/${chatId}/members/${USER}?status=creator&anonymous=${anonymous}&silent=true`,
      );
      await sandbox.takeUpdates();
      assert.equal(await sandbox.emulator.writeInGroup(chatId, { userId: USER, text: 'hello' }), 'sent');
      const [update] = await sandbox.takeUpdates();
      assert.equal(update?.message?.from?.id, author);
      assert.equal(update?.message?.sender_chat?.id, anonymous ? chatId : undefined);
    }
  });
});
