import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Html } from '../../../core/html.ts';
import { TEXTS } from './index.ts';

/** Every text by its path: `home.greeting`. */
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
  it('have every key in both languages, and the same kind of text behind it', () => {
    assert.deepEqual([...english.keys()].sort(), [...russian.keys()].sort());
    for (const [key, text] of russian) assert.equal(typeof english.get(key), typeof text, key);
  });

  it('are translated: no English text has a Cyrillic letter in it, but for the names of languages', () => {
    for (const [key, text] of english) {
      const source = typeof text === 'function' ? text.toString() : String(text);
      assert.doesNotMatch(source, /[а-яё]/i, key);
    }
  });

  it('are said in words: no text is empty', () => {
    for (const [key, text] of [...russian, ...english]) {
      if (typeof text !== 'function') assert.notEqual(String(text).trim(), '', key);
    }
  });
});
