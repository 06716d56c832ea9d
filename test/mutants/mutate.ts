import { stripTypeScriptTypes } from 'node:module';
import { parseSync } from '@swc/core';
import type { Change } from './change.ts';
import { mutateSql } from './mutate-sql.ts';
import { childrenOf, type Node, offsetsOf } from './syntax-tree.ts';

/** One small change of a source file that some test should notice. */
export interface Mutant extends Change {
  /** The operator, the old text and the new text. Not unique in a file. */
  readonly what: string;
  readonly operator: string;
  readonly line: number;
}

const FLIPPED: Readonly<Record<string, readonly [operator: string, replacement: string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
};

/** Properties whose text affects decisions. Every other text is for people or for PostgreSQL. */
const CODE_KEYS = new Set(['kind', 'code', 'status', 'state', 'reason', 'type', 'creditStatus', 'credit_status']);

/** Returns every mutant of a TypeScript source, in source order. */
export function mutate(source: string): Mutant[] {
  const code = stripTypeScriptTypes(source);
  if (code.length !== source.length) throw new Error('taking the types out moved the code');
  const mutants: Mutant[] = [];
  const decided = new Set<Node>();
  const toOffset = offsetsOf(code);

  const add = (operator: string, start: number, end: number, replacement: string): void => {
    if (source.slice(start, end) === replacement) return;
    const line = source.slice(0, start).split('\n').length;
    const was = source.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 60);
    const becomes = replacement.replaceAll(/\s+/g, ' ').slice(0, 60);
    mutants.push({ what: `${operator}: ${was} → ${becomes}`, operator, start, end, replacement, line });
  };
  const placeOf = ({ span }: Node): [start: number, end: number] =>
    span === undefined ? [0, 0] : [toOffset(span.start), toOffset(span.end)];

  function visit(node: Node): void {
    const [start, end] = placeOf(node);
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return;
      case 'BinaryExpression':
        mutateOperator(node);
        break;
      case 'AssignmentExpression':
        if (node.operator === '+=' || node.operator === '-=') {
          const at = code.indexOf(node.operator, placeOf(node.left as Node)[1]);
          add('arithmetic', at, at + 2, node.operator === '+=' ? '-=' : '+=');
        }
        break;
      case 'NumericLiteral':
      case 'BigIntLiteral':
        mutateNumber(start, end);
        break;
      case 'BooleanLiteral':
        add('boolean', start, end, node.value === true ? 'false' : 'true');
        break;
      case 'UnaryExpression':
        if (node.operator === '!' && !decided.has(node)) add('negation', start, start + 1, '');
        break;
      case 'IfStatement':
        mutateCondition(node.test as Node);
        break;
      case 'ConditionalExpression':
        mutateCondition(node.test as Node);
        break;
      case 'ExpressionStatement':
        mutateStatement(node.expression as Node, start, end);
        break;
      case 'ReturnStatement':
        mutateCode(node.argument as Node | null);
        break;
      case 'KeyValueProperty':
        if (CODE_KEYS.has((node.key as Node).value as string)) mutateCode(node.value as Node);
        break;
      case 'TemplateLiteral':
      case 'StringLiteral':
        for (const change of mutateSql(code.slice(start, end)))
          add(change.operator, start + change.start, start + change.end, change.replacement);
        break;
      default:
        break;
    }
    for (const child of childrenOf(node)) visit(child);
  }

  function mutateOperator(node: Node): void {
    const { operator, left, right } = node;
    const flipped = FLIPPED[operator as string];
    if (flipped === undefined || (decided.has(node) && /^[!=]==$/.test(operator as string))) return;
    // String concatenation is not arithmetic.
    if (operator === '+' && [left, right].some((side) => /String|Template/.test((side as Node).type))) return;
    const at = code.indexOf(operator as string, placeOf(left as Node)[1]);
    add(flipped[0], at, at + (operator as string).length, flipped[1]);
  }

  function mutateNumber(start: number, end: number): void {
    const match = /^(\d[\d_]*)(n?)$/.exec(code.slice(start, end));
    if (match === null) return;
    const value = BigInt((match[1] as string).replaceAll('_', ''));
    add('constant', start, end, `${value < 2n ? value + 1n : value - 1n}${match[2]}`);
  }

  function mutateCondition(test: Node): void {
    const [start, end] = placeOf(test);
    if (test.type === 'BooleanLiteral') return;
    // An inverted equality or negation would fail in both branches, so it proves less than these two mutants.
    decided.add(test);
    add('condition', start, end, 'true');
    add('condition', start, end, 'false');
  }

  /** Removes a call that is made for its effect: a guard that throws, a write, a wait. */
  function mutateStatement(expression: Node, start: number, end: number): void {
    const isCall = /^(?:await |void )?[\w.?#]+(?:<[^>]*>)?\(/.test(code.slice(start, end));
    // `assert` guards rules that only a bug can violate, so no test can detect that one is missing.
    const isSilent = /^(?:(?:\w+\.)*log\.\w+|assert)\(/.test(code.slice(start, end));
    if (isCall && !isSilent && expression.type !== 'AssignmentExpression') add('call', start, end, ';');
  }

  function mutateCode(value: Node | null): void {
    if (value?.type !== 'StringLiteral' || !/^[\w.:-]+$/.test(String(value.value))) return;
    const [start, end] = placeOf(value);
    add('code', start, end, "'mutant'");
  }

  visit(parseSync(code, { syntax: 'ecmascript', target: 'es2022' }) as unknown as Node);
  return mutants.sort((a, b) => a.start - b.start || a.what.localeCompare(b.what));
}
