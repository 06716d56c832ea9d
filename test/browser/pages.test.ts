import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';
import { PHONE, useBrowser } from './browser.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ SUPPORT_CONTACT: '@gate_help' });
});
after(() => service.stop());
const browser = useBrowser();

const SCREENS = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, PHONE];

for (const language of ['ru', 'en'] as const) {
  it(`pages outside the console fit three widths, are accessible and load nothing, in ${language}`, async () => {
    const { token } = await service.sandbox.publisher({ username: `a_long_name_for_reports_${language}_bot` });
    const paths = [
      '/l/Nowhere1',
      '/no/such/page',
      '/statistic?api_token=at_wrong',
      `/statistic?api_token=${token}&output_format=html`,
      `/statistic?api_token=${token}&output_format=html&action=allads`,
      ...(language === 'en' ? ['/docs'] : []), // the reference is in English, like the API
      '/app',
      '/privacy',
      '/console/enter?code=used',
    ];
    for (const [index, viewport] of SCREENS.entries()) {
      const colorScheme = index % 2 === 0 ? 'light' : 'dark';
      const opened = await browser.open({ viewport, locale: language, colorScheme });
      const { page } = opened;
      const foreign: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(service.url)) foreign.push(request.url());
      });
      for (const path of paths) {
        await page.goto(`${service.url}${path}`);
        const heading = path === '/app' ? page.locator('#status') : page.getByRole('heading', { level: 1 });
        const box = await heading.boundingBox();
        assert.ok(box !== null && box.y >= 0 && box.y + box.height <= viewport.height, `${path}: heading in view`);
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(width <= viewport.width, `${path} is ${width} wide at ${viewport.width}`);
        // One width is enough for the folded parts: the reference has dozens, and axe needs a minute for them.
        if (viewport === PHONE) {
          await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
        }
        await opened.assertAccessible();
        const shown = String(await page.evaluate('document.documentElement.lang'));
        assert.equal(shown, language, path);
      }
      assert.deepEqual(foreign, []);
      await opened.close();
    }
  });
}

it('a report inserted into a foreign dark page takes its colours and changes nothing else', async () => {
  const { token } = await service.sandbox.publisher();
  const report = await (await fetch(`${service.url}/statistic?api_token=${token}&output_format=html`)).text();
  const opened = await browser.open();
  const { page } = opened;
  await page.setContent(
    '<body style="margin: 24px; color: rgb(230, 230, 230); background: rgb(20, 20, 20)"><p id="own">Panel</p><div id="place"></div></body>',
  );
  await page.evaluate(`document.getElementById('place').innerHTML = ${JSON.stringify(report)}`);
  const seen = await page.evaluate(`({
    margin: getComputedStyle(document.body).marginTop,
    cell: getComputedStyle(document.querySelector('#place td')).color,
    own: getComputedStyle(document.getElementById('own')).fontSize,
  })`);
  assert.deepEqual(seen, { margin: '24px', cell: 'rgb(230, 230, 230)', own: '16px' });
  await opened.close();
});
