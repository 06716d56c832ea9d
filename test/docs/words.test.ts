import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, readPages, withoutCodeBlocks } from './pages.ts';

/** Words that docs/glossary.md replaces, and words that hide who does what. */
const RETIRED = [
  /\boffer(?:s|ed|ing)?\b/i,
  /\bcampaigns?\b/i,
  /\bprob(?:es?|ing)\b/i,
  /\bverdicts?\b/i,
  /\b(?:asker|claim)s?\b/i,
  /\bpostings?\b/i,
  /\breceivers?\b/i,
  /\blisteners?\b/i,
  /\blanes?\b/i,
  /\bsweeps?\b/i,
  /\bwalks?\b/i,
  /\bflights?\b/i,
  /\bcrowds?\b/i,
  /\blevers?\b/i,
  /\bremember(?:s|ed)?\b/i,
  /\bforg(?:et|ets|otten)\b/i,
  /\bwho(?:m|so)?ever\b/i,
  /\b(?:some|no|every|any)body\b/i,
  /\banew\b/i,
  /\bmend(?:s|ed)?\b/i,
  /\b(?:give|gives|given|giving) back\b/i,
  /\bgone\b/i,
];

/** Where a retired word is right: it quotes, or it has another meaning there. */
const ALLOWED: readonly { readonly page: RegExp; readonly text: RegExp }[] = [
  // The pages about words quote them.
  { page: /^docs\/glossary\.md$/, text: /./ },
  { page: /^CONTRIBUTING\.md$/, text: /\| `.*` \| `.*` \|/ },
  { page: /^CHANGELOG\.md$/, text: /`offer|OFFER/ },
  // The fault campaign is no order.
  { page: /./, text: /campaign/i },
];

test('the documentation uses no word that the glossary retires', () => {
  const found = readPages().flatMap((page) =>
    prose(page).flatMap((line) => {
      const word = RETIRED.map((pattern) => pattern.exec(line)?.[0]).find((hit) => hit !== undefined);
      const isAllowed = ALLOWED.some((rule) => rule.page.test(page.path) && rule.text.test(line));
      return word === undefined || isAllowed ? [] : [`${page.path}: ${word}: ${line.trim()}`];
    }),
  );
  assert.deepEqual(found, []);
});

/** Returns the lines of a page without code and without the targets of links. */
function prose({ text }: Page): string[] {
  return withoutCodeBlocks(text)
    .split('\n')
    .map((line) => (line.includes('| `//') ? line : line.replace(/`[^`]*`/g, '').replace(/\]\([^)]*\)/g, ']')));
}
