import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync } from '@swc/core';
import { childrenOf, type Node, offsetsOf } from '../mutants/syntax-tree.ts';
import { ROOT } from './pages.ts';

const LIMIT_LINES = 70;

/** Longer functions, each with the reason why parts of it would be harder to read than the whole. */
const REASONS: Readonly<Record<string, string>> = {
  'src/config.ts readConfig': 'one line per setting',
  'src/composition/assemble.ts assemble': 'one line per part of the service',
  'src/telegram/management-bot/notices.ts textOf': 'one case per kind of notice',
};

test('no function has more than 70 lines of its own without a reason', () => {
  const long = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ source }) => source.split('\n').length > LIMIT_LINES)
    .flatMap(({ path, source }) => functionsIn(path, source))
    .filter(({ ownLines }) => ownLines > LIMIT_LINES)
    .map(({ place }) => place);
  assert.deepEqual(long.sort(), Object.keys(REASONS).sort());
});

test('lines of functions inside a function do not count', () => {
  const source = `function outer() {\n  const é = () => {\n    return 1;\n  };\n  return é;\n}\n`;
  assert.deepEqual(functionsIn('x.ts', source), [
    { place: 'x.ts outer', ownLines: 3 },
    { place: 'x.ts é', ownLines: 3 },
  ]);
});

interface FoundFunction {
  readonly place: string;
  readonly ownLines: number;
}

/** Returns the functions of a source. A function inside another counts its own lines and not those of the other. */
function functionsIn(path: string, source: string): FoundFunction[] {
  const code = stripTypeScriptTypes(source);
  const toOffset = offsetsOf(code);
  const lineEnds = [...code.matchAll(/\n/g)].map(({ index }) => index);
  const lineAt = (place: number): number => {
    const offset = toOffset(place);
    const line = lineEnds.findIndex((end) => end >= offset);
    return line < 0 ? lineEnds.length : line;
  };
  const found: FoundFunction[] = [];

  /** Returns how many lines of the node belong to functions inside it. */
  const visit = (node: Node, name: string): number => {
    const named = nameOf(node) ?? name;
    const nested = childrenOf(node).reduce((lines, child) => lines + visit(child, named), 0);
    if (!FUNCTIONS.has(node.type) || node.span === undefined) return nested;
    const lines = lineAt(node.span.end) - lineAt(node.span.start) + 1;
    if (lines === 1) return 0;
    found.push({ place: `${path} ${named}`, ownLines: lines - nested });
    return lines;
  };
  visit(parseSync(code, { syntax: 'ecmascript', target: 'es2022' }) as unknown as Node, 'at the top');
  return found.reverse();
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'MethodProperty']);

/** Returns the name that a declaration, a variable or a property gives to its function. */
function nameOf(node: Node): string | undefined {
  const { value } = (node.identifier ?? node.id ?? node.key ?? {}) as { readonly value?: unknown };
  return typeof value === 'string' ? value : undefined;
}
