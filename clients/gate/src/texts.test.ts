import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertText, TEXTS, textsFor } from './texts.ts';

test('Russian and unknown languages get Russian texts, Ukrainian its own, and all others English ones', () => {
  for (const code of ['ru', 'ru-RU', undefined]) assert.deepEqual(textsFor(code), TEXTS.ru, code);
  for (const code of ['uk', 'uk-UA', 'UK']) assert.deepEqual(textsFor(code), TEXTS.uk, code);
  for (const code of ['en', 'en-GB', 'de', 'run', '']) assert.deepEqual(textsFor(code), TEXTS.en, code);
});

test('custom texts replace the default ones one by one, for all languages or by language', () => {
  assert.deepEqual(textsFor('en', { passed: 'Enjoy!' }), { ...TEXTS.en, passed: 'Enjoy!' });
  const byLanguage = (code: string | undefined) => (code === 'de' ? { passed: 'Danke!' } : {});
  assert.equal(textsFor('de', byLanguage).passed, 'Danke!');
  assert.equal(textsFor('ru', byLanguage).passed, TEXTS.ru.passed);
});

test("an alert stays within Telegram's limit and ends between titles", () => {
  const titles = Array.from({ length: 50 }, (_, i) => `Channel number ${i}`);
  const text = alertText('Missing:', titles);
  assert.ok(text.length <= 200, `${text.length}`);
  assert.match(text, /^Missing:\n• Channel number 0\n.*\n• Channel number \d+\n…$/s);
  assert.equal(alertText('x'.repeat(500), ['a']).length, 200);
  assert.equal(alertText('Missing:', ['One']), 'Missing:\n• One');
});
