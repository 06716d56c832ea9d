import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { useService } from '../api/use-service.ts';
import type { SeenMessage } from '../support/person.ts';
import { journeyLanguages } from './journey-languages.ts';
import { buttonsOf, LANGUAGES, publisherWithBot, tokenIn } from './publisher-labels.ts';

const run = promisify(execFile);

for (const labels of journeyLanguages(LANGUAGES)) {
  describe(`integration snippets (${labels.language})`, () => {
    const service = useService();

    /** Returns the content of the message's code block. */
    const codeIn = ({ text }: SeenMessage): string => {
      const found = /\n\n((?:curl|const call|import json)[\s\S]*?)\n\n[^\n]*\n[^\n]*$/.exec(text)?.[1];
      assert.ok(found, text);
      return found;
    };

    it('contain the address of this service, and a placeholder when no token is on the screen', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      for (const [tab, part] of [
        ['curl', 'curl '],
        ['TypeScript', 'await fetch('],
        ['Python', 'urllib.request'],
      ] as const) {
        const menu = tab === 'curl' ? await person.press(labels.integration) : await person.press(tab);
        const code = codeIn(menu);
        assert.ok(code.includes(part) && code.includes(`${service.url}/api/v1/`), code);
        assert.ok(code.includes('<API_KEY>'), code);
        assert.ok(buttonsOf(menu).includes(`• ${tab} •`));
      }
    });

    it('contain a new token on every tab until the person leaves the screen', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      assert.equal(tokenIn(await person.press(labels.integration)), token);
      assert.equal(tokenIn(await person.press('Python')), token);
      assert.equal(tokenIn(await person.press('TypeScript')), token);
      await person.press(labels.back);
      assert.ok(codeIn(await person.press(labels.integration)).includes('<API_KEY>'));
      assert.ok((await person.messages()).every(({ text }) => !text.includes(token)));
    });

    it('in TypeScript run unchanged against this service', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      await person.go(labels.apiToken, labels.create, labels.integration);
      const code = codeIn(await person.press('TypeScript'));
      const { orderId } = await service.sandbox.advertise();
      const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-snippet-'));
      try {
        const file = join(folder, 'snippet.mts');
        await writeFile(file, code);
        const { stdout } = await run(process.execPath, [file], { timeout: 30_000 });
        assert.match(stdout, new RegExp(`^warning[\\s\\S]*ads_id: ${orderId},[\\s\\S]*false\\n$`));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
