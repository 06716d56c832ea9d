import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshUser } from '../support/sandbox.ts';
import { makeBot, useSandboxPage } from './sandbox-page.ts';

const pages = useSandboxPage();
const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const CODE = `npm install ${'a-long-name-'.repeat(20)}`;

async function personOfTheSandbox(): Promise<number> {
  const id = freshUser();
  await pages.sandbox.control('POST', '/users', { user_id: id, first_name: `Guest ${id}`, language_code: 'en' });
  return id;
}

describe('the management bot on the phone', () => {
  const TALKS = [
    {
      lang: 'en',
      person: '100003',
      home: /Available: ₽0\.00/,
      language: 'Language',
      other: 'Русский',
      after: /Доступно/,
    },
    { lang: 'ru', person: '100001', home: /Доступно: 0,00\s₽/, language: 'Язык', other: 'English', after: /Available/ },
  ] as const;
  for (const { lang, person, home, language, other, after } of TALKS) {
    it(`greets in ${lang}, edits its message after a press, and receives texts`, async () => {
      const opened = await pages.open({ lang });
      const { page } = opened;
      await opened.openChat(person, 'sponsorgate_bot');
      await page.click('#chat-action');
      const menu = page.locator('.message-bot').last();
      await menu.filter({ hasText: home }).waitFor();
      await menu.getByRole('button', { name: language }).click();
      await menu.getByRole('button', { name: other }).click();
      await page.locator('.message-bot', { hasText: after }).waitFor();
      assert.equal(await page.locator('.message-bot').count(), 1, 'a menu that is pressed stays one message');
      await page.fill('#chat-field', 'hello');
      await page.keyboard.press('Enter');
      await page.locator('.message-person', { hasText: 'hello' }).waitFor();
      await page.locator('.message-bot:last-child', { hasText: after }).waitFor();
      opened.assertQuiet();
      await opened.assertAccessible();
      await opened.close();
    });
  }
});

describe('a button of a bot', () => {
  it('can be pressed while another one waits for the reply of the bot', async () => {
    const person = await personOfTheSandbox();
    const bot = await makeBot(pages.sandbox, person, 'slow_buttons_bot');
    const keyboard = ['One', 'Two'].map((text) => [{ text, callback_data: text }]);
    await bot.send('sendMessage', { chat_id: person, text: 'Press', reply_markup: { inline_keyboard: keyboard } });
    const opened = await pages.open();
    await opened.openChat(String(person), 'slow_buttons_bot');
    for (const name of ['One', 'Two']) await opened.page.getByRole('button', { name }).click();
    let received: string[] = [];
    await eventually('the bot has both presses', async () => {
      const updates = await bot.send<{ callback_query?: { data: string } }[]>('getUpdates', {});
      received = updates.flatMap((update) => update.callback_query?.data ?? []);
      return received.length >= 2;
    });
    assert.deepEqual(received, ['One', 'Two']);
    await opened.close();
  });
});

describe('a message of a bot', () => {
  it('is shown with its formatting, and its text is never markup', async () => {
    const person = await personOfTheSandbox();
    const bot = await makeBot(pages.sandbox, person, 'format_bot');
    const hostile = '&lt;img src=x onerror="document.title=1"&gt;';
    await bot.send('sendMessage', {
      chat_id: person,
      parse_mode: 'HTML',
      text: `<b>bold <i>both</i></b> <code>a&lt;b</code> ${hostile} <a href="javascript:alert(1)">evil</a> <a href="https://example.com/x">good</a><pre>${CODE}</pre>`,
    });
    const opened = await pages.open();
    const { page } = opened;
    await opened.openChat(String(person), 'format_bot');
    const bubble = page.locator('.message-bot .bubble-text');
    assert.equal(await bubble.locator('strong').textContent(), 'bold both');
    assert.equal(await bubble.locator('strong em').textContent(), 'both');
    assert.deepEqual(await bubble.locator('code').allTextContents(), ['a<b']);
    assert.deepEqual(await bubble.locator('pre').allTextContents(), [CODE]);
    const [isScrolled, isInside] = await page.evaluate<[boolean, boolean]>(`(() => {
      const block = document.querySelector('.bubble pre');
      const edge = document.querySelector('.conversation').getBoundingClientRect().right;
      return [block.scrollWidth > block.clientWidth, document.querySelector('.bubble').getBoundingClientRect().right < edge];
    })()`);
    assert.deepEqual([isScrolled, isInside], [true, true], 'long code scrolls inside its bubble');
    assert.match((await bubble.textContent()) ?? '', /<img src=x onerror/);
    assert.equal(await bubble.locator('img').count(), 0);
    const links = await bubble.locator('a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    assert.deepEqual(links, ['https://example.com/x']);
    opened.assertQuiet();
    await opened.close();
  });

  it('shows its picture', async () => {
    const person = await personOfTheSandbox();
    const bot = await makeBot(pages.sandbox, person, 'picture_bot');
    const form = new FormData();
    form.set('chat_id', String(person));
    form.set('caption', 'A chart');
    form.set('photo', new Blob([ONE_PIXEL], { type: 'image/png' }), 'chart.png');
    await bot.send('sendPhoto', form);
    const opened = await pages.open();
    await opened.openChat(String(person), 'picture_bot');
    const image = opened.page.locator('.picture img');
    await image.waitFor();
    const isDrawn = () =>
      image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth > 0);
    await eventually('the picture is drawn', isDrawn);
    opened.assertQuiet();
    await opened.close();
  });

  it('has buttons that open chats, copy texts and open Mini Apps; unknown ones are disabled', async () => {
    const person = await personOfTheSandbox();
    const bot = await makeBot(pages.sandbox, person, 'button_bot');
    await bot.send('sendMessage', {
      chat_id: person,
      text: 'Press',
      reply_markup: {
        inline_keyboard: [
          [{ text: 'Coffee', url: 'https://t.me/demo_coffee' }],
          [{ text: 'Copy me', copy_text: { text: 'at_copied' } }],
          [{ text: 'App', web_app: { url: `${pages.sandbox.url}/app` } }],
          [{ text: 'Search', switch_inline_query: 'x' }],
          [{ text: 'Outside', url: 'https://example.com/' }],
        ],
      },
    });
    const opened = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await opened.openChat(String(person), 'button_bot');
    assert.equal(await page.getByRole('button', { name: 'Search' }).isDisabled(), true);
    assert.equal(await page.getByRole('link', { name: 'Outside' }).getAttribute('rel'), 'noopener noreferrer');
    await page.getByRole('button', { name: 'Copy me' }).click();
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'at_copied');
    await page.getByRole('button', { name: 'Coffee' }).click();
    await page.getByRole('heading', { name: 'Coffee every day' }).waitFor();
    await page.click('#chat-back');
    await page.getByRole('button', { name: 'App' }).click();
    const address = (await page.locator('.mini-app a').getAttribute('href')) ?? '';
    const initData = new URLSearchParams(new URL(address).hash.slice(1)).get('tgWebAppData') ?? '';
    assert.match(new URLSearchParams(initData).get('user') ?? '', new RegExp(`"id":${person},`));
    await opened.close();
  });

  it('shows the reply to a press as a toast or an alert; the button is busy until then', async () => {
    const person = await personOfTheSandbox();
    const bot = await makeBot(pages.sandbox, person, 'answer_bot');
    const rows = ['Toast', 'Alert'].map((text) => [{ text, callback_data: text }]);
    await bot.send('sendMessage', { chat_id: person, text: 'Press', reply_markup: { inline_keyboard: rows } });
    const opened = await pages.open();
    const { page } = opened;
    await opened.openChat(String(person), 'answer_bot');
    for (const [text, showAlert] of [
      ['Toast', false],
      ['Alert', true],
    ] as const) {
      await page.getByRole('button', { name: text, exact: true }).click();
      await page.locator(`.inline-button[aria-busy="true"]`, { hasText: text }).waitFor();
      await answerPress(bot, { text: `${text} answer`, show_alert: showAlert });
      if (showAlert) await page.locator('dialog', { hasText: 'Alert answer' }).getByRole('button').click();
      else await page.locator('.toast', { hasText: 'Toast answer' }).waitFor();
      await page.locator('.inline-button[aria-busy="true"]').waitFor({ state: 'detached' });
    }
    opened.assertQuiet();
    await opened.close();
  });
});

type Bot = Awaited<ReturnType<typeof makeBot>>;
type Pressed = { readonly update_id: number; readonly callback_query: { readonly id: string } };

/** Polls for the pending press, as a bot does, and replies to it. */
async function answerPress(bot: Bot, answer: object): Promise<void> {
  const [pressed] = await bot.send<Pressed[]>('getUpdates', { timeout: 10, allowed_updates: ['callback_query'] });
  assert.ok(pressed, 'no press arrived');
  await bot.send('answerCallbackQuery', { callback_query_id: pressed.callback_query.id, ...answer });
  await bot.send('getUpdates', { offset: pressed.update_id + 1 });
}

describe('persons and channels', () => {
  it('a new person joins a channel and leaves it, and the member count follows', async () => {
    const opened = await pages.open();
    const { page } = opened;
    await page.click('#person');
    await page.click('#new-person');
    await page.getByLabel('Name').fill('Zoë');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('#person', { hasText: 'Zoë' }).filter({ hasText: 'user · en' }).waitFor();
    await page.click('[data-chat="demo_games"]');
    await page.locator('.chat-under', { hasText: /^1 subscriber$/ }).waitFor(); // its owner
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('You are subscribed').waitFor();
    await page.locator('.chat-under', { hasText: '2 subscribers' }).waitFor();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.locator('.chat-under', { hasText: /^1 subscriber$/ }).waitFor();
    opened.assertQuiet();
    await opened.assertAccessible();
    await opened.close();
  });

  it('finds one of more than sixty persons by name, and lists an operator', async () => {
    for (let number = 1; number <= 70; number++) {
      await pages.sandbox.control('POST', '/users', { first_name: number === 35 ? 'Needle' : `Hay ${number}` });
    }
    const opened = await pages.open();
    const { page } = opened;
    await page.click('#person');
    await page.locator('dialog h3', { hasText: 'Operators' }).waitFor();
    assert.equal(await page.locator('dialog [data-person]', { hasText: 'Needle' }).count(), 0);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('needle');
    await page.locator('dialog [data-person]', { hasText: 'Needle' }).click();
    await page.locator('#person', { hasText: 'Needle' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('a bot from BotFather is added to the service, and the service’s bot to a channel of the person', async () => {
    const person = String(await personOfTheSandbox());
    const opened = await pages.open();
    const { page } = opened;
    const say = async (text: string, reply: RegExp): Promise<void> => {
      await page.fill('#chat-field', text);
      await page.keyboard.press('Enter');
      await page.locator('.message-bot:last-child', { hasText: reply }).waitFor();
    };
    const press = (label: string) =>
      page.locator('.message-bot:last-child').getByRole('button', { name: label }).click();
    await opened.openChat(person, 'BotFather');
    await page.click('#chat-action');
    await page.locator('.message-bot', { hasText: '/newbot' }).waitFor();
    await say('/newbot', /name/);
    await say('My films', /username/);
    await say(`films_${person}_bot`, /Done!/);
    const token = (await page.locator('.message-bot code', { hasText: /^\d+:/ }).textContent()) ?? '';
    await opened.openChat(person, 'sponsorgate_bot');
    await page.click('#chat-action');
    for (const label of ['My bots', 'Add a bot', 'By token']) await press(label);
    await page.locator('.message-bot:last-child', { hasText: 'BotFather' }).waitFor();
    await say(token, new RegExp(`films_${person}_bot`));
    await say('/start', /Available/);
    for (const label of ['My orders', 'New order', 'Channel or group', 'To a channel']) await press(label);
    await page.locator('dialog').getByRole('button', { name: 'New channel' }).click();
    await page.getByLabel('Name').fill('My garden');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.toast', { hasText: 'is an administrator of “My garden” now' }).waitFor();
    await page.locator('.message-bot', { hasText: 'My garden' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });

  it('a person who leaves after a day is told that nothing happens any more, and why', async () => {
    const { bots, orders } = await pages.sandbox.control('GET', '/state');
    const order = orders.find((each: { order_id: number }) => each.order_id === 3);
    const person = await personOfTheSandbox();
    const place = { orderId: 3, chatId: order.chat_id, accountId: order.account_id };
    await pages.sandbox.subscribe(bots[0].api_token, place, person);
    const opened = await pages.open();
    const { page } = opened;
    await opened.openChat(String(person), 'demo_flights');
    await page.locator('.chat-reward', { hasText: /gets ₽4\.20\. Leave before .* MSK/ }).waitFor();
    await page.click('#clock-day-later');
    await page.locator('.chat-reward', { hasText: 'Leaving changes nothing any more' }).waitFor();
    await page.click('#chat-leave');
    await page.locator('.toast', { hasText: 'the reward of ₽4.20 is final' }).waitFor();
    opened.assertQuiet();
    await opened.close();
  });
});
