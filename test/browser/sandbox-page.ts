import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Sandbox } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useBrowser, type WatchedPage } from './browser.ts';

export interface SandboxPage extends WatchedPage {
  /** Selects a person and opens one of their chats by username. */
  openChat(person: string, chat: string): Promise<void>;
}

interface Opened extends BrowserContextOptions {
  readonly lang?: 'ru' | 'en' | undefined;
}

/** A running sandbox and a browser, for the tests of one file. */
export function useSandboxPage(): {
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  open(options?: Opened): Promise<SandboxPage>;
} {
  let service: TestService | undefined;
  const running = (): TestService => {
    if (service === undefined) throw new Error('the service is there only while a test runs');
    return service;
  };
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());
  const browser = useBrowser();
  return {
    get sandbox() {
      return running().sandbox;
    },
    get databaseUrl() {
      return running().database.url;
    },
    async open({ lang = 'en', ...options } = {}) {
      const watched = await browser.open(options);
      await watched.page.goto(`${running().url}/sandbox?lang=${lang}`);
      if (options.javaScriptEnabled !== false) await watched.page.locator('.chat-line').first().waitFor();
      return { ...watched, openChat: (person, chat) => openChat(watched.page, person, chat) };
    },
  };
}

/** Chooses the person whose phone is shown. */
export async function becomePerson(page: Page, person: string): Promise<void> {
  if ((await page.getAttribute('#person', 'data-person')) === person) return;
  await page.click('#person');
  await page.click(`dialog [data-person="${person}"]`);
  await page.locator(`#person[data-person="${person}"]`).waitFor();
}

/** Fails unless the element is inside the window and nothing covers it. */
export async function assertInView(page: Page, selector: string): Promise<void> {
  const seen = await page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (element === null) return 'missing';
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return [left, top, right, bottom].join();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element)) ? 'seen' : 'covered';
  })()`);
  assert.equal(seen, 'seen', selector);
}

async function openChat(page: Page, person: string, chat: string): Promise<void> {
  await becomePerson(page, person);
  // The list of the previous person may stay for a moment.
  if (await page.locator('#chat-back').isVisible()) await page.click('#chat-back');
  await page.locator('#screen:not([aria-busy])').waitFor();
  await page.click(`[data-chat="${chat}"]`);
}

/** Creates a bot that the person has started, to test messages of bots. */
export async function makeBot(sandbox: Sandbox, person: number, username: string) {
  const bot = await sandbox.control('POST', '/chats', { type: 'bot', title: `Bot ${username}`, username });
  await sandbox.join(bot.chat_id, person, true);
  const api = `${sandbox.url}/sandbox/telegram/bot${bot.token}`;
  return {
    // Returns the result of the Bot API; tests read the fields they expect.
    async send<T = unknown>(method: string, body: Record<string, unknown> | FormData): Promise<T> {
      const isForm = body instanceof FormData;
      const response = await fetch(`${api}/${method}`, {
        method: 'POST',
        ...(isForm ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!response.ok) throw new Error(`${method}: ${await response.text()}`);
      return ((await response.json()) as { result: T }).result;
    },
  };
}
