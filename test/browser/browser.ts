import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The paths of Chromium in Debian and in other distributions. */
const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const ARGS = [
  '--no-sandbox', // root cannot start Chromium otherwise, and it loads only our own pages
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** A page that records the errors of its scripts and of its content security policy. */
export interface WatchedPage {
  readonly page: Page;
  /** The compressed bytes received so far. */
  transferred(): Promise<number>;
  /** Fails when the page logged an error, threw, or violated its content security policy. */
  assertQuiet(): void;
  /** Fails when axe-core finds serious or critical problems in the page. */
  assertAccessible(): Promise<void>;
  close(): Promise<void>;
}

/** One browser for the tests of a file. */
export function useBrowser(): { open(options?: BrowserContextOptions): Promise<WatchedPage> } {
  let browser: Browser | undefined;
  before(async () => {
    const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
    assert.ok(executablePath, 'no Chromium found: install it (apt-get install chromium) or set CHROMIUM_PATH');
    browser = await chromium.launch({ executablePath, args: ARGS });
  });
  after(() => browser?.close());
  return {
    async open(options = {}) {
      assert.ok(browser, 'the browser is there only while a test runs');
      const context = await browser.newContext({
        viewport: DESKTOP,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(300_000); // ends a hang, like the limit of `eventually`
      return watch(await context.newPage());
    },
  };
}

async function watch(page: Page): Promise<WatchedPage> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const counter = await countTransferred(page);
  return {
    page,
    transferred: counter,
    assertQuiet: () => assert.deepEqual(complaints, []),
    assertAccessible: () => assertAccessible(page),
    close: () => page.context().close(),
  };
}

async function countTransferred(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return async () => bytes;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function assertAccessible(page: Page): Promise<void> {
  // axe runs in an isolated world, because the page's policy refuses foreign scripts.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  await session.send('Runtime.evaluate', { contextId, expression: AXE });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId,
    expression: 'axe.run(document, { resultTypes: ["violations"] })',
    awaitPromise: true,
    returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined, exceptionDetails?.text);
  await session.detach();
  const { violations } = result.value as AxeResult;
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => node.html).join('\n  ')}`);
  assert.deepEqual(told, []);
}
