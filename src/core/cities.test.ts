import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityKey, cityName, knownCity, storedCities } from './cities.ts';
import { CITY_NAMES } from './city-names.ts';

test('names of one city in several languages have one key', () => {
  for (const names of [
    ['Москва', 'Moscow', 'moskva', ' МОСКВА ', 'г. Москва', 'Мәскеу'],
    ['St Petersburg', 'Saint Petersburg', 'St. Petersburg', 'Санкт-Петербург', 'Sankt-Peterburg', 'СПб'],
    ['Орёл', 'Орел', 'Oryol', 'Orel'],
    ['Fergana', 'Фергана', 'Farg‘ona', "Farg'ona", 'Фарғона'],
    ['Chişinău', 'Chisinau', 'Кишинёв', 'Кишинев'],
    ['Kyiv', 'Kiev', 'Київ', 'Киев'],
    ['Երևան', 'Yerevan', 'Ереван'],
  ]) {
    assert.equal(new Set(names.map(cityKey)).size, 1, names.join(', '));
  }
});

test('different cities have different keys, including cities that are not in the table', () => {
  const keys = ['Moscow', 'Kazan', 'Minsk', 'Кукуево', 'Нью-Васюки'].map(cityKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(cityKey('нью васюки'), cityKey('Нью-Васюки'));
  for (const nothing of ['', ' ', '—', '...']) assert.equal(cityKey(nothing), '');
});

test('every line of the table is one city with a Russian name, and no two cities share a name', () => {
  const lines = CITY_NAMES.trim().split('\n');
  assert.ok(lines.length >= 300, String(lines.length));
  for (const line of lines) {
    const names = line.split('|');
    assert.match(names[1] ?? '', /^[А-ЯЁ]/, line);
    for (const name of names) assert.equal(cityKey(name), cityKey(names[0] ?? ''), `${name} in ${line}`);
  }
});

test('a city is stored once, under one name, and shown in the requested language', () => {
  assert.deepEqual(storedCities(['Москва', 'moscow', ' Кукуево', 'Казань']), ['Moscow', 'Кукуево', 'Kazan']);
  assert.deepEqual(
    [cityName('Moscow', 'ru'), cityName('Москва', 'en'), cityName('Кукуево', 'en')],
    ['Москва', 'Moscow', 'Кукуево'],
  );
  assert.equal(knownCity('питер'), 'St Petersburg');
  assert.equal(knownCity('Кукуево'), undefined);
});
