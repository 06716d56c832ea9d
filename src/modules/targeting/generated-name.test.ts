import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { looksGenerated } from './generated-name.ts';

const isGenerated = (firstName: string | null | undefined, username?: string | null): boolean =>
  looksGenerated({ firstName, username });

const PEOPLE: readonly (readonly [firstName: string, username?: string])[] = [
  ['Анна', 'anna_psychologist'],
  ['Иван', 'ivan1985'],
  ['Мария', 'maria12041985'],
  ['Oleg', 'oleg19850412'],
  ['Мкртчян', 'mkrtchyan'],
  ['Krzysztof', 'krzysztof_w'],
  ['Щербак'],
  ['Schwartzschild'],
  ['John', 'John_Smith_2024'],
  ['Ivan', 'r2d2'],
  ['山田太郎', 'taro_yamada'],
  ['محمد', 'mohammed777'],
  ['🌸', 'flower'],
  ['A'],
  [''],
  ['Kostya 🚀', 'k0stya'],
  ['Аня 89', 'anya89'],
];

test('the names of people are not generated', () => {
  for (const [firstName, username] of PEOPLE) assert.equal(isGenerated(firstName, username), false, firstName);
});

const GENERATED: readonly (readonly [firstName: string, username?: string])[] = [
  ['Anna', 'k3j9x2q7'],
  ['Anna', 'user583920'],
  ['id839201744'],
  ['839201744'],
  ['Anna', 'qwrtpsdfgh'],
  ['xkcdqwrtzp'],
  ['Иван', 'tg_a1b2c3d4'],
  ['ждщкрнтвс'],
];

test('random letters, alternating digits and bare numbers are generated', () => {
  for (const [firstName, username] of GENERATED) assert.equal(isGenerated(firstName, username), true, firstName);
});

test('an absent name says nothing', () => {
  for (const nothing of [null, undefined]) assert.equal(isGenerated(nothing, nothing), false);
});

test('a flag is returned for every text, however long or broken', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.string(), (firstName, username) => {
      assert.equal(typeof isGenerated(firstName, username), 'boolean');
    }),
  );
});
