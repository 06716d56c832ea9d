import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freshUser } from '../support/sandbox.ts';
import { useSandboxPage } from './sandbox-page.ts';

const world = useSandboxPage();

for (const { language, words } of [
  {
    language: 'en',
    words: {
      console: 'Web console',
      open: 'Open the console',
      enter: 'Sign in',
      overview: 'Overview',
      out: 'Sign out',
    },
  },
  {
    language: 'ru',
    words: { console: 'Веб-кабинет', open: 'Войти в кабинет', enter: 'Войти', overview: 'Обзор', out: 'Выйти' },
  },
] as const) {
  it(`a person signs in with the bot's link and signs out, in ${language}`, async () => {
    const user = freshUser();
    await world.sandbox.control('POST', '/users', { user_id: user, first_name: 'Grace', language_code: language });
    const phone = await world.open({ lang: language });
    await phone.openChat(String(user), 'sponsorgate_bot');
    await phone.page.click('#chat-action');
    const menu = phone.page.locator('.message-bot').last();
    await menu.getByRole('button', { name: words.console }).click();
    const [page] = await Promise.all([
      phone.page.context().waitForEvent('page'),
      menu.getByRole('link', { name: words.open }).click(),
    ]);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.getByText('Grace').first().waitFor();
    await page.getByRole('button', { name: words.enter }).click();
    await page.getByRole('heading', { name: words.overview, level: 1 }).waitFor();
    assert.equal(new URL(page.url()).search, '', 'the code is not in the address any more');
    assert.equal(await page.evaluate('document.cookie'), '', 'no script can read the cookie');
    assert.deepEqual(complaints, []);
    await page.getByRole('button', { name: words.out, exact: true }).click();
    await page.waitForURL('**/console/sign-out');
    const answer = await page.goto(`${world.sandbox.url}/console`);
    assert.equal(answer?.status(), 401);
    phone.assertQuiet();
    await phone.close();
  });
}
