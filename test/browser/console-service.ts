import { after, before } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { readCsv, untilNoon, Visitor } from '../console/visitor.ts';
import { eventually } from '../support/eventually.ts';
import { freshUser, type Sandbox } from '../support/sandbox.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useBrowser, type WatchedPage } from './browser.ts';

export interface ConsolePage extends WatchedPage {
  /** Opens a page of the console by its path. */
  visit(path: string): Promise<void>;
}

/** A running service with demo objects and a browser, for the tests of one file. */
export function useConsole(): {
  readonly sandbox: Sandbox;
  readonly estate: Estate;
  /** Opens a browser in which the owner is signed in with a link of the bot. */
  open(options?: BrowserContextOptions): Promise<ConsolePage>;
} {
  let world: { service: TestService; estate: Estate } | undefined;
  const made = () => {
    if (world === undefined) throw new Error('the console is there only while a test runs');
    return world;
  };
  before(async () => {
    const service = await startTestService();
    await service.sandbox.pauseAllOrders();
    world = { service, estate: await makeEstate(service.sandbox) };
  });
  after(() => world?.service.stop());
  const browser = useBrowser();
  return {
    get sandbox() {
      return made().service.sandbox;
    },
    get estate() {
      return made().estate;
    },
    async open(options) {
      const { service, estate } = made();
      const watched = await browser.open(options);
      await watched.page.goto(await estate.owner.link());
      await watched.page.getByRole('button').click();
      await watched.page.waitForURL('**/console');
      return {
        ...watched,
        async visit(path) {
          await watched.page.goto(`${service.url}${path}`);
        },
      };
    },
  };
}

export interface Estate {
  readonly owner: Visitor;
  readonly botId: number;
  readonly orderId: number;
  readonly linkId: number;
  readonly endpointId: number;
}

/**
 * Creates an owner with objects of every kind and known figures. The bot (reward 7 ₽): three days ago 4 counted, one of
 * them left; yesterday 2 counted; today 1, in hold. The order (10 ₽): 5 shown today, 4 confirmed, 3 stayed. The link: 3
 * clicks from a phone and 1 from a computer.
 */
async function makeEstate(sandbox: Sandbox): Promise<Estate> {
  await untilNoon(sandbox);
  const owner = await Visitor.signedIn(sandbox, { name: 'Grace Hopper', deposit: 1_000 });
  const { bot_id: botId, api_token: token } = await sandbox.control('POST', '/bots', {
    account_id: owner.accountId,
    max_sponsors: 1,
  });
  const theirs = await sandbox.advertise({ price_per_sub: 10, quantity: 100 });
  for (const { count, leaving, thenDays } of [
    { count: 4, leaving: 1, thenDays: 2 },
    { count: 2, leaving: 0, thenDays: 1 },
    { count: 1, leaving: 0, thenDays: 0 },
  ]) {
    const users = Array.from({ length: count }, freshUser);
    for (const user of users) await sandbox.subscribe(token, theirs, user);
    for (const user of users.slice(0, leaving)) await sandbox.leave(theirs.chatId, user);
    if (thenDays > 0) await sandbox.advance(thenDays * 86_400);
  }
  await sandbox.control('POST', `/orders/${theirs.orderId}/pause`);
  const mine = await sandbox.advertise({
    account_id: owner.accountId,
    price_per_sub: 10,
    quantity: 20,
    name: 'My channel',
  });
  const source = await sandbox.publisher({ max_sponsors: 1 });
  const users = Array.from({ length: 4 }, freshUser);
  for (const user of users) await sandbox.subscribe(source.token, mine, user);
  await sandbox.leave(mine.chatId, users[0] ?? 0);
  await sandbox.getSponsors(source.token, freshUser());

  await owner.get('/console/links');
  const link = await owner.submit('/console/links', { url: 'https://example.com/', name: 'Spring' });
  const short = /<code>(http[^<]+\/l\/\w+)<\/code>/.exec(link.text)?.[1] ?? '';
  for (const agent of [PIXEL, PIXEL, PIXEL, WINDOWS])
    await owner.send('GET', short, undefined, { 'user-agent': agent });
  const linkPath = /action="(\/console\/links\/\d+)"/.exec(link.text)?.[1] ?? '';
  await eventually('the clicks are counted', async () => {
    const rows = readCsv((await owner.get(`${linkPath}?format=csv&table=clicks`)).text);
    return rows.at(-1)?.[1] === '4';
  });
  const webhook = await owner.post('/console/webhooks', {
    url: `${sandbox.url}/sandbox/inbox/estate`,
    events: ['payout.sent'],
  });
  const webhookPath = webhook.headers.get('location') ?? '';
  await owner.submit(`${webhookPath}/test`);
  await owner.submit('/console/payouts', { amount: '120', method: 'manual', destination: 'card', key: 'first' });
  const numberIn = (path: string): number => Number(/\d+$/.exec(path)?.[0]);
  return {
    owner,
    botId,
    orderId: mine.orderId,
    linkId: numberIn(linkPath),
    endpointId: numberIn(webhookPath),
  };
}

const PIXEL =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** Returns the paths of all pages of an owner. */
export const pagesOf = ({ botId, orderId, linkId, endpointId }: Estate): string[] => [
  '/console',
  '/console/bots',
  `/console/bots/${botId}`,
  `/console/bots/${botId}/explain?user_id=5`,
  `/console/bots/${botId}/new-token`,
  '/console/orders',
  `/console/orders/${orderId}`,
  `/console/orders/${orderId}/filters`,
  `/console/orders/${orderId}/cancel`,
  '/console/links',
  `/console/links/${linkId}`,
  '/console/payouts',
  '/console/cases',
  '/console/history',
  '/console/webhooks',
  `/console/webhooks/${endpointId}`,
  '/console/sessions',
];
