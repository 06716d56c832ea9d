import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sha256 } from '../../src/core/secrets.ts';
import { useService } from '../api/use-service.ts';
import { arrive, botIdOf, buttonsOf, dataOf, LANGUAGES, publisherWithBot, tokenIn } from '../bot/publisher-labels.ts';

const DAY_SECONDS = 24 * 60 * 60;

for (const labels of LANGUAGES) {
  describe(`the API token (${labels.language})`, () => {
    const service = useService();
    const status = async (token: string): Promise<number> =>
      (await service.sandbox.api(token, 'get-balance', {})).status;
    const fingerprint = (token: string): string => sha256(token).toString('hex').slice(0, 8);

    it('is shown once on the page of the bot, can be copied, and works', async () => {
      const { person, bot, botId } = await publisherWithBot(service.sandbox, labels);
      await person.say('/start');
      await person.go(labels.myBots, `@${bot.username}`, labels.apiToken);
      const once = await person.press(labels.create);
      const token = tokenIn(once);
      assert.ok(once.keyboard.flat().some(({ copy_text }) => (copy_text as { text?: string })?.text === token));
      assert.equal(await status(token), 200);
      const { bots } = await service.sandbox.control('GET', '/state');
      const shown = bots.find((one: { bot_id: number }) => one.bot_id === botId);
      assert.equal(shown.api_token, token, 'the page of the sandbox knows the first token');

      const after = await person.press(labels.saved);
      assert.ok(!after.text.includes(token) && after.text.includes(fingerprint(token)), after.text);
      assert.ok((await person.messages()).every(({ text }) => !text.includes(token)));
    });

    it('is in no log, stored dialogue or idempotency key', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      const kept = await service.database.db.query<{ text: string }>(
        'SELECT d::text AS text FROM bot_dialogues d UNION ALL SELECT k::text FROM idempotency_keys k',
      );
      assert.ok(kept.length > 0 && kept.every(({ text }) => !text.includes(token)));
      assert.ok(!service.logs().includes(token));
    });

    it('is replaced after a confirmation; the old one works until the chosen time ends', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const old = tokenIn(await person.go(labels.apiToken, labels.create));
      await person.go(labels.saved, labels.renew, labels.cancel);
      assert.equal(await status(old), 200, 'asking changes nothing');
      const renewed = tokenIn(await person.go(labels.renew, labels.inADay));
      assert.notEqual(renewed, old);
      assert.deepEqual([await status(old), await status(renewed)], [200, 200]);
      const list = await person.press(labels.saved);
      assert.ok(list.text.includes(fingerprint(old)) && list.text.includes(fingerprint(renewed)), list.text);
      await service.sandbox.advance(DAY_SECONDS);
      assert.deepEqual([await status(old), await status(renewed)], [401, 200]);

      const last = tokenIn(await person.go(labels.renew, labels.atOnce));
      assert.deepEqual([await status(renewed), await status(last)], [401, 200]);
    });

    it('is issued once when the press is repeated', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      const create = dataOf(await person.press(labels.apiToken), labels.create);
      const first = tokenIn(await person.forge(create));
      const again = await person.forge(create);
      assert.ok(again.text.startsWith('☝️') && !/at_[\w-]{43}/.test(again.text), again.text);
      assert.equal(await status(first), 200);

      const renew = dataOf(await person.press(labels.renew), labels.atOnce);
      const second = tokenIn(await person.forge(renew));
      await person.forge(renew);
      assert.deepEqual([await status(first), await status(second)], [401, 200]);
      const tokens = await service.database.db.query('SELECT 1 FROM api_tokens WHERE bot_id = $1', [botId]);
      assert.equal(tokens.length, 2);
    });

    it('of another account cannot be created, seen or ended with forged buttons', async () => {
      const { person: owner, bot } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await owner.go(labels.apiToken, labels.create));
      const botId = await botIdOf(service.sandbox, bot.username);
      const thief = await arrive(service.sandbox, labels);
      await thief.press(labels.myBots);
      const forged = [
        `bot:${botId}`,
        `botKeys:${botId}`,
        `botKeyAsk:${botId}`,
        `botKeyNew:${botId}:0:AAAAAAAA`,
        `botCode:${botId}:curl`,
        `botOff:${botId}`,
        `botSwitch:${botId}:0`,
        `botSet:${botId}`,
        `botMaxSet:${botId}:50`,
        `botRoundSet:${botId}:5`,
        `botProfSet:${botId}:1`,
        `botTypeSet:${botId}:bot:1`,
        `botGate:${botId}`,
        `botGateAsk:${botId}`,
        `botGateDel:${botId}`,
        `botGateGone:${botId}`,
        `botHidden:${botId}`,
        `botUnhide:${botId}:1`,
        `botStat:${botId}:7`,
        `botWhy:${botId}`,
      ];
      for (const data of forged) {
        const menu = await thief.forge(data);
        assert.ok(!menu.text.includes(bot.username), `${data} → ${menu.text}`);
        assert.equal((await thief.notice())?.show_alert, true, data);
        assert.equal(await thief.isWaiting(), false, data);
      }
      assert.equal(await status(token), 200);
      const rows = await service.database.db.query(
        'SELECT max_sponsors, round_seconds, collects_profiles, is_active FROM bots WHERE id = $1',
        [botId],
      );
      assert.deepEqual(rows, [{ max_sponsors: 5, round_seconds: 86_400, collects_profiles: false, is_active: true }]);
    });

    it('screens answer forged buttons with the menu or an alert and leave no spinner', async () => {
      const { person, botId } = await publisherWithBot(service.sandbox, labels);
      const forged = [
        'bot',
        'bot:0',
        'bot:-1',
        'bot:1e3',
        `botKeyNew:${botId}`,
        `botKeyNew:${botId}:2:AAAAAAAA`,
        `botKeyNew:${botId}:0:short`,
        `botStat:${botId}:8`,
        `botCode:${botId}:php`,
        `botSwitch:${botId}:2`,
        `botTypeSet:${botId}:group:1`,
        `botMaxSet:${botId}:x`,
      ];
      for (const data of forged) {
        const menu = await person.forge(data);
        assert.ok(
          buttonsOf(menu).some((label) => label.includes(labels.myBots)),
          `${data} → ${menu.text}`,
        );
        assert.equal(await person.isWaiting(), false, data);
      }
      for (const data of [`botMaxSet:${botId}:51`, `botRoundSet:${botId}:4`, `botRoundSet:${botId}:4321`]) {
        await person.forge(data);
        assert.equal((await person.notice())?.show_alert, true, data);
      }
    });

    it('is refused with 401 while the bot is switched off, and works again when it is on', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const token = tokenIn(await person.go(labels.apiToken, labels.create));
      await person.go(labels.saved, labels.back, labels.switchOff, labels.no);
      assert.equal(await status(token), 200, 'asking changes nothing');
      const off = await person.go(labels.switchOff, labels.yes);
      assert.match(off.text, /🔴.*401/);
      assert.equal(await status(token), 401);
      const on = await person.press(labels.switchOn);
      assert.match(on.text, /🟢/);
      assert.equal(await status(token), 200);
    });
  });
}
