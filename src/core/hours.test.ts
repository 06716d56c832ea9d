import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeHours, readHours } from './hours.ts';

const span = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('hours of the day', () => {
  it('are read in common notations, with an exclusive end', () => {
    for (const text of ['9-21', ' 9 – 21 ', 'с 9 до 21', '9:00-21:00', 'from 9 to 21', '9 — 21 МСК']) {
      assert.deepEqual(readHours(text), span(9, 21), text);
    }
    assert.deepEqual(readHours('9-13, 18-22'), [...span(9, 13), ...span(18, 22)]);
  });

  it('may cross midnight', () => {
    assert.deepEqual(readHours('22-6'), [...span(0, 6), 22, 23]);
    assert.deepEqual(readHours('22-24'), [22, 23]);
  });

  it('that cover the whole day are no restriction', () => {
    assert.equal(readHours('0-24'), null);
    assert.equal(readHours('6-18, 18-6'), null);
  });

  it('that are invalid return undefined', () => {
    for (const text of ['', 'утром', '9', '9-9', '25-3', '9-25', '9:30-21:00', '9-21-23', '9-21,']) {
      assert.equal(readHours(text), undefined, text);
    }
  });

  it('are described in as few ranges as possible', () => {
    assert.equal(describeHours(span(9, 21)), '9:00–21:00');
    assert.equal(describeHours([22, 23, 0, 1]), '22:00–2:00');
    assert.equal(describeHours([...span(9, 13), 23]), '9:00–13:00, 23:00–24:00');
    assert.equal(describeHours(span(0, 24)), '0:00–24:00');
  });

  it('are the same after describing and reading them', () => {
    for (const hours of [span(0, 5), span(9, 21), [0, 1, 22, 23], [3, 7, 11]]) {
      assert.deepEqual(readHours(describeHours(hours)), hours);
    }
  });
});
