import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inlineCode, ROOT, readPages } from './pages.ts';

/** `snake_case`, `camelCase` and `PascalCase`: names of tables, columns, fields, functions and types. */
const IDENTIFIER = /\b(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+[A-Z][A-Za-z]+|[A-Z][a-z]+[A-Z][A-Za-z]+)\b/g;

/** Names of other programs. guides.test.ts checks those of metrics. */
const FOREIGN = new Set([
  'archive_timeout',
  'httpGet',
  'loop_wait',
  'maximum_lag_on_failover',
  'our_bot',
  'pg_basebackup',
  'pg_restore',
  'pg_stat_statements',
  'proxy_pass',
  'proxy_set_header',
  'retry_timeout',
  'pg_rewind',
  'primary_start_timeout',
  'synchronous_mode',
  'target_session_attrs',
]);

test('every identifier that the documentation mentions exists in the sources', () => {
  const known = wordsOfSources();
  const unknown = readPages()
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      inlineCode(text)
        .flatMap((code) => code.match(IDENTIFIER) ?? [])
        .filter((name) => !known.has(name) && !FOREIGN.has(name) && !name.startsWith('sponsorgate_'))
        .map((name) => `${path}: ${name}`),
    );
  assert.deepEqual(unknown, []);
});

function wordsOfSources(): Set<string> {
  const patterns = [
    '{src,test,clients,bench,examples,bin}/**/*.{ts,js,sql,json,py}',
    'docs/webhook-events/*.json',
    'docs/monitoring/*.yml',
    '{compose.yaml,.dependency-cruiser.mjs}',
  ];
  const texts = globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**', '**/identifiers.test.ts'] }).map(
    (path) => readFileSync(join(ROOT, path), 'utf8'),
  );
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []));
}
