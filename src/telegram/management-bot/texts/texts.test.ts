import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Html } from '../../../core/html.ts';
import { TEXTS } from './index.ts';

/** Returns every text by its path, such as `home.greeting`. */
function flatten(value: object, path = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, text] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof text === 'object' && text !== null && !(text instanceof Html)) {
      for (const [inner, one] of flatten(text, here)) found.set(inner, one);
    } else {
      found.set(here, text);
    }
  }
  return found;
}

const russian = flatten(TEXTS.ru);
const english = flatten(TEXTS.en);

describe('the texts of the bot', () => {
  it('have the same keys and kinds of text in both languages', () => {
    assert.deepEqual([...english.keys()].sort(), [...russian.keys()].sort());
    for (const [key, text] of russian) assert.equal(typeof english.get(key), typeof text, key);
  });

  it('contain no Cyrillic letter in English', () => {
    for (const [key, text] of english) {
      const source = typeof text === 'function' ? text.toString() : String(text);
      assert.doesNotMatch(source, /[а-яё]/i, key);
    }
  });

  it('are never empty', () => {
    for (const [key, text] of [...russian, ...english]) {
      if (typeof text !== 'function') assert.notEqual(String(text).trim(), '', key);
    }
  });
});
