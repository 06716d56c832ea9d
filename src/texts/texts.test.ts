import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SHARED_TEXTS } from './index.ts';

/** Returns every text by its path, such as `orders.statuses.active`. */
function flatten(value: object, path = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, text]) => {
      const here = path === '' ? key : `${path}.${key}`;
      return typeof text === 'object' && text !== null ? [...flatten(text, here)] : [[here, text] as const];
    }),
  );
}

const russian = flatten(SHARED_TEXTS.ru);
const english = flatten(SHARED_TEXTS.en);

describe('texts shared by bot and console', () => {
  it('have the same keys and kinds of text in both languages', () => {
    assert.deepEqual([...english.keys()].sort(), [...russian.keys()].sort());
    for (const [key, text] of russian) assert.equal(typeof english.get(key), typeof text, key);
  });

  it('contain no Cyrillic letter in English and no empty text', () => {
    for (const [key, text] of english) assert.doesNotMatch(String(text), /[а-яё]/i, key);
    for (const [key, text] of [...russian, ...english]) assert.notEqual(String(text).trim(), '', key);
  });
});
