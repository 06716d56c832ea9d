import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Page {
  /** Relative to the repository, for example `docs/guides/publisher.md`. */
  readonly path: string;
  readonly text: string;
}

export interface CodeBlock {
  /** The word after the fence: `sh`, `json`, …; empty for plain output. */
  readonly language: string;
  readonly code: string;
  /** The reason in a comment `<!-- not run: … -->` right before the block. */
  readonly notRun: string | undefined;
  /** Whether the block follows another directly: then it shows the output of that one. */
  readonly isOutput: boolean;
}

const PATTERNS = ['*.md', 'docs/**/*.md', 'clients/*/README.md'];

/** Returns every page of the documentation. */
export function readPages(): Page[] {
  const paths = globSync(PATTERNS, { cwd: ROOT, exclude: ['**/node_modules/**'] });
  return paths.sort().map(readPage);
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

export function codeBlocks(text: string): CodeBlock[] {
  const fences = /(?:<!-- not run: ([^\n]*) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;
  let end = -1;
  return [...text.matchAll(fences)].map(({ 0: block, 1: notRun, 2: language = '', 3: code = '', index }) => {
    const isOutput = index === end + 1;
    end = index + block.length;
    return { language, code, notRun, isOutput };
  });
}

/** Returns the texts in single backticks, outside of code blocks. */
export function inlineCode(text: string): string[] {
  return [...withoutCodeBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

export function withoutCodeBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}
