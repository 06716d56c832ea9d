import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, serverSources } from './sources.ts';

const SECRET = '(?:signature|hmac|digest|secret|csrf|hash|token|password|code_?hash)';
/** A comparison with a literal, undefined or null reveals nothing about a secret. */
const HARMLESS = "(?!undefined|null|''|'[^']*'|\\d)";

/** The duration of a comparison that stops at the first difference reveals how many characters of a guess are right. */
test('no secret, signature or hash is compared with === or startsWith', async () => {
  const sources = await serverSources();
  assert.ok(sources.length > 200, 'the sources were not found');
  const compared = new RegExp(
    `\\b\\w*${SECRET}\\b\\s*[!=]==\\s*${HARMLESS}[\\w.(]|[!=]==\\s*[\\w.]*\\b\\w*${SECRET}\\b`,
    'i',
  );
  const begun = new RegExp(`\\b\\w*${SECRET}\\.(?:startsWith|endsWith|localeCompare|includes)\\(`, 'i');
  assert.deepEqual([...linesOf(sources, compared), ...linesOf(sources, begun)], []);
});

/** The files that verify a secret or a signature. */
const CHECKERS = [
  'src/modules/bots/token-cache.ts', // API tokens
  'src/modules/tasks/settle/record-postback.ts', // the advertiser's signature
  'src/modules/links/init-data.ts', // Telegram's signature of Mini App init data
  'src/modules/links/personal-token.ts', // our signature of a personal link
  'src/modules/payouts/crypto-pay.ts', // Crypto Pay's signature
  'src/telegram/webhook-route.ts', // Telegram's secret header
  'src/http/health.ts', // METRICS_TOKEN
  'src/web/console/guard.ts', // the CSRF token of forms
];

test('every check of a secret or a signature compares in constant time', async () => {
  const sources = new Map((await serverSources()).map(({ file, text }) => [file, text]));
  for (const file of CHECKERS) assert.match(sources.get(file) ?? '', /\btimingSafeEqual\(/, file);
});

test('tokens, sign-in codes and cookies are looked up by their SHA-256, so the database compares no secrets', async () => {
  const sources = await serverSources();
  const columns = linesOf(sources, /WHERE[^\n]*\b(?:api_token|token|code|secret|cookie)\s*=\s*\$/i);
  const emulated = columns.filter((line) => line.startsWith('src/sandbox/')); // tokens of emulated bots
  // The code of a smart link is public because it is part of the URL.
  const links = columns.filter((line) => line.startsWith('src/modules/links/'));
  assert.deepEqual(
    columns.filter((line) => !emulated.includes(line) && !links.includes(line)),
    [],
  );
});
