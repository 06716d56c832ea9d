import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { cityName } from './cities.ts';
import { LANGUAGES } from './locale.ts';
import { countryName, languageName, listCountries, readCity, readCountry, readLanguage } from './place-names.ts';

describe('typed places and languages', () => {
  it('a country is read from its code and its name in both languages', () => {
    for (const text of ['ru', 'RU', 'Россия', 'россия ', 'Russia', 'РФ']) assert.equal(readCountry(text), 'RU', text);
    for (const text of ['us', 'США', 'usa', 'United States']) assert.equal(readCountry(text), 'US', text);
    assert.equal(readCountry('Казахстан'), 'KZ');
    assert.equal(readCountry('uk'), 'GB', 'a code that people use instead of the right one');
    assert.equal(readCountry('Мьянма (Бирма)'), 'MM', 'of a code and its predecessor the present one');
  });

  it('a text that names no country returns undefined', () => {
    for (const text of ['', 'xx', 'Нарния', 'rus sia', '12', 'r']) assert.equal(readCountry(text), undefined, text);
  });

  it('a language is read from its code and its name', () => {
    for (const text of ['ru', 'Русский', 'russian']) assert.equal(readLanguage(text), 'ru', text);
    assert.equal(readLanguage('PT_BR'), 'pt-br');
    assert.equal(readLanguage('uk'), 'uk');
    for (const text of ['', 'эльфийский', '12', 'r']) assert.equal(readLanguage(text), undefined, text);
  });

  it('a city is read from any of its names, and an unknown one is kept', () => {
    assert.equal(readCity('Saint Petersburg'), 'St Petersburg');
    for (const text of ['Москва', 'москва', 'Moscow']) assert.equal(readCity(text), 'Moscow', text);
    assert.equal(readCity('Кишинев'), 'Chisinau');
    assert.equal(readCity(' Ust-Ilimsk '), 'Ust-Ilimsk');
    for (const text of ['', '123', '<b>', '/start']) assert.equal(readCity(text), undefined, text);
  });

  it('names are shown in the language of the person', () => {
    assert.deepEqual([countryName('DE', 'ru'), countryName('DE', 'en')], ['Германия', 'Germany']);
    assert.deepEqual([languageName('en', 'ru'), languageName('en', 'en')], ['английский', 'English']);
    assert.deepEqual([cityName('Kazan', 'ru'), cityName('Kazan', 'en')], ['Казань', 'Kazan']);
  });
});

test('every listed country is read again from its name', () => {
  for (const language of LANGUAGES) {
    const countries = listCountries(language);
    assert.ok(countries.length > 230, String(countries.length));
    for (const { code, name } of countries) assert.equal(readCountry(name), code, name);
  }
});
