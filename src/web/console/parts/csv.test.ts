import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from './csv.ts';

const rowsOf = (csv: string): string[] => csv.replace('\ufeff', '').split('\r\n').slice(1, -1);
const cellOf = (value: Parameters<typeof toCsv>[1][number][number]): string => rowsOf(toCsv(['a'], [[value]]))[0] ?? '';

test('a file begins with the byte order mark and ends every line with CRLF', () => {
  assert.equal(toCsv(['Имя', 'b'], [['x', 1]]), '\ufeffИмя,b\r\nx,1\r\n');
});

test('a text that a spreadsheet would run as a formula gets an apostrophe', () => {
  for (const text of ['=1+1', '+7', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://evil.example","x")']) {
    assert.match(cellOf(text), /^"'/, text);
  }
  assert.equal(cellOf('plain'), 'plain');
});

test('negative numbers stay numbers, and money has two decimals', () => {
  assert.deepEqual(
    [cellOf(-3), cellOf(1.5), cellOf(-1_05n), cellOf(123_40n), cellOf(-7n)],
    ['-3', '1.5', '-1.05', '123.40', '-0.07'],
  );
});

test('commas, quotes and line breaks do not end a cell', () => {
  assert.equal(cellOf('a,"b"'), '"a,""b"""');
  assert.equal(toCsv(['a'], [['x\r\ny']]), '\ufeffa\r\n"x\r\ny"\r\n');
});

test('times are Moscow times on every machine, and null is an empty cell', () => {
  assert.equal(cellOf(new Date('2026-05-04T22:30:00Z')), '2026-05-05 01:30:00');
  assert.equal(cellOf(null), '');
});
