import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMutant } from './change.ts';
import { mutate } from './mutate.ts';

/** Returns the source with each of its mutants applied, in source order. */
const mutated = (source: string): string[] => mutate(source).map((mutant) => applyMutant(source, mutant));

test('comparisons, logic, arithmetic and constants are changed one at a time', () => {
  assert.deepEqual(mutated('const a = b < 72 && c !== d;'), [
    'const a = b <= 72 && c !== d;',
    'const a = b < 71 && c !== d;',
    'const a = b < 72 || c !== d;',
    'const a = b < 72 && c === d;',
  ]);
  assert.deepEqual(mutated('a += 0n * b;'), ['a -= 0n * b;', 'a += 1n * b;', 'a += 0n / b;']);
  assert.deepEqual(mutated("const a = 'text' + b;"), [], 'joining texts is no arithmetic');
});

test('a condition becomes always false, then always true, and its equality is not inverted in addition', () => {
  assert.deepEqual(mutated('if (a === b) c;'), ['if (false) c;', 'if (true) c;']);
  assert.deepEqual(mutated('const a = !b ? c : d;'), ['const a = false ? c : d;', 'const a = true ? c : d;']);
});

test('calls made for their effect are removed, but log calls, assertions and calls whose value is used stay', () => {
  assert.deepEqual(mutated('await guard(a);'), [';']);
  assert.deepEqual(mutated('this.log.warn(a); assert(c); const b = read({ 200: c });'), []);
});

test('strings that code reads are changed, and texts for people are not', () => {
  assert.deepEqual(mutated("const a = { kind: 'refused', title: 'Refused' };"), [
    "const a = { kind: 'mutant', title: 'Refused' };",
  ]);
  assert.deepEqual(mutated("function f() { return 'ok'; }"), ["function f() { return 'mutant'; }"]);
  assert.deepEqual(mutated("function f() { return 'A sentence.'; }"), []);
});

test('types do not change, and multi-byte characters do not shift offsets', () => {
  assert.deepEqual(mutated("const rate: { kind: 'a' } | 5 = '₽' as never; const b = 1;"), [
    "const rate: { kind: 'a' } | 5 = '₽' as never; const b = 2;",
  ]);
});

test('a term of a statement becomes always true, and its parameter stays in place', () => {
  const statements = mutated('q(`SELECT x FROM t WHERE a = $1 AND (b < $2 OR c) ORDER BY d DESC`);').slice(1);
  assert.deepEqual(statements, [
    'q(`SELECT x FROM t WHERE (a = $1 OR TRUE) AND (b < $2 OR c) ORDER BY d DESC`);',
    'q(`SELECT x FROM t WHERE a <> $1 AND (b < $2 OR c) ORDER BY d DESC`);',
    'q(`SELECT x FROM t WHERE a = $1 AND ((b < $2 OR c) OR TRUE) ORDER BY d DESC`);',
    'q(`SELECT x FROM t WHERE a = $1 AND (b <= $2 OR c) ORDER BY d DESC`);',
    'q(`SELECT x FROM t WHERE a = $1 AND (b < $2 AND c) ORDER BY d DESC`);',
    'q(`SELECT x FROM t WHERE a = $1 AND (b < $2 OR c) ORDER BY d ASC`);',
  ]);
});

test('assignments, BETWEEN, comments and string literals of a statement do not change', () => {
  const source = "q(`UPDATE t SET a = $1, b = b + 1 -- x = y\n WHERE c BETWEEN $2 AND $3 AND d = 'e AND f'`);";
  assert.deepEqual(
    mutate(source)
      .slice(1)
      .map(({ what }) => what),
    [
      'sql-arithmetic:  +  →  - ',
      'sql-term: c BETWEEN $2 AND $3 → (c BETWEEN $2 AND $3 OR TRUE)',
      "sql-term: d = 'e AND f' → (d = 'e AND f' OR TRUE)",
      'sql-comparison:  =  →  <> ',
    ],
  );
});
