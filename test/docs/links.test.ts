import assert from 'node:assert/strict';
import { existsSync, globSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { inlineCode, type Page, ROOT, readPage, readPages, withoutCodeBlocks } from './pages.ts';

const pages = readPages();

test('every relative link of the documentation leads to a file and a heading that exist', () => {
  const broken = pages.flatMap((page) =>
    links(page)
      .filter((link) => !resolves(page, link))
      .map((link) => `${page.path}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('every source path that the documentation mentions exists', () => {
  const files = globSync('{src,test,bench,clients,examples,bin,docs}/**/*', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const names = new Set(files.map((file) => basename(file)));
  const missing = pages
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap((page) =>
      inlineCode(page.text)
        .filter((code) => SOURCE_PATH.test(code) && !code.includes('*') && !isPathThere(page, code, names))
        .map((code) => `${page.path}: ${code}`),
    );
  assert.deepEqual(missing, []);
});

test('the index of decisions lists every record once, under its own title', () => {
  const index = readPage('docs/decisions/README.md').text;
  const listed = [...index.matchAll(/^- \[(.+)\]\((\d{4}-[\w-]+\.md)\)$/gm)].map(
    ([, title, file]) => `${file}: ${title}`,
  );
  const records = globSync('docs/decisions/0*.md', { cwd: ROOT })
    .sort()
    .map((path) => {
      const title = /^# (.+)$/m.exec(readPage(path).text)?.[1];
      return `${basename(path)}: ${title}`;
    });
  assert.deepEqual(listed, records);
});

const SOURCE_PATH =
  /^(?:[\w.-]+\/)*[\w.-]+\.(?:ts|js|sql|mjs|py)$|^(?:src|test|bench|clients|examples|docs)\/[\w./-]+$/;
/** Files of the reader's own project, and files that exist only at run time. */
const READERS_FILES = new Set(['bot.js', 'gate.py', 'gate.ts', 'x.test.ts', 'verb-noun.ts']);

/** A path counts from the repository, from `src`, from the page; a bare file name may stand for any file of that name. */
function isPathThere(page: Page, code: string, names: ReadonlySet<string>): boolean {
  if (READERS_FILES.has(code)) return true;
  const bases = [ROOT, join(ROOT, 'src'), join(ROOT, 'src/modules'), join(ROOT, dirname(page.path))];
  if (bases.some((base) => existsSync(join(base, code)))) return true;
  return !code.includes('/') && names.has(code);
}

function links({ text }: Page): string[] {
  const prose = withoutCodeBlocks(text).replace(/`[^`\n]*`/g, '');
  const markdown = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const images = [...prose.matchAll(/<img src="([^"]+)"/g)].map(([, target = '']) => target);
  return [...markdown, ...images].filter((target) => !/^(?:https?|mailto):/.test(target));
}

function resolves(page: Page, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page.path : normalize(join(dirname(page.path), path));
  const found = statSync(join(ROOT, file), { throwIfNoEntry: false });
  if (found === undefined) return false;
  return anchor === undefined || (found.isFile() && headings(readPage(file)).has(anchor));
}

/** Returns the anchors of a page as GitHub makes them: lower case, hyphens for spaces, no punctuation. */
function headings({ text }: Page): Set<string> {
  const titles = [...withoutCodeBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}
