import type { Change } from './change.ts';

/** A change in the text of a statement. Offsets count from its opening quote. */
export interface SqlChange extends Change {
  readonly operator: 'sql-term' | 'sql-comparison' | 'sql-logic' | 'sql-null' | 'sql-arithmetic' | 'sql-order';
}

const IS_SQL = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE)\s/;

/** Matches the keywords that end a term at the same depth of parentheses. */
const TERM_END =
  /\b(?:AND|OR|WHERE|GROUP BY|ORDER BY|HAVING|RETURNING|LIMIT|FOR (?:NO KEY )?UPDATE|UNION|ON CONFLICT|WHEN|THEN|ELSE|END|(?:LEFT |CROSS |FULL )?JOIN|SET|DO)\b/;

const FLIPS: readonly (readonly [SqlChange['operator'], RegExp, (found: string) => string])[] = [
  ['sql-comparison', / (?:<=|>=|<>|<|>|=) /g, flipComparison],
  ['sql-logic', /\b(?:OR|NOT EXISTS|EXISTS|NOT IN)\b/g, flipLogic],
  ['sql-null', /\bIS (?:NOT )?NULL\b/g, (found) => (found.includes('NOT') ? 'IS NULL' : 'IS NOT NULL')],
  ['sql-arithmetic', / [+-] (?=[\w$(])/g, (found) => (found === ' + ' ? ' - ' : ' + ')],
  ['sql-arithmetic', /\b(?:greatest|least)(?=\()/g, (found) => (found === 'least' ? 'greatest' : 'least')],
  ['sql-order', /\bDESC\b/g, () => 'ASC'],
];

/** Returns the changes of an SQL text: terms that are always true, and inverted operators. */
export function mutateSql(text: string): SqlChange[] {
  if (!IS_SQL.test(text)) return [];
  const masked = mask(text);
  const changes = termsOf(masked).map(
    ([start, end]): SqlChange => ({
      operator: 'sql-term',
      start,
      end,
      // Not just TRUE: PostgreSQL rejects a parameter that no longer occurs.
      replacement: `(${text.slice(start, end)} OR TRUE)`,
    }),
  );
  for (const [operator, pattern, flip] of FLIPS) {
    for (const { 0: found, index } of masked.matchAll(pattern)) {
      if (found === ' = ' && isAssignment(masked, index)) continue;
      changes.push({ operator, start: index, end: index + found.length, replacement: flip(found) });
    }
  }
  return changes;
}

/** Replaces interpolations, string literals and comments by blanks. Offsets stay the same. */
function mask(text: string): string {
  const blank = (part: string): string => 'x'.repeat(part.length);
  return text
    .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, blank)
    .replaceAll(/(?<=.)'[^'\n]*'(?=.)/g, blank)
    .replaceAll(/--[^\n]*/g, (part) => ' '.repeat(part.length));
}

/** Returns the ranges of terms that AND joins. */
function termsOf(masked: string): [start: number, end: number][] {
  const terms: [number, number][] = [];
  for (const { 0: word, index } of masked.matchAll(/\b(?:WHERE|AND|ON)\s+/g)) {
    if (word.startsWith('AND') && isBetween(masked, index)) continue;
    const start = index + word.length;
    const end = endOfTerm(masked, start);
    // ON CONFLICT, ON DELETE and ON UPDATE start no condition.
    if (/^(?:CONFLICT|DELETE|UPDATE)\b/.test(masked.slice(start))) continue;
    const trimmed = start + masked.slice(start, end).trimEnd().length;
    const isTerm = /[=<>]|\bIS\b|\bIN\b|EXISTS|BETWEEN|\bNOT\b|LIKE|^\w+(?:\.\w+)?$/.test(masked.slice(start, trimmed));
    const isAlone = word.startsWith('ON') && !/\bAND\b/.test(masked.slice(trimmed, trimmed + 12));
    // A join without its only condition is a different statement, so this mutant would prove little.
    if (isTerm && !isAlone && trimmed > start) terms.push([start, trimmed]);
  }
  return terms;
}

function endOfTerm(masked: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < masked.length - 1; at++) {
    const character = masked[at];
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) return at;
    if (depth > 0) continue;
    if (character === ',' || character === ';') return at;
    if (/\s/.test(character as string) && new RegExp(`^\\s+${TERM_END.source}`).test(masked.slice(at, at + 40))) {
      if (/^\s+AND\b/.test(masked.slice(at, at + 10)) && isBetween(masked, at + 1, start)) continue;
      return at;
    }
  }
  return at;
}

/** Returns whether the AND at this offset belongs to a BETWEEN. */
function isBetween(masked: string, index: number, from = 0): boolean {
  const before = masked.slice(Math.max(from, index - 80), index);
  const between = before.lastIndexOf('BETWEEN');
  return between >= 0 && !/\bAND\b/.test(before.slice(between));
}

/** Returns whether the `=` at this offset assigns, as in `SET a = b`, rather than compares. */
function isAssignment(masked: string, index: number): boolean {
  const before = masked.slice(0, index);
  const opened = Math.max(...['SET ', 'UPDATE SET'].map((word) => before.lastIndexOf(word)));
  const condition = Math.max(
    ...['WHERE', ' ON ', 'HAVING', 'WHEN', 'FILTER', ' AND '].map((word) => before.lastIndexOf(word)),
  );
  return opened > condition;
}

function flipComparison(found: string): string {
  const flipped: Readonly<Record<string, string>> = {
    ' < ': ' <= ',
    ' <= ': ' < ',
    ' > ': ' >= ',
    ' >= ': ' > ',
    ' = ': ' <> ',
    ' <> ': ' = ',
  };
  return flipped[found] ?? found;
}

function flipLogic(found: string): string {
  const flipped: Readonly<Record<string, string>> = {
    OR: 'AND',
    EXISTS: 'NOT EXISTS',
    'NOT EXISTS': 'EXISTS',
    'NOT IN': 'IN',
  };
  return flipped[found] ?? found;
}
