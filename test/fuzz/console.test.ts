import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../api/use-service.ts';
import { createDraw } from '../campaign/plan.ts';
import { Visitor } from '../console/visitor.ts';
import { assertBooks } from '../support/books.ts';
import { freshUser } from '../support/sandbox.ts';
import { createResponseChecker } from './check-response.ts';
import { REQUESTS, SEED } from './make-requests.ts';
import { type Draw, mutateQuery, STRANGE, STRANGE_PARTS } from './mutate.ts';
import { type FuzzRequest, sendAll } from './send-requests.ts';

const OPERATOR = 990_777;
const service = useService({ OPERATOR_IDS: String(OPERATOR) });
const MOST_PAGES = 80;

interface Form {
  readonly action: string;
  readonly fields: readonly string[];
}

/** Returns whether a request to this path ends the session that all other requests use. */
const isFarewell = (path: string): boolean => /sign-out|\/sessions/.test(path);

/** Follows the links of the console from page to page. Returns the pages and their forms. */
async function crawl(visitor: Visitor): Promise<{ pages: string[]; forms: Form[] }> {
  const pages = ['/console'];
  const forms = new Map<string, Form>();
  for (const page of pages) {
    const { status, text } = await visitor.get(page);
    assert.ok(status < 500, `${page} answered ${status}`);
    for (const [, href = ''] of text.matchAll(/href="(\/console[^"]*)"/g)) {
      const path = href.replaceAll('&#38;', '&').replaceAll('&amp;', '&');
      const isNew = !pages.includes(path) && !path.startsWith('/console/assets') && !isFarewell(path);
      if (isNew && pages.length < MOST_PAGES) pages.push(path);
    }
    for (const [, head = '', body = ''] of text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
      const action = /action="([^"]*)"/.exec(head)?.[1] ?? page;
      if (!/method="post"/i.test(head) || isFarewell(action)) continue;
      forms.set(action, { action, fields: [...body.matchAll(/\bname="([^"]+)"/g)].map(([, name = '']) => name) });
    }
  }
  return { pages, forms: [...forms.values()] };
}

/** Returns a form value: a strange one, or one that the field may accept. */
function valueFor(draw: Draw): string {
  if (draw.chance(0.4)) return draw.of(['1', '10', '100', '0.01', '1e3', 'on', 'https://example.com/', 'A name', 'RU']);
  if (draw.chance(0.5)) return draw.of(STRANGE_PARTS);
  const value: unknown = JSON.parse(draw.of(STRANGE.filter((json) => json.length < 20_000)));
  return encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed());
}

function aimAtForm({ action, fields }: Form, headers: Record<string, string>, csrf: string, draw: Draw): FuzzRequest {
  const pairs = fields
    .filter((name) => name !== 'csrf' && !draw.chance(0.1))
    .map((name) => `${name}=${valueFor(draw)}`);
  if (draw.chance(0.2)) pairs.push(`${draw.of(['__proto__', 'x[]', '', 'csrf', ...fields])}=${valueFor(draw)}`);
  if (draw.chance(0.95)) pairs.unshift(`csrf=${encodeURIComponent(csrf)}`);
  const path = draw.chance(0.15) ? action.replace(/\d+/, () => draw.of(STRANGE_PARTS)) : action;
  const type = draw.chance(0.95) ? 'application/x-www-form-urlencoded' : 'application/json';
  return { method: 'POST', path, headers: { ...headers, 'content-type': type }, body: pairs.join('&') };
}

function aimAtPage(page: string, headers: Record<string, string>, draw: Draw): FuzzRequest {
  const [path = page] = page.split('?', 1);
  const place = draw.chance(0.3) ? path.replace(/\d+|[^/]+$/, () => draw.of(STRANGE_PARTS)) : path;
  const query = mutateQuery(['before', 'after', 'format', 'table', 'days', 'status', 'q', 'cursor', 'user_id'], draw);
  return { method: 'GET', path: place + query, headers };
}

for (const who of ['a customer', 'an operator'] as const) {
  test(`the console responds to any input of ${who} in time, never with 500 and never with internals`, async () => {
    const { sandbox, database } = service;
    const options = { deposit: 10_000, ...(who === 'an operator' && { userId: OPERATOR }) };
    const visitor = await Visitor.signedIn(sandbox, options);
    const { token } = await sandbox.publisher({ account_id: visitor.accountId, beta: true });
    await sandbox.api(token, 'links', { url: 'https://example.com/' });
    await sandbox.api(token, 'webhooks', { url: 'http://127.0.0.1:9/', events: ['subscription.confirmed'] });
    await sandbox.advertise({ account_id: visitor.accountId, quantity: 5 });
    await sandbox.subscribe(token, await sandbox.advertise({ price_per_sub: 50 }), freshUser());

    const { pages, forms } = await crawl(visitor);
    assert.ok(pages.length > 10 && forms.length > 5, `${pages.length} pages, ${forms.length} forms`);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const draw = createDraw(SEED + who.length);
    const requests = [
      ...Array.from({ length: REQUESTS * 8 }, () => aimAtPage(draw.of(pages), { cookie }, draw)),
      ...Array.from({ length: REQUESTS * 8 }, () => aimAtForm(draw.of(forms), { cookie }, visitor.csrf, draw)),
    ];
    const responses = await sendAll(service.url, requests);
    const checker = await createResponseChecker(database);
    assert.deepEqual(
      responses.flatMap((response) => checker.findProblem(response) ?? []),
      [],
      `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}`,
    );
    assert.ok(responses.filter(({ status }) => status === 200 || status === 303).length > responses.length / 4);
    assert.equal((await visitor.get('/console')).status, 200);
    await sandbox.assertBalanced();
    await assertBooks(database.url);
  });
}
