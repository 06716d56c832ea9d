import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TEXTS } from './index.ts';

/** Every text by its path: `common.skip`. */
function flatten(value: object, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, text] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof text === 'object' && text !== null)
      for (const [inner, one] of flatten(text, here)) found.set(inner, one);
    else found.set(here, text);
  }
  return found;
}

const russian = flatten(TEXTS.ru);
const english = flatten(TEXTS.en);

describe('the texts of the console', () => {
  it('have every key in both languages, and the same kind of text behind it', () => {
    assert.deepEqual([...english.keys()].sort(), [...russian.keys()].sort());
    for (const [key, text] of russian) assert.equal(typeof english.get(key), typeof text, key);
  });

  it('are translated: no English text has a Cyrillic letter in it', () => {
    for (const [key, text] of english) assert.doesNotMatch(String(text), /[а-яё]/i, key);
  });

  it('are said in words: no text is empty', () => {
    for (const [key, text] of [...russian, ...english]) {
      if (typeof text !== 'function') assert.notEqual(String(text).trim(), '', key);
    }
  });
});
