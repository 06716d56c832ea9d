import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { query } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { isCheckLink, suspect } from '../support/human-check.ts';
import { freshUser } from '../support/sandbox.ts';
import { makeBot, type SandboxPage, useSandboxPage } from './sandbox-page.ts';

const pages = useSandboxPage();
/** The browser as a person has it: without the marks by which the check recognises a driven one. */
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const NOT_DRIVEN = "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })";

const isChecked = async (userId: number): Promise<boolean> =>
  (await query(pages.databaseUrl, 'SELECT 1 FROM human_checks WHERE user_id = $1', [userId])).length > 0;

/** A suspicious person whose bot shows a task with a link to the check. */
async function suspiciousPerson(username: string): Promise<{ person: number; channel: string }> {
  const { sandbox } = pages;
  const person = freshUser();
  await sandbox.control('POST', '/users', { user_id: person, first_name: `Guest ${person}`, language_code: 'en' });
  await sandbox.pauseAllOrders();
  const channel = `channel_of_${username}`;
  const chat = await sandbox.control('POST', '/chats', {
    type: 'channel',
    title: `Channel ${username}`,
    username: channel,
  });
  await sandbox.advertise({ chat_id: chat.chat_id });
  const { token } = await sandbox.publisher();
  await suspect(pages.databaseUrl, person);
  const [task] = await sandbox.getSponsors(token, person);
  assert.ok(isCheckLink(task?.link), task?.link);
  const bot = await makeBot(sandbox, person, username);
  await bot.send('sendMessage', {
    chat_id: person,
    text: 'Subscribe first',
    reply_markup: { inline_keyboard: [[{ text: 'The channel', url: task?.link }]] },
  });
  return { person, channel };
}

async function openTask(opened: SandboxPage, person: number, username: string) {
  await opened.openChat(String(person), username);
  await opened.page.getByRole('button', { name: 'The channel' }).click();
  const frame = opened.page.frameLocator('.mini-app iframe');
  await frame.locator('#pass:enabled').waitFor();
  return frame;
}

describe('the human check on the phone', () => {
  it('is passed with the keyboard alone, and leads on to the channel', async () => {
    const { person, channel } = await suspiciousPerson('check_bot');
    const opened = await pages.open({ userAgent: AGENT });
    const { page } = opened;
    await page.addInitScript(NOT_DRIVEN);
    const frame = await openTask(opened, person, 'check_bot');
    assert.equal(await frame.locator('#check-title').evaluate((title) => title.matches(':focus')), true);
    await page.keyboard.press('Tab'); // more about your data
    await page.keyboard.press('Tab');
    assert.equal(await frame.locator('#pass').evaluate((button) => button.matches(':focus')), true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Channel check_bot' }).waitFor();
    await eventually('the check is stored', () => isChecked(person));
    assert.equal(await page.locator('.mini-app').count(), 0, `the Mini App is closed over ${channel}`);
    opened.assertQuiet();
    await opened.close();
  });

  it('can be left out', async () => {
    const { person } = await suspiciousPerson('skip_bot');
    const opened = await pages.open({ userAgent: AGENT });
    const frame = await openTask(opened, person, 'skip_bot');
    await frame.getByRole('link', { name: 'Continue without the check' }).click();
    await opened.page.getByRole('heading', { name: 'Channel skip_bot' }).waitFor();
    assert.equal(await isChecked(person), false);
    await opened.close();
  });

  it('is not passed by a driven browser', async () => {
    const { person } = await suspiciousPerson('driven_bot');
    const opened = await pages.open();
    const frame = await openTask(opened, person, 'driven_bot');
    await frame.locator('#pass').click();
    await frame.getByText('The check is not passed').waitFor();
    assert.equal(await isChecked(person), false);
    await opened.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is accessible in ${colorScheme} colours, and so is the privacy page`, async () => {
      const { sandbox } = pages;
      const url = `${sandbox.url}/app?startapp=check`;
      const person = freshUser();
      const app = await sandbox.control('POST', `/persons/${person}/web-app`, { bot: 'sponsorgate_bot', url });
      const opened = await pages.open({ userAgent: AGENT, colorScheme });
      await opened.page.goto(app.url);
      await opened.page.locator('#pass:enabled').waitFor();
      await opened.assertAccessible();
      await opened.page.goto(`${sandbox.url}/privacy`);
      await opened.page.getByRole('heading', { name: 'What data we store' }).waitFor();
      await opened.assertAccessible();
      opened.assertQuiet();
      await opened.close();
    });
  }
});
