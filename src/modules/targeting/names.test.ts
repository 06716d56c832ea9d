import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSample, scoreGender, scoreRussian } from '../../../bench/names.ts';
import { type Gender, readName } from './names.ts';

const { tuned, heldOut } = readSample();

const genderOf = (name: string) => readName(name)?.gender;
const isRussian = (name: string) => readName(name)?.isRussianName;

function assertGenders(expected: Readonly<Record<string, Gender | undefined>>): void {
  for (const [name, gender] of Object.entries(expected)) assert.equal(genderOf(name), gender, name);
}

test('the sample is large enough, and no name is in both of its parts', () => {
  assert.ok(tuned.length >= 300, `${tuned.length} tuned`);
  assert.ok(heldOut.length >= 100, `${heldOut.length} held out`);
  const names = [...tuned, ...heldOut].map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

for (const [part, sample] of Object.entries({ tuned, 'held-out': heldOut })) {
  test(`gender of the ${part} names: at least 97% precision and 95% coverage`, () => {
    const { precision, coverage } = scoreGender(sample);
    assert.ok(precision >= 0.97, `precision ${precision}`);
    assert.ok(coverage >= 0.95, `coverage ${coverage}`);
  });

  test(`Russian origin of the ${part} names: at least 97% precision and 95% coverage`, () => {
    const { precision, coverage } = scoreRussian(sample);
    assert.ok(precision >= 0.97, `precision ${precision}`);
    assert.ok(coverage >= 0.95, `coverage ${coverage}`);
  });
}

test('exactly these tuned names are read wrongly', () => {
  const misread = tuned.filter(({ name, gender, russian }) => {
    const read = readName(name);
    return (read?.gender ?? null) !== gender || (read?.isRussianName ?? false) !== russian;
  });
  assert.deepEqual(
    misread.map(({ name }) => name),
    ['Соколовская', 'Роза ветров', 'محمد', 'გიორგი', 'Νίκος', 'Лада Калина', 'Мариан'],
  );
});

test('affectionate forms have the gender of their names', () => {
  assertGenders({
    Оленька: 'female',
    Олечка: 'female',
    Машенька: 'female',
    Машечка: 'female',
    Леночка: 'female',
    Лизонька: 'female',
    Димочка: 'male',
    Ванечка: 'male',
    // Used for both, like Саша and Женя.
    Сашенька: undefined,
    Женечка: undefined,
  });
  for (const name of ['Оленька', 'Леночка', 'Сашенька']) assert.equal(isRussian(name), true, name);
  for (const word of ['Ночка', 'Точка', 'Тенька', 'Дименька', 'Веренька', 'Машочка'])
    assert.equal(isRussian(word), false, word);
});

test('a name is found among the first four words', () => {
  assert.equal(isRussian('очень самая лучшая Марина'), true);
  assert.equal(isRussian('очень самая самая лучшая Марина'), false);
});

test('an invisible name is no name', () => {
  const unseen = [
    '',
    ' ',
    '\t\n',
    '\u200b\u200d',
    '\u3164',
    '\u2800\u2800',
    '\ufeff',
    '\u202e',
    '\ud800',
    '\ufe0f',
    '\u0301',
  ];
  for (const name of unseen) assert.equal(readName(name), undefined, JSON.stringify(name));
});

test('any visible text is a name, even without facts', () => {
  for (const name of ['🌸', '...', '42', '李明', '?']) {
    assert.deepEqual(readName(name), { hasCyrillic: false, isRussianName: false, gender: undefined }, name);
  }
});

test('Cyrillic letters of any language count, but ornaments and Latin lookalikes do not', () => {
  for (const name of ['Иван', 'Їжак', 'Әлия', 'xXЖXx', 'Ivan Иванов', '🌸я']) {
    assert.equal(readName(name)?.hasCyrillic, true, name);
  }
  for (const name of ['Ivan', 'A\u0489x\u0488', 'Cepa', '123', 'Νίκος', '🇷🇺']) {
    assert.equal(readName(name)?.hasCyrillic, false, name);
  }
});

test('short forms for both men and women are Russian and have no gender', () => {
  for (const name of ['Саша', 'Женя', 'Валя', 'Шура', 'Сашенька', 'Sasha', 'Zhenya']) {
    assert.deepEqual([genderOf(name), isRussian(name)], [undefined, true], name);
  }
});

test('a surname or a patronymic decides when the given name cannot', () => {
  assertGenders({
    'Саша Иванова': 'female',
    'Иванов Саша': 'male',
    'Женя Олеговна': 'female',
    'Женя Олегович': 'male',
    'Саша Коваленко': undefined,
    'Саша Магазин': undefined,
  });
});

test('men’s names in -а and -я are not read as women’s names', () => {
  for (const name of ['Никита', 'Илья', 'Лука', 'Фома', 'Кузьма', 'Савва', 'Лёша', 'Дима', 'Паша', 'Слава', 'Костя']) {
    assert.equal(genderOf(name), 'male', name);
  }
});

test('the genitive of a man’s name has no gender: it names another person', () => {
  assertGenders({ Андрея: undefined, Максима: undefined, 'Мама Андрея': 'female', 'Папа Даши': 'male' });
  assert.equal(isRussian('Мама Андрея'), false);
});

test('two people of different gender in one name have no gender', () => {
  assertGenders({ 'Катя и Дима': undefined, 'Марина❤️Сергей': undefined, 'Маша & Петя': undefined });
});

test('names that are also words count alone or next to a surname, not inside a phrase', () => {
  assertGenders({ Вера: 'female', 'Вера Белова': 'female', 'Вера П.': 'female', 'Вера | психолог': 'female' });
  for (const phrase of ['Вера в людей', 'Слава России', 'Любовь моя', 'Надежда есть', 'Лев мой']) {
    assert.deepEqual([genderOf(phrase), isRussian(phrase)], [undefined, false], phrase);
  }
});

test('words that resemble names or surnames yield no facts', () => {
  for (const word of [
    'Котик',
    'Мир',
    'Королева',
    'Корова',
    'Апельсин',
    'Машина',
    'Победа',
    'Ромашка',
    'Мишка',
    'July',
  ]) {
    assert.deepEqual([genderOf(word), isRussian(word)], [undefined, false], word);
  }
});

test('a name after the word for a business is not a person', () => {
  for (const name of ['Магазин Анна', 'Салон красоты Вера', 'Город Владимир', 'Не Маша']) {
    assert.deepEqual([genderOf(name), isRussian(name)], [undefined, false], name);
  }
});

test('names of other peoples show the gender and are not Russian', () => {
  const expected = {
    Айгуль: 'female',
    Нурлан: 'male',
    Анаит: 'female',
    Карен: 'male',
    Наиля: 'female',
    Андрій: 'male',
  };
  for (const [name, gender] of Object.entries(expected)) {
    assert.deepEqual([genderOf(name), isRussian(name)], [gender, false], name);
  }
});

test('a Latin spelling is Russian only if no other people uses it', () => {
  for (const name of ['Ivan', 'Dmitry', 'Dmitrii', 'Anastasiya', 'Masha', 'Kseniia'])
    assert.equal(isRussian(name), true, name);
  for (const name of ['Anna', 'Maria', 'Alexander', 'Max', 'Victoria', 'Roma', 'Sofa']) {
    assert.equal(isRussian(name), false, name);
  }
});

test('decoration, fonts, case, spacing and mixed alphabets change nothing', () => {
  const plain = readName('Анна');
  const disguised = [
    'АННА',
    '🌸Анна🌸',
    'А н н а',
    'Aннa',
    'А\u200bнна',
    'А\u0336нна',
    'Анннна',
    'Анна1999',
    '«Анна»',
    'ღАннаღ',
  ];
  for (const name of disguised) assert.deepEqual(readName(name), plain, name);
  assert.deepEqual(readName('𝓜𝓪𝓼𝓱𝓪'), readName('Masha'));
});

test('no text throws, and the same text always yields the same facts', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 200 }),
    fc
      .array(fc.constantFrom('Саша', 'и', '-', "'", '.', ' ', '🌸', '\ud83c', 'ё', 'İ', 'ﷺ', '|', 'ова', '&'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (name) => assert.deepEqual(readName(name), readName(name))),
    { numRuns: 300, seed: 20260101 },
  );
});

test('only the beginning of a very long text is read', () => {
  for (const filler of ['а', 'а-', "а'", 'а.', ' ', '\u0301', '🌸', '\ud800', 'ﷺ', '|']) {
    assert.deepEqual(readName(`Иван ${filler.repeat(100_000)}`)?.gender, 'male', JSON.stringify(filler));
  }
  assert.equal(readName(`${'слово '.repeat(100)}Анна`)?.gender, undefined);
});
