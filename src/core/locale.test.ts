import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FORMATS, languageFor, readCount, readRubles } from './locale.ts';

/** Replaces the non-breaking spaces that Intl writes. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formats', () => {
  it('formats money, numbers and days by the rules of the language', () => {
    assert.equal(plain(FORMATS.ru.rubles(123_450n)), '1 234,50 ₽');
    assert.equal(FORMATS.en.rubles(123_450n), '₽1,234.50');
    assert.equal(plain(FORMATS.ru.percent(12.54)), '12,5 %');
    assert.equal(FORMATS.en.percent(12.54), '12.5%');
    assert.equal(FORMATS.ru.factor(120), '×1,2');
    assert.equal(FORMATS.en.day('2026-05-05'), '5 May');
  });

  it('shows times in the time zone of Moscow, like business days', () => {
    assert.match(FORMATS.ru.moment(new Date('2026-05-05T21:30:00Z')), /06\.05\.2026.*00:30/);
  });

  it('chooses the plural form for a number', () => {
    const forms = [1, 2, 5, 11, 21, 22].map((n) => FORMATS.ru.plural(n, 'бот', 'бота', 'ботов'));
    assert.deepEqual(forms, ['бот', 'бота', 'ботов', 'ботов', 'бот', 'бота']);
    assert.equal(FORMATS.en.plural(1, 'bot', 'bots', 'bots'), 'bot');
    assert.equal(FORMATS.en.plural(2, 'bot', 'bots', 'bots'), 'bots');
  });

  it('chooses Russian for languages of countries where Russian is commonly read', () => {
    for (const tag of ['ru', 'ru-RU', 'uk', 'be', 'KK', 'ky', 'uz', 'uz_Cyrl', 'tg', 'tk', 'hy', 'az', 'ka', 'mo']) {
      assert.equal(languageFor(tag), 'ru', tag);
    }
  });

  it('chooses English for every other language and for a missing tag', () => {
    for (const tag of ['en', 'de', 'ro', 'lv', 'zh-hans', 'rue', '', '*', undefined])
      assert.equal(languageFor(tag), 'en', tag);
  });

  it('uses the first entry of an Accept-Language header', () => {
    assert.equal(languageFor('uz-UZ,uz;q=0.9,en;q=0.8'), 'ru');
    assert.equal(languageFor('en-US,en;q=0.9,ru;q=0.8'), 'en');
  });
});

describe('typed amounts and numbers', () => {
  it('readRubles accepts commas, spaces and the currency sign, exact to the kopeck', () => {
    for (const [text, kopecks] of [
      ['1 000,50', 100_050n],
      ['1000.5 ₽', 100_050n],
      ['₽10', 1_000n],
      ['7 руб.', 700n],
      ['0,01', 1n],
      ['12р', 1_200n],
    ] as const) {
      assert.equal(readRubles(text), kopecks, text);
    }
  });

  it('readRubles returns undefined for text that is not an amount', () => {
    for (const text of ['', '-5', '1e3', '10.505', 'много', '1.000.000', '0x10', '１０', '99999999999']) {
      assert.equal(readRubles(text), undefined, text);
    }
  });

  it('readCount accepts only whole numbers within the bounds', () => {
    const bounds = { min: 1, max: 10_000 };
    assert.deepEqual(
      ['1', '10 000', '0', '10001', '1.5', '', 'x'].map((text) => readCount(text, bounds)),
      [1, 10_000, undefined, undefined, undefined, undefined, undefined],
    );
  });
});
