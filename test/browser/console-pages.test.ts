import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DESKTOP, PHONE } from './browser.ts';
import { pagesOf, useConsole } from './console-service.ts';

const world = useConsole();

for (const { name, language, options } of [
  { name: 'a desktop in daylight, English', language: 'en', options: { viewport: DESKTOP, colorScheme: 'light' } },
  {
    name: 'a phone at night, Russian',
    language: 'ru',
    options: { viewport: PHONE, colorScheme: 'dark', hasTouch: true, isMobile: true },
  },
] as const) {
  it(`every page on ${name} is accessible, fits the screen and logs no errors`, async () => {
    const opened = await world.open(options);
    const { page } = opened;
    await opened.assertAccessible();
    await world.estate.owner.get('/console');
    await world.estate.owner.submit('/console/language', { language, back: '/console' });
    for (const path of pagesOf(world.estate)) {
      await opened.visit(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(width) <= options.viewport.width, `${path} is ${width} wide`);
      // Folded parts are checked too.
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      await opened.assertAccessible();
    }
    opened.assertQuiet();
    await opened.close();
  });
}

it('buttons and links on a phone are large enough for a finger', async () => {
  const opened = await world.open({ viewport: PHONE, hasTouch: true, isMobile: true });
  for (const path of ['/console', `/console/orders/${world.estate.orderId}`, '/console/webhooks']) {
    await opened.visit(path);
    for (const button of await opened.page.locator('button:visible, .button:visible, summary:visible').all()) {
      const box = await button.boundingBox();
      assert.ok(box !== null && box.height >= 43.5, `${path}: ${await button.innerText()} is ${box?.height} high`);
    }
  }
  await opened.close();
});

it('the pages before signing in are accessible', async () => {
  const opened = await world.open();
  const { page } = opened;
  const link = await world.estate.owner.link();
  await page.context().clearCookies();
  await page.goto(link);
  await opened.assertAccessible();
  opened.assertQuiet();
  await page.goto(`${world.sandbox.url}/console`);
  await opened.assertAccessible();
  await page.goto(`${world.sandbox.url}/console/enter?code=used`);
  await opened.assertAccessible();
  await opened.close();
});
