import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, serverSources } from './sources.ts';

const SECRET = '(?:signature|hmac|digest|secret|csrf|hash|token|password|code_?hash)';
/** Against a literal, or to ask whether there is one, nothing can be learned. */
const HARMLESS = "(?!undefined|null|''|'[^']*'|\\d)";

/** A comparison that stops at the first difference tells, by its duration, how far a guess was right. */
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

/** Everything that decides whether somebody knows a secret. */
const CHECKERS = [
  'src/modules/bots/token-cache.ts', // API tokens
  'src/modules/tasks/settle/record-postback.ts', // an advertiser's signature
  'src/modules/tasks/click-id.ts', // ours, on a click
  'src/modules/links/init-data.ts', // Telegram's, of the Mini App
  'src/modules/links/personal-token.ts', // ours, on a personal link
  'src/modules/payouts/crypto-pay-notification.ts', // Crypto Pay's
  'src/telegram/webhook-route.ts', // Telegram's secret header
  'src/http/metrics-route.ts', // METRICS_TOKEN
  'src/web/console/guard.ts', // what forms carry
];

test('every check of a secret or a signature compares in constant time', async () => {
  const sources = new Map((await serverSources()).map(({ file, text }) => [file, text]));
  for (const file of CHECKERS) assert.match(sources.get(file) ?? '', /\btimingSafeEqual\(/, file);
});

test('tokens, sign-in codes and cookies are looked up by their SHA-256, so the database compares no secret either', async () => {
  const sources = await serverSources();
  const columns = linesOf(sources, /WHERE[^\n]*\b(?:api_token|token|code|secret|cookie)\s*=\s*\$/i);
  const emulated = columns.filter((line) => line.startsWith('src/sandbox/')); // the emulator's own bots, which it made up
  // A smart link's code is public: it is the address itself.
  const links = columns.filter((line) => line.startsWith('src/modules/links/'));
  assert.deepEqual(
    columns.filter((line) => !emulated.includes(line) && !links.includes(line)),
    [],
  );
});
