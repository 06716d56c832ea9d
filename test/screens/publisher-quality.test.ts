import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { LANGUAGES, publisherWithBot } from '../bot/publisher-labels.ts';
import { plain } from '../support/person.ts';
import { setQuality } from '../support/quality.ts';

const WORDS = {
  ru: [
    /Качество источника: 35 из 100, низкое/,
    /не меньше 168 ч/,
    /9 из 10 пользователей подозрительны \(90 %, обычно 5 %\)/,
    /Что её повысит[\s\S]*Не покупайте/,
  ],
  en: [
    /Quality of the source: 35 of 100, low/,
    /at least 168 h/,
    /9 of 10 users are suspicious \(90 %; usual: 5 %\)/,
    /What would raise it[\s\S]*Do not buy/,
  ],
};

for (const labels of LANGUAGES) {
  describe(`the quality of a bot (${labels.language})`, () => {
    const service = useService();

    it('is on its page with reasons and advice, and a new bot shows nothing about it', async () => {
      const { person } = await publisherWithBot(service.sandbox, labels);
      const before = plain((await person.go(labels.settings, labels.back)).text);
      const [row] = await service.database.db.query<{ id: bigint }>('SELECT max(id) AS id FROM bots');
      const reason = { code: 'suspicious_users', points: 65, figures: { suspicious: 9, users: 10, market: 5 } };
      await setQuality(service, Number(row?.id), { level: 'low', score: 35, reasons: [reason] });
      const page = plain((await person.go(labels.settings, labels.back)).text);
      for (const expected of WORDS[labels.language === 'ru' ? 'ru' : 'en']) {
        assert.match(page, expected);
        assert.doesNotMatch(before, expected);
      }
    });
  });
}
